/** Worker's requests to the pool. */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { PoolRpc, PoolSubmission, PriorityTransactions, SubmissionResult } from "../../../src/env.ts";
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
import type { TransactionViolation } from "../../../src/protocol/transactions/transaction-violation.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { type TraceStep, traceStepJson } from "../../../src/rules/transactions/scripts/trace.ts";
import type { AddOptions, AddResult, ParsedSubmission, UtxPool } from "./utx-pool.ts";

/** A parsed submission, with its trace if requested. */
interface TracedSubmission extends ParsedSubmission {
  readonly trace?: TraceStep[];
}

export interface PoolCallsOptions {
  readonly pool: UtxPool;
  /** The tip. */
  readonly view: StateView;
  /** Transactions that have left the pool but are not yet readable in the read model. */
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
  /** Undefined: refused work is not counted. */
  readonly refusedWork?: RefusedWork | undefined;
  /** Adds transactions to the pool (`UtxPool.addAll`). */
  readonly admit: (
    offers: readonly ParsedSubmission[],
    nowMs: number,
  ) => readonly AddResult[] | Promise<readonly AddResult[]>;
  /** Called with the number of transactions added in one batch. */
  readonly added: (count: number, nowMs: number) => Promise<void>;
  /** Called with transactions that clients have sent and that wait in the pool: protobuf `SignedTransaction`. */
  readonly onAccepted?: (transactions: readonly Uint8Array[]) => void;
  /** Called with an error that the transaction did not cause. */
  readonly failed: (what: string, error: unknown) => void;
}

export class PoolCalls implements PoolRpc {
  readonly #options: PoolCallsOptions;

  constructor(options: PoolCallsOptions) {
    this.#options = options;
  }

  async broadcastAll(offers: PoolSubmission[]): Promise<SubmissionResult[]> {
    const answers = await this.#submit(offers, {});
    // Includes transactions that were already waiting: a client that sends one again wants it relayed.
    const waits = (answer: SubmissionResult | undefined) => typeof answer === "object" && answer.accepted;
    const heard = offers.filter((_, index) => waits(answers[index])).map(({ signedTransaction }) => signedTransaction);
    if (heard.length > 0) this.#options.onAccepted?.(heard);
    return answers;
  }

  /**
   * Works like `broadcastAll`, for transactions of peers: scripts run only as far as they could refuse, and no one is
   * notified.
   */
  submitFromPeers(offers: PoolSubmission[]): Promise<SubmissionResult[]> {
    return this.#submit(offers, { execution: "limited" });
  }

  async #submit(offers: PoolSubmission[], options: AddOptions): Promise<SubmissionResult[]> {
    const { unpublished, minimumPeers, connectedPeers, nowMs: clock, admit, added } = this.#options;
    const connected = connectedPeers();
    if (connected < minimumPeers)
      return offers.map(() => ({
        accepted: false,
        violation: { code: "tooFewPeers", connected, minimum: minimumPeers },
      }));
    const read = offers.map((submission) => this.#read(submission, options));
    const whole = read.filter((submission) => submission !== undefined);
    unpublished.prefetch(whole.map(({ transaction }) => transaction.id));
    const waiting = new Set(whole.filter(({ transaction }) => !unpublished.has(transaction.id)));
    const nowMs = clock();
    const admitted = admit([...waiting], nowMs);
    const outcomes = admitted instanceof Promise ? await admitted : admitted;
    const count = outcomes.filter((result) => "isNew" in result && result.isNew).length;
    if (count > 0) await added(count, nowMs);
    const answers: SubmissionResult[] = [];
    let place = 0;
    for (const submission of read) {
      if (submission === undefined) {
        answers.push("failed");
      } else if (waiting.has(submission)) {
        const outcome = outcomes[place++];
        if (outcome === undefined) break;
        answers.push(this.#result(submission, outcome));
      } else {
        answers.push({ accepted: true, isNew: false });
      }
    }
    return answers;
  }

  async unconfirmedIds(): Promise<Uint8Array> {
    const { pool, unpublished } = this.#options;
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
    const { pool, unpublished } = this.#options;
    return unpublished.size + pool.size;
  }

  async findUnconfirmed(transactionId: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#find(transactionId);
  }

  async areUnconfirmed(transactionIds: Uint8Array[]): Promise<boolean[]> {
    const { pool, unpublished } = this.#options;
    return transactionIds.map((id) => unpublished.has(id) || pool.has(id as TransactionId));
  }

  async priorityTransactions(): Promise<PriorityTransactions> {
    const { pool, view } = this.#options;
    const effects = Array.from(pool.priorityEffects(), ({ transaction, stateSnapshot }) => ({
      signedTransaction: encodeProtobuf(transaction),
      stateSnapshot,
    }));
    return { tipId: view.findHeader(view.height)?.id ?? new Uint8Array(), effects };
  }

  #find(transactionId: Uint8Array): Uint8Array | undefined {
    const { pool, unpublished } = this.#options;
    return unpublished.find(transactionId) ?? pool.findBytes(transactionId as TransactionId);
  }

  /** Undefined: the bytes are no transaction. Others of the same batch are not affected. */
  #read(submission: PoolSubmission, options: AddOptions): TracedSubmission | undefined {
    const { signedTransaction, id, areSignaturesVerified, isTraced } = submission;
    const { view, failed } = this.#options;
    const { chainId } = view.settings;
    try {
      const transaction = parseSignedTransaction(
        signedTransaction,
        chainId,
        ownRecords,
        id as TransactionId | undefined,
      );
      const verifySignatures = areSignaturesVerified !== true;
      const allowance = this.#allowanceOf(transaction, submission);
      return { ...options, transaction, allowance, verifySignatures, ...(isTraced && { trace: [] }) };
    } catch (error) {
      if (!(error instanceof WireError || error instanceof FormatError)) throw error;
      failed("what was handed over is no transaction", error);
      return undefined;
    }
  }

  /** Work allowance. A transaction not signed with the account's key spends nothing of that account's budget. */
  #allowanceOf(transaction: Transaction, { host, areSignaturesVerified }: PoolSubmission): WorkAllowance | undefined {
    if (host === undefined) return undefined;
    const hasSigned = areSignaturesVerified === true && hasSender(transaction);
    const sender = hasSigned ? bytesKey(transaction.sender) : undefined;
    return this.#options.refusedWork?.allowanceOf({ host, sender });
  }

  #result({ trace: steps }: TracedSubmission, result: AddResult): SubmissionResult {
    const trace = steps && { trace: steps.map((step) => traceStepJson(step, true)) };
    if ("isNew" in result) return { accepted: true, isNew: result.isNew, ...trace };
    const { error } = result;
    if (error instanceof WorkExceeded)
      return { accepted: false, exceeded: error.budget, retryAfterMs: error.retryAfterMs };
    if (!(error instanceof RuleError)) {
      this.#options.failed("a transaction was neither taken nor refused", error);
      return "failed";
    }
    // A refused transaction has a violation of its own; other violations are those of blocks.
    const violation = error.violation as TransactionViolation;
    // An exception in the reference loses the trace (network/TransactionPublisher.scala).
    return { accepted: false, violation: violation, ...(!isThrown(violation) && trace) };
  }
}
