/** What the Worker asks of the pool. */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { OfferAnswer, PoolOffer, PoolRpc, ReturnedTransactions } from "../../../src/env.ts";
import { type RefusedWork, type WorkAllowance, WorkExceeded } from "../../../src/platform/refused-work.ts";
import { encodeIdList } from "../../../src/protocol/codec/id-list.ts";
import { RuleError, WireError } from "../../../src/protocol/errors.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import { hasSender } from "../../../src/protocol/transactions/signer.ts";
import { isThrown } from "../../../src/protocol/transactions/thrown-violations.ts";
import type { Transaction, TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { ownRecords } from "../../../src/protocol/transactions/transaction-source.ts";
import type { TransactionFault } from "../../../src/protocol/transactions/transaction-violation.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { type TraceStep, traceStepJson } from "../../../src/rules/transactions/scripts/trace.ts";
import type { AddOptions, Offered, Outcome, UtxPool } from "./utx-pool.ts";

/** An offer that was read. */
interface ReadOffer extends Offered {
  readonly trace?: TraceStep[];
}

export interface PoolCallFacts {
  readonly pool: UtxPool;
  /** The tip. */
  readonly view: StateView;
  /** Those that left the pool, but are not readable yet. */
  readonly unpublished: {
    readonly size: number;
    prefetch(ids: readonly Uint8Array[]): void;
    has(id: Uint8Array): boolean;
    find(id: Uint8Array): Uint8Array | undefined;
    ids(): Iterable<Uint8Array>;
  };
  readonly minimumPeers: number;
  readonly connectedPeers: () => number;
  readonly nowMs: () => number;
  /** Undefined: nothing is counted. */
  readonly refusedWork?: RefusedWork | undefined;
  /** Takes transactions into the pool (`UtxPool.addAll`). */
  readonly admit: (offers: readonly Offered[], nowMs: number) => readonly Outcome[] | Promise<readonly Outcome[]>;
  /** Is told how many transactions got into the pool together. */
  readonly added: (count: number, nowMs: number) => Promise<void>;
  /** Is told of transactions that clients have sent and that wait in the pool: protobuf `SignedTransaction`. */
  readonly heard?: (transactions: readonly Uint8Array[]) => void;
  /** Is told what went wrong with a transaction that is not its fault. */
  readonly failed: (what: string, error: unknown) => void;
}

export class PoolCalls implements PoolRpc {
  readonly #facts: PoolCallFacts;

  constructor(facts: PoolCallFacts) {
    this.#facts = facts;
  }

  async broadcastAll(offers: PoolOffer[]): Promise<OfferAnswer[]> {
    const answers = await this.#offer(offers, {});
    // Also of what waits already: who sends it again wants others to have it.
    const waits = (answer: OfferAnswer | undefined) => typeof answer === "object" && answer.accepted;
    const heard = offers.filter((_, index) => waits(answers[index])).map(({ signedTransaction }) => signedTransaction);
    if (heard.length > 0) this.#facts.heard?.(heard);
    return answers;
  }

  /** As `broadcastAll`, for what peers have sent: their scripts run as far as they could refuse, and nobody hears of them. */
  offerFromPeers(offers: PoolOffer[]): Promise<OfferAnswer[]> {
    return this.#offer(offers, { execution: "limited" });
  }

  async #offer(offers: PoolOffer[], options: AddOptions): Promise<OfferAnswer[]> {
    const { unpublished, minimumPeers, connectedPeers, nowMs: clock, admit, added } = this.#facts;
    const connected = connectedPeers();
    if (connected < minimumPeers)
      return offers.map(() => ({ accepted: false, fault: { code: "tooFewPeers", connected, minimum: minimumPeers } }));
    const read = offers.map((offer) => this.#read(offer, options));
    const whole = read.filter((offer) => offer !== undefined);
    unpublished.prefetch(whole.map(({ transaction }) => transaction.id));
    const waiting = new Set(whole.filter(({ transaction }) => !unpublished.has(transaction.id)));
    const nowMs = clock();
    const admitted = admit([...waiting], nowMs);
    const outcomes = admitted instanceof Promise ? await admitted : admitted;
    const count = outcomes.filter((outcome) => "isNew" in outcome && outcome.isNew).length;
    if (count > 0) await added(count, nowMs);
    const answers: OfferAnswer[] = [];
    let place = 0;
    for (const offer of read) {
      if (offer === undefined) {
        answers.push("failed");
      } else if (waiting.has(offer)) {
        const outcome = outcomes[place++];
        if (outcome === undefined) break;
        answers.push(this.#answer(offer, outcome));
      } else {
        answers.push({ accepted: true, isNew: false });
      }
    }
    return answers;
  }

  async unconfirmedIds(): Promise<Uint8Array> {
    const { pool, unpublished } = this.#facts;
    return encodeIdList([...unpublished.ids(), ...pool.ids()]);
  }

  async someUnconfirmed(transactionIds: Uint8Array[], limitBytes: number): Promise<(Uint8Array | undefined)[]> {
    const found: (Uint8Array | undefined)[] = [];
    let sizeBytes = 0;
    for (const id of transactionIds) {
      const bytes = this.#find(id);
      sizeBytes += bytes?.length ?? 0;
      if (sizeBytes > limitBytes && found.length > 0) break;
      found.push(bytes);
    }
    return found;
  }

  async unconfirmedCount(): Promise<number> {
    const { pool, unpublished } = this.#facts;
    return unpublished.size + pool.size;
  }

  async findUnconfirmed(transactionId: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#find(transactionId);
  }

  async areUnconfirmed(transactionIds: Uint8Array[]): Promise<boolean[]> {
    const { pool, unpublished } = this.#facts;
    return transactionIds.map((id) => unpublished.has(id) || pool.has(id as TransactionId));
  }

  async returned(): Promise<ReturnedTransactions> {
    const { pool, view } = this.#facts;
    const effects = Array.from(pool.returned(), ({ transaction, changeSet }) => ({
      signedTransaction: encodeProtobuf(transaction),
      changeSet,
    }));
    return { tipId: view.findHeader(view.height)?.id ?? new Uint8Array(), effects };
  }

  #find(transactionId: Uint8Array): Uint8Array | undefined {
    const { pool, unpublished } = this.#facts;
    return unpublished.find(transactionId) ?? pool.findBytes(transactionId as TransactionId);
  }

  /** Undefined: the bytes are no transaction. Others that came with it do not suffer for it. */
  #read(offer: PoolOffer, options: AddOptions): ReadOffer | undefined {
    const { signedTransaction, id, areSignaturesVerified, isTraced } = offer;
    const { view, failed } = this.#facts;
    const { chainId } = view.settings;
    try {
      const transaction = parseSignedTransaction(
        signedTransaction,
        chainId,
        ownRecords,
        id as TransactionId | undefined,
      );
      const verifySignatures = areSignaturesVerified !== true;
      const allowance = this.#allowanceOf(transaction, offer);
      return { ...options, transaction, allowance, verifySignatures, ...(isTraced && { trace: [] }) };
    } catch (error) {
      if (!(error instanceof WireError || error instanceof FormatError)) throw error;
      failed("what was handed over is no transaction", error);
      return undefined;
    }
  }

  /** Who has not signed with the account's key spends nothing of that account. */
  #allowanceOf(transaction: Transaction, { host, areSignaturesVerified }: PoolOffer): WorkAllowance | undefined {
    if (host === undefined) return undefined;
    const hasSigned = areSignaturesVerified === true && hasSender(transaction);
    const sender = hasSigned ? bytesKey(transaction.sender) : undefined;
    return this.#facts.refusedWork?.allowanceOf({ host, sender });
  }

  #answer({ trace: steps }: ReadOffer, outcome: Outcome): OfferAnswer {
    const trace = steps && { trace: steps.map((step) => traceStepJson(step, true)) };
    if ("isNew" in outcome) return { accepted: true, isNew: outcome.isNew, ...trace };
    const { error } = outcome;
    if (error instanceof WorkExceeded)
      return { accepted: false, exceeded: error.budget, retryAfterMs: error.retryAfterMs };
    if (!(error instanceof RuleError)) {
      this.#facts.failed("a transaction was neither taken nor refused", error);
      return "failed";
    }
    // A transaction is refused for its own sake: blocks have faults of their own.
    const fault = error.fault as TransactionFault;
    // An exception of the reference takes the trace with it (network/TransactionPublisher.scala).
    return { accepted: false, fault, ...(!isThrown(fault) && trace) };
  }
}
