/**
 * What the read model has of transactions besides their rows: the JSON of each, so that a list of them is joined where it
 * would have to be built. ChainState keeps none of it.
 */

import { decodeHex } from "../../src/crypto/hex.ts";
import { Feature } from "../../src/network/features.ts";
import { WireError } from "../../src/protocol/faults.ts";
import { FormatError } from "../../src/protocol/transactions/format-faults.ts";
import { parseSignedTransaction, parseTransaction } from "../../src/protocol/transactions/parse-transaction.ts";
import type { TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { transactionPiece } from "../../src/protocol/transactions/transaction-piece.ts";
import { ownRecords } from "../../src/protocol/transactions/transaction-source.ts";
import { type TransactionRow, transactionTable } from "../../src/tables/blocks.ts";
import { featureTable } from "../../src/tables/features.ts";
import type { JsonCell } from "../../src/tables/schema/cell.ts";
import { MAX_PARAMETER_CHARACTERS, parameters } from "../../src/tables/schema/row-text.ts";
import type { Table } from "../../src/tables/schema/table.ts";
import type { StateStore } from "../state/state-store.ts";

/**
 * Rows as the read model has them.
 * @param rows JSON array of `rowText`
 * @returns JSON arrays of the same rows, in their order, with the cells of columns that the read model alone has; each short
 *   enough for one parameter
 */
export type CompleteRows = (table: Table, rows: string) => readonly string[];

type Cells = readonly JsonCell[];

const cellAt = { id: indexOf("id"), height: indexOf("height"), bytes: indexOf("bytes") } as const;

function indexOf(field: string): number {
  return [...transactionTable.columns.keys()].indexOf(field);
}

/** What decides on the text of a transaction besides its row. */
export interface TextFacts {
  /** Height from which on blocks are of version 5: feature 15. */
  readonly protobufSince: number;
  /** Of the network. */
  readonly chainId: number;
}

/** @param chainId of the network */
export function completeRows(store: StateStore, chainId: number): CompleteRows {
  return (table, rows) => {
    if (table !== transactionTable) return [rows];
    const { activationHeight: protobufSince = Number.POSITIVE_INFINITY } =
      store.find(featureTable, { id: Feature.BlockV5 }) ?? {};
    const facts = { protobufSince, chainId };
    return parameters((JSON.parse(rows) as Cells[]).map((cells) => withText(cells, facts)));
  };
}

function withText(cells: Cells, facts: TextFacts): string {
  const row = JSON.stringify(cells);
  const text = transactionText(
    {
      id: decodeHex(cells[cellAt.id] as string) as Uint8Array as TransactionId,
      height: cells[cellAt.height] as number,
      bytes: decodeHex(cells[cellAt.bytes] as string),
    },
    facts,
  );
  if (text === undefined) return row;
  const complete = `${row.slice(0, -1)},${JSON.stringify(text)}]`;
  return complete.length <= MAX_PARAMETER_CHARACTERS ? complete : row;
}

/** The transaction's own JSON; undefined where the bytes are of another form than the height says. */
export function transactionText(
  { id, height, bytes }: Pick<TransactionRow, "id" | "height" | "bytes">,
  { protobufSince, chainId }: TextFacts,
): string | undefined {
  try {
    // The genesis block is never of version 5.
    const isProtobuf = height > 1 && height >= protobufSince;
    const transaction = isProtobuf
      ? parseSignedTransaction(bytes, chainId, ownRecords, id)
      : parseTransaction(bytes, chainId);
    return transactionPiece(transaction).written;
  } catch (error) {
    // The block may have left the chain since, and with it the feature that decides on the form: the entries that take the
    // row out of the read model follow.
    if (error instanceof WireError || error instanceof FormatError) return undefined;
    throw error;
  }
}
