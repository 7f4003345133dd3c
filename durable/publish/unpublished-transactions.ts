/**
 * Transactions that left the pool for a block which the read model does not show yet: they are still found as
 * unconfirmed, so that no reader sees a transaction nowhere. They are those of the chain behind the place up to which the
 * read model shows it: nothing is kept of them besides the tables.
 */
import { encodeProtobuf } from "../../src/protocol/transactions/encode-for-block.ts";
import type { TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { transactionTable } from "../../src/tables/blocks.ts";
import type { TableView } from "../../src/tables/view/table-view.ts";
import type { StateStore } from "../state/state-store.ts";

/** Listed at most: while the read model is away for long, most of them would be of no use to anybody. */
const MAX_LISTED = 1_000;

const SHOWN = "(SELECT shown_height, shown_transactions FROM publication)";

/** The part of the chain's view that this takes. */
type Bodies = Pick<TableView, "findTransactionBody">;

export class UnpublishedTransactions {
  readonly #store: StateStore;
  readonly #view: Bodies;

  constructor(store: StateStore, view: Bodies) {
    this.#store = store;
    this.#view = view;
  }

  /** How many there are. */
  get size(): number {
    const [[ofBlocks, shown] = []] = this.#store.rows(
      `SELECT SUM(transaction_count), MAX(iif(height = shown_height, shown_transactions, 0))
       FROM publication JOIN block ON height >= shown_height`,
    );
    return Number(ofBlocks ?? 0) - Number(shown ?? 0);
  }

  /** Asks once about all of them, because somebody is going to ask for each. */
  prefetch(ids: readonly Uint8Array[]): void {
    this.#store.prefetchLatest(
      transactionTable,
      ids.map((id) => ({ id: id as TransactionId })),
    );
  }

  has(id: Uint8Array): boolean {
    const place = this.#store.findLatest(transactionTable, { id: id as TransactionId });
    if (place === undefined) return false;
    const isBehind = this.#store.scalar(`SELECT (?, ?) >= ${SHOWN}`, place.height, place.position);
    return isBehind === 1;
  }

  /** Protobuf `SignedTransaction`. */
  find(id: Uint8Array): Uint8Array | undefined {
    if (!this.has(id)) return undefined;
    const found = this.#view.findTransactionBody(id as TransactionId);
    return found && encodeProtobuf(found);
  }

  /** Of the first of them, in the order of the chain. */
  *ids(): Iterable<Uint8Array> {
    const rows = this.#store.rows(
      `SELECT id FROM tx WHERE (height, position) >= ${SHOWN} ORDER BY height, position LIMIT ?`,
      MAX_LISTED,
    );
    for (const [id] of rows) yield new Uint8Array(id as ArrayBuffer);
  }
}
