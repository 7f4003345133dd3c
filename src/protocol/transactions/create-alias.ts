/** Type 10: creates an alias. @source Waves: transaction/CreateAliasTransaction.scala, CreateAliasTxSerializer.scala */

import { blake2b256 } from "../../crypto/hash.ts";
import { Feature } from "../../network/features.ts";
import { encode, i64, literal, struct } from "../codec/codec.ts";
import { type MessageOf, message, scalar } from "../codec/protobuf.ts";
import { findAliasError } from "./alias.ts";
import { checkFee } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { malformed } from "./format-error.ts";
import * as json from "./json-reader.ts";
import { alias, publicKey, sizedAlias } from "./legacy-fields.ts";
import type { CreateAliasTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const fields = { sender: publicKey, alias: sizedAlias, fee: i64, timestamp: i64 };
/** Before version 3 the id depends only on the alias, so that an alias can be created only once. */
const idContent = struct({ head: literal(10), alias });

const createAliasData = message("CreateAliasTransactionData", { alias: scalar(1, "string") });

const request = json.object({ alias: json.required(json.text) });

export const createAlias: TransactionFormat<CreateAliasTransaction> = {
  type: TransactionType.CreateAlias,
  name: "CreateAliasTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 3,
  protobufSince: 3,
  feature: undefined,
  versionFeatures: { 2: Feature.SmartAccounts },
  feeUnits: 1,
  legacy: {
    1: { prefix: [], order: "body, signature", body: struct({ head: literal(10), ...fields }) },
    2: { prefix: [0], order: "body, proofs", body: struct({ head: literal(10, 2), ...fields }) },
  },
  chainIdOf: (tx) => tx.alias?.chainId,
  id: (tx, body) => blake2b256(tx.version === 1 || tx.version === 2 ? encode(idContent, tx) : body),
  data: dataForm<CreateAliasTransaction, MessageOf<typeof createAliasData>>({
    number: 110,
    message: createAliasData,
    fields: (data, { chainId }) => ({ alias: { chainId, name: data.alias } }),
    data: (tx) => ({ alias: tx.alias.name }),
  }),
  json: (tx) => ({ alias: tx.alias.name }),
  request: {
    style: "lenient",
    defaultVersion: 1,
    feeOptional: true,
    own: json.refined(request, (own) => ({ chainId }) => ({ alias: { chainId, name: own.alias } })),
  },
  check: (tx) => {
    checkFee(tx.fee);
    const error = findAliasError(tx.alias.name);
    if (error !== undefined) throw malformed(error);
  },
};
