/** Assets. */
import type { PublicKey } from "../crypto/identities.ts";
import type { AssetId } from "../protocol/transactions/asset.ts";
import type { Script, TransactionId } from "../protocol/transactions/transaction.ts";
import { bigDecimal, bytes, flag, i64, int, named, nullable, unpublished } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const assetTable = table({
  name: "asset",
  comment: "Assets in their current state.",
  key: ["id"],
  columns: {
    id: bytes<AssetId>(),
    issuer: bytes<PublicKey>(),
    originTransactionId: named("origin_tx", bytes<TransactionId>()),
    issueHeight: int,
    /** 1-based number among the assets issued in its block. */
    sequenceInBlock: named("sequence", int),
    decimals: int,
    nft: flag,
    volume: bigDecimal,
    reissuable: flag,
    name: bytes(),
    description: bytes(),
    /** Height of the last change of name and description. */
    textHeight: int,
    script: nullable(bytes<Script>()),
    /** 0 without a script. */
    scriptComplexity: i64,
    /** 0 while fees are not sponsored. */
    minSponsoredAssetFee: named("min_sponsored_fee", i64),
    /** Heights at which script and sponsorship were last set; 0: never. */
    scriptHeight: unpublished(int, 0),
    sponsorshipHeight: unpublished(int, 0),
  },
  published: true,
  inCheckpoint: "all",
  indexes: { asset_by_issue_height: { on: "issue_height", only: "object" } },
});
export type AssetRow = RowOf<typeof assetTable>;
