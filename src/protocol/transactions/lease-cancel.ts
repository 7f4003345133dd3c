/**
 * Type 9: cancels a lease.
 * @source Waves: transaction/lease/LeaseCancelTransaction.scala, LeaseCancelTxSerializer.scala
 */

import { encodeBase58, parseBase58 } from "../../crypto/base58.ts";
import { Feature } from "../../network/features.ts";
import { i64, literal, struct, u8 } from "../codec/codec.ts";
import { type MessageOf, message, scalar } from "../codec/protobuf.ts";
import { checkFee } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { check, malformed } from "./format-error.ts";
import * as json from "./json-reader.ts";
import { leaseId, publicKey } from "./legacy-fields.ts";
import { sizedBytes } from "./message-fields.ts";
import type { LeaseCancelTransaction, LeaseId } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const leaseIdBytes = 32;
/** Longest base58 text of 32 bytes. */
const leaseIdCharacters = 44;

const fields = { sender: publicKey, fee: i64, timestamp: i64, leaseId };

const leaseCancelData = message("LeaseCancelTransactionData", { leaseId: scalar(1, "bytes") }, { unknown: "refuse" });

/** Reads `leaseId`, or `txId` if `leaseId` is missing or invalid. */
const request = json.withAlternative(json.object({ leaseId: json.required(json.text) }), "leaseId", "txId");

export const leaseCancel: TransactionFormat<LeaseCancelTransaction> = {
  type: TransactionType.LeaseCancel,
  name: "LeaseCancelTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 3,
  protobufSince: 3,
  feature: undefined,
  versionFeatures: { 2: Feature.SmartAccounts },
  feeUnits: 1,
  legacy: {
    1: { prefix: [], order: "body, signature", body: struct({ head: literal(9), ...fields }) },
    2: { prefix: [0], order: "body, proofs", body: struct({ head: literal(9, 2), chainId: u8, ...fields }) },
  },
  data: dataForm<LeaseCancelTransaction, MessageOf<typeof leaseCancelData>>({
    number: 109,
    message: leaseCancelData,
    fields: (data) => ({ leaseId: sizedBytes<LeaseId>("leaseId", data.leaseId, leaseIdBytes) }),
    data: (tx) => ({ leaseId: tx.leaseId }),
  }),
  chainIdLastInVersion: 2,
  json: (tx) => ({ leaseId: encodeBase58(tx.leaseId) }),
  request: {
    style: "lenient",
    defaultVersion: 1,
    own: json.refined(request, (own) => () => ({ leaseId: parseLeaseId(own.leaseId) })),
  },
  check: (tx) => {
    checkFee(tx.fee);
    const { length } = tx.leaseId;
    check(length === leaseIdBytes, () => ({
      code: "malformed",
      message: `Lease id=${encodeBase58(tx.leaseId)} has invalid length = ${length} byte(s) while expecting ${leaseIdBytes}`,
    }));
  },
};

/** Parses a lease id of any length, which is validated later. @throws FormatError malformed */
function parseLeaseId(base58: string): LeaseId {
  const id = base58.length > leaseIdCharacters ? undefined : parseBase58(base58);
  if (!(id instanceof Uint8Array)) throw malformed("invalid.leaseTx");
  return id as Uint8Array as LeaseId;
}
