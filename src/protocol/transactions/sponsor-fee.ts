/**
 * Type 14: starts or stops the sponsorship of fees in the sender's asset.
 * @source Waves: transaction/assets/SponsorFeeTransaction.scala, SponsorFeeTxSerializer.scala
 */

import { parseBase58 } from "../../crypto/base58.ts";
import { Feature } from "../../network/features.ts";
import { i64, literal, mapped, struct } from "../codec/codec.ts";
import { type MessageOf, message, optional } from "../codec/protobuf.ts";
import { checkFee } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { check, malformed } from "./format-error.ts";
import { assetIdText, assetJson, parseAssetId } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { assetId, publicKey } from "./legacy-fields.ts";
import { amountOf, assetIdOfBytes, present, strictAmountMessage } from "./message-fields.ts";
import type { SponsorFeeTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

/** 0 means "none" in every form; JSON has null instead. */
const minSponsoredAssetFee = mapped(
  i64,
  (minFee) => (minFee === 0n ? null : minFee),
  (minFee: bigint | null) => minFee ?? 0n,
);

const body = struct({
  head: literal(14, 1),
  sender: publicKey,
  asset: assetId,
  minSponsoredAssetFee,
  fee: i64,
  timestamp: i64,
});

const sponsorFeeData = message(
  "SponsorFeeTransactionData",
  { minFee: optional(1, strictAmountMessage) },
  { unknown: "refuse" },
);

const request = json.object({
  assetId: json.required(assetIdText),
  minSponsoredAssetFee: json.nullable(json.long),
});
const unsignedRequest = json.object({
  assetId: json.required(json.text),
  minSponsoredAssetFee: json.nullable(json.long),
});

export const sponsorFee: TransactionFormat<SponsorFeeTransaction> = {
  type: TransactionType.SponsorFee,
  name: "SponsorFeeTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 2,
  protobufSince: 2,
  feature: Feature.FeeSponsorship,
  feeUnits: 1000,
  laterFeeUnits: { since: Feature.BlockV5, units: 1 },
  checkedAssets: ({ asset }) => [asset],
  // Type and version are written twice.
  legacy: { 1: { prefix: [0, 14, 1], order: "body, proofs", body } },
  data: dataForm<SponsorFeeTransaction, MessageOf<typeof sponsorFeeData>>({
    number: 114,
    message: sponsorFeeData,
    fields: (data) => {
      const minFee = present("minFee", data.minFee);
      return {
        asset: assetIdOfBytes("minFee.assetId", minFee.assetId),
        minSponsoredAssetFee: minFee.amount > 0n ? minFee.amount : null,
      };
    },
    data: (tx) => ({ minFee: amountOf(tx.asset, tx.minSponsoredAssetFee ?? 0n) }),
  }),
  json: (tx) => ({ assetId: assetJson(tx.asset), minSponsoredAssetFee: tx.minSponsoredAssetFee }),
  request: {
    style: "strict",
    defaultVersion: 1,
    own: json.refined(request, ({ assetId: asset, minSponsoredAssetFee: minFee }) => () => ({
      asset,
      minSponsoredAssetFee: minFee === 0n ? null : minFee,
    })),
    unsigned: {
      own: json.refined(unsignedRequest, ({ assetId, minSponsoredAssetFee }) => () => {
        if (!(parseBase58(assetId) instanceof Uint8Array)) throw malformed(`Wrong Base58 string: ${assetId}`);
        return { asset: parseAssetId(assetId), minSponsoredAssetFee };
      }),
    },
  },
  check: ({ fee, minSponsoredAssetFee: minFee }) => {
    checkFee(fee);
    if (minFee !== null) check(minFee > 0n, () => ({ code: "negativeMinFee", minFee }));
  },
};
