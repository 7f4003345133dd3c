/** State snapshots: new absolute values. @source docs/protocol/rest-api.md 3.12 */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
import { dataEntryChange } from "./data-entry.ts";
import { address, asset, assetId, base58, id, publicKey, script } from "./values.ts";

export const transactionSnapshot = named("TransactionSnapshot", () =>
  z.strictObject({
    applicationStatus: z.enum(["succeeded", "script_execution_failed", "elided"]),
    balances: z.array(z.strictObject({ address: address(), asset: asset(), balance: int64() })),
    leaseBalances: z.array(z.strictObject({ address: address(), in: int64(), out: int64() })),
    assetStatics: z.array(
      z.strictObject({ id: assetId(), source: id(), issuer: publicKey(), decimals: int32(), nft: z.boolean() }),
    ),
    assetVolumes: z.array(z.strictObject({ id: assetId(), isReissuable: z.boolean(), volume: int64() })),
    assetNamesAndDescriptions: z.array(
      z.strictObject({ id: assetId(), name: z.string(), description: z.string(), lastUpdatedAt: int32() }),
    ),
    assetScripts: z.array(z.strictObject({ id: assetId(), script: script(), complexity: int64() })),
    sponsorships: z.array(z.strictObject({ id: assetId(), minSponsoredAssetFee: int64() })),
    newLeases: z.array(
      z.strictObject({
        id: id(),
        sender: publicKey(),
        recipient: address(),
        amount: int64(),
        txId: id(),
        height: int32(),
      }),
    ),
    cancelledLeases: z.array(z.strictObject({ id: id(), txId: id().nullable(), height: int32() })),
    aliases: z.array(z.strictObject({ address: address(), alias: z.string() })),
    orderFills: z.array(z.strictObject({ id: base58(), volume: int64(), fee: int64() })),
    accountScripts: z.array(
      z.strictObject({ publicKey: publicKey(), script: script().nullable(), verifierComplexity: int64() }),
    ),
    accountData: z.array(z.strictObject({ address: address(), data: z.array(dataEntryChange()) })),
    nextCommittedGenerators: z
      .array(z.strictObject({ publicKey: publicKey(), blsPublicKey: base58() }))
      .optional()
      .meta({ description: "From feature 25 on." }),
  }),
);
