/**
 * Transactions of peers: the chain is offered each of them once for a state, and what is new to it goes to the other peers.
 * Those that clients have sent go to all.
 * @source Waves: network/TransactionSynchronizer.scala, TransactionPublisher.scala
 */
import { type BytesKey, bytesKey, concatBytes, equalBytes } from "../../../src/crypto/bytes.ts";
import { blake2b256 } from "../../../src/crypto/hash.ts";
import type { OfferAnswer } from "../../../src/env.ts";
import { subscriberOf } from "../../../src/network/subscriber.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { hasValidSignatures } from "../../../src/rules/transactions/checks/proofs.ts";
import type { ChainForPeers, ChainStanding } from "../chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { FaultLog } from "../fault-log.ts";
import type { Peer } from "../peer.ts";
import { payloadFrame } from "./frames-of-bytes.ts";
import type { KnownStanding, StandingListener } from "./known-standing.ts";
import type { OpenPeers } from "./open-peers.ts";
import type { MayVerifyPossession } from "./possession-budget.ts";
import { isSameInProtobuf } from "./protobuf-form.ts";
import { type QueuedTransaction, TransactionQueue } from "./transaction-queue.ts";

/** Offered with one call; the next one begins when it was answered. */
const BATCH = 50;
/** After something went wrong that was not the transactions' fault. */
const RETRY_MS = 1_000;
/** Ids with hashes, some 200 bytes each. */
const MOST_KNOWN = 25_000;
/** It is forgotten with the next block or micro-block, or after so long where none comes. */
const KNOWN_MS = 10 * 60_000;

export interface TransactionRelayFacts {
  readonly faults: FaultLog;
  readonly chainId: number;
  readonly mayVerifyPossession: MayVerifyPossession;
  readonly chain: ChainForPeers;
  readonly timers: Timers;
  readonly peers: OpenPeers;
  readonly standing: KnownStanding;
}

export class TransactionRelay implements StandingListener {
  readonly #facts: TransactionRelayFacts;
  readonly #queue = new TransactionQueue();
  /** Offered since the last block or micro-block, or waiting. */
  readonly #known: ExpiringMap<true>;
  #isOffering = false;

  constructor(facts: TransactionRelayFacts) {
    this.#facts = facts;
    const { timers, standing } = facts;
    this.#known = new ExpiringMap({ ttlMs: KNOWN_MS, maxSize: MOST_KNOWN, nowMs: () => timers.nowMs() });
    standing.listen(this);
  }

  /** What did not fit into the last state may fit now. */
  changed({ tipId }: ChainStanding, before: ChainStanding | undefined): void {
    if (before === undefined || !equalBytes(tipId, before.tipId)) this.#known.clear();
  }

  /** @returns false: there was no room for it */
  received(peer: Peer, transaction: Transaction): false | undefined {
    const key = formKey(transaction);
    if (this.#known.has(key)) return undefined;
    if (!this.#queue.add(peer, transaction)) return false;
    this.#known.set(key, true);
    if (this.#isOffering) return undefined;
    this.#isOffering = true;
    void this.#offerAll();
    return undefined;
  }

  /** As `received`, in the older form. One that is none in protobuf is passed over. */
  receivedLegacy(peer: Peer, transaction: Transaction): false | undefined {
    return isSameInProtobuf(transaction, this.#facts.chainId) ? this.received(peer, transaction) : undefined;
  }

  closed(peer: Peer): void {
    for (const left of this.#queue.forget(peer)) this.#known.delete(formKey(left));
  }

  /** Transactions that clients have sent: protobuf `SignedTransaction`. */
  own(transactions: readonly Uint8Array[]): void {
    for (const payload of transactions) this.#facts.peers.broadcast(payloadFrame("transaction", payload));
  }

  /** How many wait. */
  get waiting(): number {
    return this.#queue.size;
  }

  async #offerAll(): Promise<void> {
    for (let batch = this.#queue.take(BATCH); batch.length > 0; batch = this.#queue.take(BATCH)) {
      await this.#offer(batch, true);
    }
    this.#isOffering = false;
  }

  /** @param mayFail what fails is offered once more */
  async #offer(batch: readonly QueuedTransaction[], mayFail: boolean): Promise<void> {
    const failed: QueuedTransaction[] = [];
    let left = batch;
    while (left.length > 0) {
      const answers = await this.#ask(left);
      if (answers.length === 0) {
        failed.push(...left);
        break;
      }
      answers.forEach((answer, index) => {
        const queued = left[index];
        if (queued === undefined) return;
        if (answer === "failed") failed.push(queued);
        else if (answer.accepted && answer.isNew) this.#passOn(queued);
      });
      left = left.slice(answers.length);
    }
    if (failed.length === 0 || !mayFail) return;
    await new Promise<void>((resolve) => this.#facts.timers.after(RETRY_MS, resolve));
    await this.#offer(failed, false);
  }

  /** @returns answers to the first of them; none where the chain was not to be reached */
  async #ask(batch: readonly QueuedTransaction[]): Promise<OfferAnswer[]> {
    try {
      return await this.#facts.chain.offerTransactions(
        batch.map(({ peer, transaction }) => ({
          signedTransaction: encodeProtobuf(transaction),
          id: transaction.id,
          areSignaturesVerified: hasValidSignatures(transaction, this.#facts.mayVerifyPossession),
          host: subscriberOf(peer.remote.ip),
        })),
      );
    } catch (error) {
      this.#facts.faults.add("the chain did not say what became of transactions", error);
      return [];
    }
  }

  #passOn({ peer, transaction }: QueuedTransaction): void {
    this.#facts.peers.broadcast(payloadFrame("transaction", encodeProtobuf(transaction)), new Set([peer]));
  }
}

/**
 * Of this form of the transaction: an id does not stand for the proofs, and with others in the honest ones' place it would keep these
 * from the chain.
 */
function formKey({ id, bytes }: Transaction): BytesKey {
  return bytesKey(concatBytes(id, blake2b256(bytes)));
}
