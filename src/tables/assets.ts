/** Assets, as their issuers and scripts left them, and how much of each order is filled. */
import { table } from "./schema/table.ts";

export type AssetRow = {
  id: Uint8Array;
  issuer: Uint8Array;
  originTx: Uint8Array;
  issueHeight: number;
  sequence: number;
  decimals: number;
  nft: number;
  /** Decimal text: the oldest assets of mainnet pass 64 bits. */
  volume: string;
  reissuable: number;
  name: Uint8Array;
  description: Uint8Array;
  textHeight: number;
  script: Uint8Array | undefined;
  scriptComplexity: bigint;
  minSponsoredFee: bigint;
  /** Heights at which script and sponsorship were last set; 0 if never. */
  scriptHeight: number;
  sponsorshipHeight: number;
};
export const assetTable = table<AssetRow>({
  name: "asset",
  key: ["id"],
  columns: {
    id: "blob",
    issuer: "blob",
    originTx: "blob",
    issueHeight: "int",
    sequence: "int",
    decimals: "int",
    nft: "int",
    volume: "text",
    reissuable: "int",
    name: "blob",
    description: "blob",
    textHeight: "int",
    script: { kind: "blob", nullable: true },
    scriptComplexity: "i64",
    minSponsoredFee: "i64",
    scriptHeight: { kind: "int", unpublished: true },
    sponsorshipHeight: { kind: "int", unpublished: true },
  },
  published: true,
  indexes: { asset_by_issue_height: "issue_height" },
});

export type OrderFillRow = { id: Uint8Array; volume: bigint; fee: bigint };
export const orderFillTable = table<OrderFillRow>({
  name: "order_fill",
  key: ["id"],
  columns: { id: "blob", volume: "i64", fee: "i64" },
  published: false,
});
