/**
 * Transactions of the read model as the interface prints them, with their results on the chain.
 * @source docs/protocol/rest-api.md 3.2; Waves: api/http/TransactionJsonSerializer.scala
 */

import { type JsonObject, RawJson } from "../../protocol/json.ts";
import { leaseReferenceJson } from "../../protocol/transactions/lease-json.ts";
import { parseSignedTransaction, parseTransaction } from "../../protocol/transactions/parse-transaction.ts";
import { rawTransactionJson } from "../../protocol/transactions/raw-transaction-json.ts";
import type { Transaction, TransactionStatus } from "../../protocol/transactions/transaction.ts";
import { transactionJson } from "../../protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import type { StoredLease } from "../../read-model/lease.ts";
import {
  type BlockTransaction,
  isInBlockV5,
  type StoredTransaction,
  type TransactionContents,
  type TransactionLocation,
} from "../../read-model/transaction.ts";

export const applicationStatuses = {
  succeeded: "succeeded",
  failed: "script_execution_failed",
  elided: "elided",
} as const satisfies Record<TransactionStatus, string>;

/** Parsed transaction, if its response needs it or the read model has no JSON. */
export function transactionOf(stored: StoredTransaction, chainId: number): Transaction | undefined {
  return parsedOf(stored, isInBlockV5(stored), chainId);
}

function parsedOf({ bytes }: TransactionContents, isProtobuf: boolean, chainId: number): Transaction | undefined {
  if (bytes === undefined) return undefined;
  return isProtobuf ? parseSignedTransaction(bytes, chainId) : parseTransaction(bytes, chainId);
}

/** @param transaction parsed transaction, if available */
export function rawJsonOf({ json }: TransactionContents, transaction: Transaction | undefined): RawJson {
  if (json !== undefined) return new RawJson(json);
  if (transaction === undefined) throw new Error("of a transaction neither its JSON nor its bytes were read");
  return rawTransactionJson(transaction);
}

function applicationStatusJson(status: TransactionStatus, isShown: boolean): JsonObject {
  return isShown ? { applicationStatus: applicationStatuses[status] } : {};
}

/** A transaction in the list of its block. @param isProtobuf whether the block is of version 5 */
export function transactionInBlockJson(stored: BlockTransaction, isProtobuf: boolean, chainId: number): RawJson {
  const piece = rawJsonOf(stored, parsedOf(stored, isProtobuf, chainId));
  return piece.with(applicationStatusJson(stored.status, isProtobuf));
}

/** Members after the height, if a transaction is shown with its location. */
export function metaJson(location: TransactionLocation): JsonObject {
  return {
    ...applicationStatusJson(location.status, location.isAfterBlockV5),
    spentComplexity: location.spentComplexity,
  };
}

/** Id of the lease whose current status is part of the transaction's JSON. */
export function leaseIdOf(transaction: Transaction): Uint8Array | undefined {
  if (transaction.type === TransactionType.Lease) return transaction.id;
  return transaction.type === TransactionType.LeaseCancel ? transaction.leaseId : undefined;
}

/** Data for the members that only some types have. */
export interface OwnMeta {
  /** Lease of `leaseIdOf`. */
  readonly lease: StoredLease | undefined;
  /** Payload of an Ethereum transaction. */
  readonly payload: JsonObject | undefined;
  /** State changes of a call; null if the node does not know them. */
  readonly stateChanges: JsonObject | null;
  /** See `omissionJson`. */
  readonly omission: JsonObject;
}

/** Members that only some types have. */
function ownMetaJson(
  { type, transaction }: PrintedTransaction,
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

export interface PrintedTransaction {
  readonly type: number;
  /** Result of `transactionOf`. */
  readonly transaction: Transaction | undefined;
  /** JSON of the transaction alone, as it is to be shown. */
  readonly json: RawJson;
  /** Recipients that are aliases of the listing account; undefined if unknown. */
  readonly ownedAliases?: readonly string[] | undefined;
}

export function transactionWithMetaJson(
  shown: PrintedTransaction,
  location: TransactionLocation,
  own: OwnMeta,
  chainId: number,
): RawJson {
  return shown.json.with({
    height: location.height,
    ...metaJson(location),
    ...ownMetaJson(shown, own, chainId),
  });
}

/** A transaction in the pool. */
export function unconfirmedJson(transaction: Transaction, lease: StoredLease | undefined, chainId: number): JsonObject {
  const json = transactionJson(transaction);
  return transaction.type === TransactionType.LeaseCancel
    ? { ...json, lease: leaseReferenceJson(transaction.leaseId, lease, chainId) }
    : json;
}
