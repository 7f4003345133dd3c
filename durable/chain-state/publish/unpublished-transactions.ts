/**
 * Transactions of blocks that the read model does not show yet: they are still found as unconfirmed, so that a reader
 * always finds a transaction. They are read from the chain's tables, after the position that the read model shows.
 */
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { transactionTable } from "../../../src/tables/blocks.ts";
import type { TableView } from "../../../src/tables/view/table-view.ts";
import type { StateStore } from "../state/state-store.ts";

/** Maximum of a list: while the read model is unavailable for long, most of them would be of no use. */
const MAX_LISTED = 1_000;

const PUBLISHED_POSITION_SQL = "(SELECT shown_height, shown_transactions FROM publication)";

/** Part of the chain's view that is used. */
type Bodies = Pick<TableView, "findTransactionBody">;

export class UnpublishedTransactions {
  readonly #store: StateStore;
  readonly #view: Bodies;

  constructor(store: StateStore, view: Bodies) {
    this.#store = store;
    this.#view = view;
  }

  /** Number of the transactions. */
  get size(): number {
    const [[total, shown] = []] = this.#store.rows(
      `SELECT SUM(transaction_count), MAX(iif(height = shown_height, shown_transactions, 0))
       FROM publication JOIN block ON height >= shown_height`,
    );
    return Number(total ?? 0) - Number(shown ?? 0);
  }

  /** Reads all of them in one query, before each is looked up. */
  prefetch(ids: readonly Uint8Array[]): void {
    this.#store.prefetchLatest(
      transactionTable,
      ids.map((id) => ({ id: id as TransactionId })),
    );
  }

  has(id: Uint8Array): boolean {
    const position = this.#store.findLatest(transactionTable, { id: id as TransactionId });
    if (position === undefined) return false;
    const isUnpublished = this.#store.scalar(
      `SELECT (?, ?) >= ${PUBLISHED_POSITION_SQL}`,
      position.height,
      position.position,
    );
    return isUnpublished === 1;
  }

  /** Protobuf `SignedTransaction`. */
  find(id: Uint8Array): Uint8Array | undefined {
    if (!this.has(id)) return undefined;
    const found = this.#view.findTransactionBody(id as TransactionId);
    return found && encodeProtobuf(found);
  }

  /** Ids of the first of them, in the order of the chain. */
  *ids(): Iterable<Uint8Array> {
    const rows = this.#store.rows(
      `SELECT id FROM tx WHERE (height, position) >= ${PUBLISHED_POSITION_SQL} ORDER BY height, position LIMIT ?`,
      MAX_LISTED,
    );
    for (const [id] of rows) yield new Uint8Array(id as ArrayBuffer);
  }
}
