/**
 * Transactions of peers: each is submitted to the chain once per state, and relayed to the other peers if it is new.
 * Transactions of clients go to all peers.
 * @source Waves: network/TransactionSynchronizer.scala, TransactionPublisher.scala
 */
import { type BytesKey, bytesKey, concatBytes, equalBytes } from "../../../src/crypto/bytes.ts";
import { blake2b256 } from "../../../src/crypto/hash.ts";
import type { SubmissionResult } from "../../../src/env.ts";
import { subscriberOf } from "../../../src/network/subscriber.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { ChainForPeers, ChainTip } from "../../../src/rpc/chain-for-peers.ts";
import { hasValidSignatures } from "../../../src/rules/transactions/checks/proofs.ts";
import type { Timers } from "../connection.ts";
import type { ErrorLog } from "../error-log.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { Peer } from "../peer.ts";
import { payloadFrame } from "./frames-of-bytes.ts";
import type { KnownTip, TipListener } from "./known-tip.ts";
import type { OpenPeers } from "./open-peers.ts";
import type { MayVerifyPossession } from "./possession-rate-limiter.ts";
import { isSameInProtobuf } from "./protobuf-form.ts";
import { type QueuedTransaction, TransactionQueue } from "./transaction-queue.ts";

/** Number of transactions in one call. The next call starts after the response. */
const BATCH = 50;
/** Delay after an error that is not the transactions' own. */
const RETRY_MS = 1_000;
/** Maximum of known transactions: ids with hashes, some 200 bytes each. */
const MOST_KNOWN = 25_000;
/** Time after which a known transaction is forgotten if there is no block or micro-block. */
const KNOWN_MS = 10 * 60_000;

export interface TransactionRelayOptions {
  readonly errorLog: ErrorLog;
  readonly chainId: number;
  readonly mayVerifyPossession: MayVerifyPossession;
  readonly chain: ChainForPeers;
  readonly timers: Timers;
  readonly peers: OpenPeers;
  readonly tip: KnownTip;
}

export class TransactionRelay implements TipListener {
  readonly #options: TransactionRelayOptions;
  readonly #queue = new TransactionQueue();
  /** Submitted since the last block or micro-block, or waiting. */
  readonly #known: ExpiringMap<true>;
  #isSubmitting = false;

  constructor(options: TransactionRelayOptions) {
    this.#options = options;
    const { timers, tip } = options;
    this.#known = new ExpiringMap({ ttlMs: KNOWN_MS, maxSize: MOST_KNOWN, nowMs: () => timers.nowMs() });
    tip.listen(this);
  }

  /** A transaction that was invalid in the last state may be valid now. */
  changed({ tipId }: ChainTip, before: ChainTip | undefined): void {
    if (before === undefined || !equalBytes(tipId, before.tipId)) this.#known.clear();
  }

  /** @returns false: there was no room */
  received(peer: Peer, transaction: Transaction): false | undefined {
    const key = formKey(transaction);
    if (this.#known.has(key)) return undefined;
    if (!this.#queue.add(peer, transaction)) return false;
    this.#known.set(key, true);
    if (this.#isSubmitting) return undefined;
    this.#isSubmitting = true;
    void this.#submitAll();
    return undefined;
  }

  /** Like `received`, in the older form. A transaction that has no protobuf form is ignored. */
  receivedLegacy(peer: Peer, transaction: Transaction): false | undefined {
    return isSameInProtobuf(transaction, this.#options.chainId) ? this.received(peer, transaction) : undefined;
  }

  closed(peer: Peer): void {
    for (const dropped of this.#queue.forget(peer)) this.#known.delete(formKey(dropped));
  }

  /** Broadcasts transactions of clients: protobuf `SignedTransaction`. */
  own(transactions: readonly Uint8Array[]): void {
    for (const payload of transactions) this.#options.peers.broadcast(payloadFrame("transaction", payload));
  }

  /** Number of waiting transactions. */
  get waiting(): number {
    return this.#queue.size;
  }

  async #submitAll(): Promise<void> {
    for (let batch = this.#queue.take(BATCH); batch.length > 0; batch = this.#queue.take(BATCH)) {
      await this.#submit(batch, true);
    }
    this.#isSubmitting = false;
  }

  /** @param mayFail failed transactions are submitted once more */
  async #submit(batch: readonly QueuedTransaction[], mayFail: boolean): Promise<void> {
    const failed: QueuedTransaction[] = [];
    let remaining = batch;
    while (remaining.length > 0) {
      const results = await this.#submitBatch(remaining);
      if (results.length === 0) {
        failed.push(...remaining);
        break;
      }
      results.forEach((result, index) => {
        const queued = remaining[index];
        if (queued === undefined) return;
        if (result === "failed") failed.push(queued);
        else if (result.accepted && result.isNew) this.#passOn(queued);
      });
      remaining = remaining.slice(results.length);
    }
    if (failed.length === 0 || !mayFail) return;
    await new Promise<void>((resolve) => this.#options.timers.after(RETRY_MS, resolve));
    await this.#submit(failed, false);
  }

  /** @returns results of the first transactions; none if the chain was unreachable */
  async #submitBatch(batch: readonly QueuedTransaction[]): Promise<SubmissionResult[]> {
    try {
      return await this.#options.chain.submitTransactions(
        batch.map(({ peer, transaction }) => ({
          signedTransaction: encodeProtobuf(transaction),
          id: transaction.id,
          areSignaturesVerified: hasValidSignatures(transaction, this.#options.mayVerifyPossession),
          host: subscriberOf(peer.remote.ip),
        })),
      );
    } catch (error) {
      this.#options.errorLog.add("the chain returned no result for transactions", error);
      return [];
    }
  }

  #passOn({ peer, transaction }: QueuedTransaction): void {
    this.#options.peers.broadcast(payloadFrame("transaction", encodeProtobuf(transaction)), new Set([peer]));
  }
}

/**
 * Key of this form of the transaction: the id does not cover the proofs, and a copy with other proofs would keep the
 * honest one from the chain.
 */
function formKey({ id, bytes }: Transaction): BytesKey {
  return bytesKey(concatBytes(id, blake2b256(bytes)));
}
