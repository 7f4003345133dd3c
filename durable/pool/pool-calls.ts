/** What the Worker asks of the pool. */
import type { BroadcastAnswer, PoolRpc, ReturnedTransactions } from "../../src/env.ts";
import { encodeIdList } from "../../src/protocol/codec/id-list.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import { encodeProtobuf } from "../../src/protocol/transactions/encode-for-block.ts";
import type { TransactionFault } from "../../src/protocol/transactions/faults.ts";
import { parseSignedTransaction } from "../../src/protocol/transactions/parse-transaction.ts";
import type { Transaction, TransactionId } from "../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import { type TraceStep, traceStepJson } from "../../src/rules/transactions/scripts/trace.ts";
import type { UtxPool } from "./utx-pool.ts";

export interface PoolCallFacts {
  readonly pool: UtxPool;
  /** The tip. */
  readonly view: StateView;
  /** Those that left the pool, but are not readable yet. */
  readonly unpublished: {
    readonly size: number;
    has(id: Uint8Array): boolean;
    find(id: Uint8Array): Uint8Array | undefined;
    ids(): Iterable<Uint8Array>;
  };
  readonly minimumPeers: number;
  readonly connectedPeers: () => number;
  readonly nowMs: () => number;
  /** Is told of each transaction that got into the pool. */
  readonly added: (transaction: Transaction, nowMs: number) => Promise<void>;
}

export class PoolCalls implements PoolRpc {
  readonly #facts: PoolCallFacts;

  constructor(facts: PoolCallFacts) {
    this.#facts = facts;
  }

  async broadcast(
    signedTransaction: Uint8Array,
    { isTraced = false }: { readonly isTraced?: boolean } = {},
  ): Promise<BroadcastAnswer> {
    const { pool, view, unpublished, minimumPeers, connectedPeers, nowMs: clock, added } = this.#facts;
    const connected = connectedPeers();
    if (connected < minimumPeers)
      return { accepted: false, fault: { code: "tooFewPeers", connected, minimum: minimumPeers }, trace: [] };
    const transaction = this.#parse(signedTransaction);
    if (unpublished.has(transaction.id)) return { accepted: true, isNew: false, trace: [] };
    const nowMs = clock();
    const steps: TraceStep[] | undefined = isTraced ? [] : undefined;
    const traceJson = () => (steps ?? []).map((step) => traceStepJson(step, true));
    try {
      const isNew = pool.add(transaction, view, nowMs, steps && { trace: steps });
      if (isNew) await added(transaction, nowMs);
      return { accepted: true, isNew, trace: traceJson() };
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      // A transaction is refused for its own sake: blocks have faults of their own.
      const fault = error.fault as TransactionFault;
      // In the reference this one is an exception of the arithmetic, which takes the trace with it (network/TransactionPublisher.scala).
      return { accepted: false, fault, trace: fault.code === "feeConversionOverflow" ? [] : traceJson() };
    }
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

  #parse(signedTransaction: Uint8Array): Transaction {
    return parseSignedTransaction(signedTransaction, this.#facts.view.settings.chainId);
  }
}
