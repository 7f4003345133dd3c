/**
 * Data of a transaction before it is signed: its minimum fee, and the bytes to sign.
 * @source docs/protocol/rest-api.md 2.10, 2.11; Waves: api/http/TransactionsApiRoute.scala (calculateFee),
 *   api/http/package.scala
 */
import * as z from "zod";
import { standaloneRefusalResponse } from "../../http/errors.ts";
import { checkedObject } from "../../http/request-body.ts";
import { constant, json, momentary, type RouteResponse } from "../../http/route-response.ts";
import { int64 } from "../../http/schema.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { ParsedObject } from "../../protocol/parse-json.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";
import { assetJson } from "../../protocol/transactions/json-fields.ts";
import { text } from "../../protocol/transactions/json-reader.ts";
import { readFirst } from "../../protocol/transactions/request-members.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import type { TransactionViolation } from "../../protocol/transactions/transaction-violation.ts";
import { minimumFee } from "../../rules/transactions/checks/minimum-fee.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { isBroken, signedTransactionOf } from "../json/signed-transaction.ts";
import { unsignedTransactionOf } from "../json/unsigned-transaction.ts";
import { signedTransaction, unsignedTransaction } from "../schemas/transaction.ts";
import { asset } from "../schemas/values.ts";
import { catchFormatError } from "./catch-format-error.ts";
import { exampleTransfer } from "./example-transfer.ts";

/** Arbitrary fee in place of the missing one: minimum fees do not depend on it. */
const anyFee = 1_234_567n;

/** On the newest published state. @throws StateQueryTooLarge */
async function feeResponse(transaction: Transaction, askState: NodeContext["queryState"]): Promise<RouteResponse> {
  try {
    const { feeAsset, required } = (await askState((view) => minimumFee(transaction, view))).value;
    return json({ feeAssetId: assetJson(feeAsset), feeAmount: required }, momentary);
  } catch (error) {
    // The error is one of a transaction: blocks have errors of their own.
    if (error instanceof RuleError) return standaloneRefusalResponse(error.violation as TransactionViolation);
    throw error;
  }
}

const calculateFee = route({
  method: "POST",
  path: "/transactions/calculateFee",
  dependsOn: "tip",
  refusesGet: true,
  body: checkedObject(unsignedTransaction),
  description: {
    tag: "transactions",
    summary: "Minimum fee of a transaction",
    notes: "On the newest published state. The request contains the sender's key; its fee, if any, is ignored.",
    response: () => z.strictObject({ feeAssetId: asset(), feeAmount: int64() }),
    errors: ["transactionMalformed", "versionUnreadable", "requestInvalid", "noTimelyAnswer"],
    examples: [
      {
        body: {
          type: 4,
          version: 3,
          senderPublicKey: "C7NL1ngDhtGmzrUrjuaX9AQn5XF9cmDh9XGMQNwKvWhX",
          recipient: "3MNLh31RbGPLjoc9XXNLyRK3aD9HVsQVNtv",
          amount: 25,
          feeAssetId: "BHedF3cDGDfudUtC3KzsrpHpxFRRoP5nCoEmf2JKg3F3",
        },
      },
    ],
  },
  handle: ({ body, chainId, queryState }) =>
    catchFormatError(() => {
      const sender = readFirst(body, "senderPublicKey", text);
      const transaction = unsignedTransactionOf({ ...body, fee: anyFee, sender }, sender, chainId);
      // The sender's address is always one of this network, whatever chain the recipient or the request names.
      return feeResponse({ ...transaction, chainId }, queryState);
    }),
});

/** Parses a signed transaction; if its values are invalid, an unsigned one with the sender `senderPk`. */
function signedOrUnsigned(body: ParsedObject, chainId: number): Transaction {
  try {
    return signedTransactionOf(body, chainId);
  } catch (error) {
    if (!(error instanceof FormatError) || isBroken(error.violation)) throw error;
    return unsignedTransactionOf(body, readFirst(body, "senderPk", text), chainId);
  }
}

const serialize = route({
  method: "POST",
  path: "/utils/transactionSerialize",
  dependsOn: "request",
  refusesGet: true,
  body: checkedObject(signedTransaction),
  description: {
    tag: "utils",
    summary: "Bytes of a transaction to sign",
    notes:
      "The transaction must be in the form for broadcasting, with any proofs or with `[]`. For types 3 to 10 it may have `senderPk` instead of `senderPublicKey` and proofs.",
    response: () => z.strictObject({ bytes: z.array(z.bigint().min(0n).max(255n)) }),
    errors: ["transactionMalformed", "versionUnreadable"],
    examples: [{ body: exampleTransfer }],
  },
  handle: ({ body, chainId }) =>
    catchFormatError(() => {
      const { bodyBytes } = signedOrUnsigned(body, chainId);
      return json({ bytes: [...bodyBytes] }, constant);
    }),
});

export const unsignedTransactionRoutes = [calculateFee, serialize];
