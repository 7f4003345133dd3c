/**
 * Transactions of the read model as the interface prints them, with what the chain made of them.
 * @source docs/protocol/rest-api.md 3.2; Waves: api/http/TransactionJsonSerializer.scala
 */

import { type JsonObject, JsonPiece } from "../../protocol/json.ts";
import { leaseReferenceJson } from "../../protocol/transactions/lease-json.ts";
import { parseSignedTransaction, parseTransaction } from "../../protocol/transactions/parse-transaction.ts";
import type { Transaction, TransactionStatus } from "../../protocol/transactions/transaction.ts";
import { transactionJson } from "../../protocol/transactions/transaction-json.ts";
import { transactionPiece } from "../../protocol/transactions/transaction-piece.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import type { StoredLease } from "../../read-model/lease.ts";
import {
  type BlockTransaction,
  isInBlockV5,
  type StoredTransaction,
  type TransactionContents,
  type TransactionPlace,
} from "../../read-model/transaction.ts";

export const applicationStatuses = {
  succeeded: "succeeded",
  failed: "script_execution_failed",
  elided: "elided",
} as const satisfies Record<TransactionStatus, string>;

/** The transaction, where it is looked into or the read model has no JSON of it. */
export function transactionOf(stored: StoredTransaction, chainId: number): Transaction | undefined {
  return parsedOf(stored, isInBlockV5(stored), chainId);
}

function parsedOf({ bytes }: TransactionContents, isProtobuf: boolean, chainId: number): Transaction | undefined {
  if (bytes === undefined) return undefined;
  return isProtobuf ? parseSignedTransaction(bytes, chainId) : parseTransaction(bytes, chainId);
}

/** @param transaction where it is looked into or the read model has no JSON of it */
export function pieceOf({ json }: TransactionContents, transaction: Transaction | undefined): JsonPiece {
  if (json !== undefined) return new JsonPiece(json);
  if (transaction === undefined) throw new Error("of a transaction neither its JSON nor its bytes were read");
  return transactionPiece(transaction);
}

function applicationStatusJson(status: TransactionStatus, isShown: boolean): JsonObject {
  return isShown ? { applicationStatus: applicationStatuses[status] } : {};
}

/** A transaction as a block lists it. @param isProtobuf whether the block is of version 5 */
export function transactionInBlockJson(stored: BlockTransaction, isProtobuf: boolean, chainId: number): JsonPiece {
  const piece = pieceOf(stored, parsedOf(stored, isProtobuf, chainId));
  return piece.with(applicationStatusJson(stored.status, isProtobuf));
}

/** What follows the height where a transaction is shown with its place on the chain. */
export function metaJson(place: TransactionPlace): JsonObject {
  return { ...applicationStatusJson(place.status, place.isAfterBlockV5), spentComplexity: place.spentComplexity };
}

/** The lease whose present state is part of the transaction's JSON. */
export function leaseIdOf(transaction: Transaction): Uint8Array | undefined {
  if (transaction.type === TransactionType.Lease) return transaction.id;
  return transaction.type === TransactionType.LeaseCancel ? transaction.leaseId : undefined;
}

/** What was looked up for a transaction's own additions. */
export interface OwnMeta {
  /** Of `leaseIdOf`. */
  readonly lease: StoredLease | undefined;
  /** Of an Ethereum transaction. */
  readonly payload: JsonObject | undefined;
  /** Of a call; null where the node does not know them. */
  readonly stateChanges: JsonObject | null;
  /** See `omissionJson`. */
  readonly omission: JsonObject;
}

/** What only some types add. */
function ownMetaJson(
  { type, transaction }: ShownTransaction,
  { lease, payload = {}, stateChanges, omission }: OwnMeta,
  chainId: number,
): JsonObject {
  if (type === TransactionType.InvokeScript) return { stateChanges, ...omission };
  switch (transaction?.type) {
    case TransactionType.Lease:
      return { status: lease?.status === "active" ? "active" : "canceled" };
    case TransactionType.LeaseCancel:
      return { lease: leaseReferenceJson(transaction.leaseId, lease, chainId) };
    case TransactionType.Ethereum:
      return { payload: { ...payload, ...omission } };
    default:
      return {};
  }
}

export interface ShownTransaction {
  readonly type: number;
  /** Of `transactionOf`. */
  readonly transaction: Transaction | undefined;
  /** Its own members, as they are to be shown. */
  readonly piece: JsonPiece;
  /** Names among its recipients that stand for the account that lists it; undefined where that is not known. */
  readonly ownedAliases?: readonly string[] | undefined;
}

export function transactionWithMetaJson(
  shown: ShownTransaction,
  place: TransactionPlace,
  own: OwnMeta,
  chainId: number,
): JsonPiece {
  return shown.piece.with({
    height: place.height,
    ...metaJson(place),
    ...ownMetaJson(shown, own, chainId),
  });
}

/** A transaction that waits in the pool. */
export function unconfirmedJson(transaction: Transaction, lease: StoredLease | undefined, chainId: number): JsonObject {
  const json = transactionJson(transaction);
  return transaction.type === TransactionType.LeaseCancel
    ? { ...json, lease: leaseReferenceJson(transaction.leaseId, lease, chainId) }
    : json;
}
