/**
 * Texts of transactions that only the read model has: the JSON of each, so that a list is concatenated, not built.
 * ChainState stores none of it.
 */

import { decodeHex } from "../../../src/crypto/hex.ts";
import { Feature } from "../../../src/network/features.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { parseSignedTransaction, parseTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import { rawTransactionJson } from "../../../src/protocol/transactions/raw-transaction-json.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { ownRecords } from "../../../src/protocol/transactions/transaction-source.ts";
import { type TransactionRow, transactionTable } from "../../../src/tables/blocks.ts";
import { featureTable } from "../../../src/tables/features.ts";
import type { JsonCell } from "../../../src/tables/schema/cell.ts";
import { MAX_PARAMETER_CHARACTERS, parameters } from "../../../src/tables/schema/row-text.ts";
import type { Table } from "../../../src/tables/schema/table.ts";
import type { StateStore } from "../state/state-store.ts";

/**
 * Completes rows for the read model.
 * @param rows JSON array of `rowText`
 * @returns JSON arrays of the same rows in the same order, with the cells of columns that only the read model has; each
 * short enough for one parameter
 */
export type CompleteRows = (table: Table, rows: string) => readonly string[];

type Cells = readonly JsonCell[];

const cellAt = { id: indexOf("id"), height: indexOf("height"), bytes: indexOf("bytes") } as const;

function indexOf(field: string): number {
  return [...transactionTable.columns.keys()].indexOf(field);
}

/** Inputs of a transaction's text besides its row. */
export interface TransactionTextOptions {
  /** First height with blocks of version 5: feature 15. */
  readonly protobufSince: number;
  /** Chain id of the network. */
  readonly chainId: number;
}

/** @param chainId of the network */
export function completeRows(store: StateStore, chainId: number): CompleteRows {
  return (table, rows) => {
    if (table !== transactionTable) return [rows];
    const { activationHeight: protobufSince = Number.POSITIVE_INFINITY } =
      store.find(featureTable, { id: Feature.BlockV5 }) ?? {};
    const options = { protobufSince, chainId };
    return parameters((JSON.parse(rows) as Cells[]).map((cells) => withText(cells, options)));
  };
}

function withText(cells: Cells, options: TransactionTextOptions): string {
  const row = JSON.stringify(cells);
  const text = transactionText(
    {
      id: decodeHex(cells[cellAt.id] as string) as Uint8Array as TransactionId,
      height: cells[cellAt.height] as number,
      bytes: decodeHex(cells[cellAt.bytes] as string),
    },
    options,
  );
  if (text === undefined) return row;
  const complete = `${row.slice(0, -1)},${JSON.stringify(text)}]`;
  return complete.length <= MAX_PARAMETER_CHARACTERS ? complete : row;
}

/** The transaction's own JSON; undefined if the bytes do not have the form of the height. */
export function transactionText(
  { id, height, bytes }: Pick<TransactionRow, "id" | "height" | "bytes">,
  { protobufSince, chainId }: TransactionTextOptions,
): string | undefined {
  try {
    // The genesis block is never of version 5.
    const isProtobuf = height > 1 && height >= protobufSince;
    const transaction = isProtobuf
      ? parseSignedTransaction(bytes, chainId, ownRecords, id)
      : parseTransaction(bytes, chainId);
    return rawTransactionJson(transaction).written;
  } catch (error) {
    // The block may have been rolled back since, and with it the feature that decides on the form: later outbox entries
    // remove the row from the read model.
    if (error instanceof WireError || error instanceof FormatError) return undefined;
    throw error;
  }
}
