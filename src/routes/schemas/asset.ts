/** Assets. @source docs/protocol/rest-api.md 3.12 */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
import { issueTransaction } from "./transaction.ts";
import { address, assetId, balances, id, publicKey, script, timestamp } from "./values.ts";

const minSponsoredAssetFee = () => int64().meta({ description: "Amount of this asset for 0.001 WAVES of a fee." });

const members = () => ({
  assetId: assetId(),
  issueHeight: int32(),
  issueTimestamp: timestamp().nullable(),
  issuer: address(),
  issuerPublicKey: publicKey(),
  name: z.string(),
  description: z.string(),
  decimals: int32(),
  reissuable: z.boolean(),
  quantity: int64(),
  scripted: z.boolean(),
  originTransactionId: id(),
  sequenceInBlock: int32(),
  scriptDetails: z
    .strictObject({ scriptComplexity: int64(), script: script(), scriptText: z.string() })
    .optional()
    .meta({ description: "Present with `full`, for an asset with a script." }),
});

export const assetDetails = named("AssetDetails", () =>
  z.strictObject({ ...members(), minSponsoredAssetFee: minSponsoredAssetFee().nullable() }),
);

export const nft = named("Nft", () =>
  z.strictObject({ ...members(), minSponsoredAssetFee: minSponsoredAssetFee().optional() }),
);

const holding = named("Holding", () =>
  z.strictObject({
    assetId: assetId(),
    reissuable: z.boolean(),
    minSponsoredAssetFee: minSponsoredAssetFee().optional(),
    sponsorBalance: int64().optional().meta({ description: "WAVES with which the sponsor can pay fees." }),
    quantity: int64(),
    issueTransaction: issueTransaction().optional().meta({ description: "Absent for an asset issued by a script." }),
    balance: int64(),
    sequenceInBlock: int32(),
  }),
);

export const assetBalances = named("AssetBalances", () =>
  z.strictObject({
    address: address(),
    balances: z.array(
      z.union([holding(), z.strictObject({ assetId: z.string() }).meta({ description: "For an unknown id." })]),
    ),
  }),
);

export const assetBalance = named("AssetBalance", () =>
  z.strictObject({ address: address(), assetId: assetId(), balance: int64() }),
);

export const distributionPage = named("DistributionPage", () =>
  z.strictObject({ hasNext: z.boolean(), lastItem: address().nullable(), items: balances() }),
);
