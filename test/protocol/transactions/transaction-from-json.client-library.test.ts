/**
 * Transactions that the network's client library builds: the same bodies, ids and signatures, for each type and
 * version.
 */

import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { verify } from "../../../src/crypto/curve25519.ts";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { dump } from "../../support/fixtures/recorded-transactions.ts";

type Build = (params: object, seed: string) => unknown;
type Builder =
  | "alias"
  | "burn"
  | "cancelLease"
  | "data"
  | "exchange"
  | "invokeScript"
  | "issue"
  | "lease"
  | "massTransfer"
  | "order"
  | "reissue"
  | "setAssetScript"
  | "setScript"
  | "sponsorship"
  | "transfer"
  | "updateAssetInfo";
interface Library extends Record<Builder, Build> {
  makeTxBytes(tx: unknown): Uint8Array;
  readonly libs: { readonly crypto: { publicKey(seed: string): string } };
}
// The library's own types do not compile under this project's settings.
const library = createRequire(import.meta.url)("@waves/waves-transactions") as Library;

const chainId = 82;
const seed = "a seed for tests";
const asset = "Ak84NhnPCKZrA8ZHURj39soXJYQE9styUYyzLYYQ9GrF";
const recipient = "3MNLh31RbGPLjoc9XXNLyRK3aD9HVsQVNtv";
const script = "base64:AQa3b8tH";
const common = { chainId, timestamp: 1_700_000_000_000, fee: 1_234_567 };
const large = "9007199254740993";

function order(orderType: "buy" | "sell", version: 1 | 2 | 3 | 4) {
  return library.order(
    {
      version,
      orderType,
      amountAsset: asset,
      priceAsset: null,
      matcherPublicKey: library.libs.crypto.publicKey(seed),
      price: 123,
      amount: large,
      matcherFee: 300_000,
      timestamp: common.timestamp,
      expiration: common.timestamp + 1_000_000,
      chainId,
    },
    seed,
  );
}

function exchange(version: 1 | 2 | 3, orderVersion: 1 | 2 | 3 | 4) {
  return library.exchange(
    {
      type: TransactionType.Exchange,
      version,
      order1: order("buy", orderVersion),
      order2: order("sell", orderVersion),
      price: 123,
      amount: large,
      buyMatcherFee: 1,
      sellMatcherFee: 2,
      senderPublicKey: library.libs.crypto.publicKey(seed),
      ...common,
    },
    seed,
  );
}

const call = {
  function: "do",
  args: [
    { type: "integer", value: large },
    { type: "boolean", value: true },
    { type: "binary", value: "base64:AQID" },
    { type: "string", value: "é" },
    { type: "list", value: [{ type: "integer", value: 1 }] },
  ],
};
const entries = [
  { key: "int", type: "integer", value: large },
  { key: "flag", type: "boolean", value: false },
  { key: "bytes", type: "binary", value: "base64:AQID" },
  { key: "é", type: "string", value: "" },
];
const transfers = [
  { recipient, amount: 1 },
  { recipient: "alias:R:abcd", amount: large },
];

const cases: readonly [name: string, versions: readonly number[], build: Build, params: object][] = [
  [
    "issue",
    [2, 3],
    library.issue,
    { name: "Näme", description: "d", quantity: large, decimals: 8, reissuable: true, script },
  ],
  ["transfer", [2, 3], library.transfer, { recipient, amount: large, assetId: asset, attachment: "2Uw8" }],
  ["transfer to an alias", [2, 3], library.transfer, { recipient: "alias:R:abcd", amount: 1, feeAssetId: asset }],
  ["reissue", [2, 3], library.reissue, { assetId: asset, quantity: large, reissuable: false }],
  ["burn", [2, 3], library.burn, { assetId: asset, amount: large }],
  ["lease", [2, 3], library.lease, { recipient, amount: large }],
  ["cancelLease", [2, 3], library.cancelLease, { leaseId: asset }],
  ["alias", [2, 3], library.alias, { alias: "my-alias@1_." }],
  ["massTransfer", [1, 2], library.massTransfer, { transfers, assetId: asset, attachment: "2Uw8" }],
  ["data", [1, 2], library.data, { data: entries }],
  ["data with a deletion", [2], library.data, { data: [...entries, { key: "gone", value: null }] }],
  ["setScript", [1, 2], library.setScript, { script }],
  ["setScript without a script", [1, 2], library.setScript, { script: null }],
  ["sponsorship", [1, 2], library.sponsorship, { assetId: asset, minSponsoredAssetFee: large }],
  ["end of a sponsorship", [2], library.sponsorship, { assetId: asset, minSponsoredAssetFee: null }],
  ["setAssetScript", [1, 2], library.setAssetScript, { assetId: asset, script }],
  [
    "invokeScript",
    [1, 2],
    library.invokeScript,
    {
      dApp: recipient,
      call,
      payment: [
        { amount: 1, assetId: asset },
        { amount: large, assetId: null },
      ],
    },
  ],
  ["invokeScript without a call", [1, 2], library.invokeScript, { dApp: "alias:R:abcd" }],
  ["updateAssetInfo", [1], library.updateAssetInfo, { assetId: asset, name: "Näme", description: "é" }],
];

interface Built {
  readonly id: string;
}

/** The library writes large amounts as text; its requests write them as bare integers. */
function requestText(tx: unknown): string {
  return JSON.stringify(tx).replaceAll(`"${large}"`, large);
}

function check(built: unknown): void {
  const tx = transactionFromJson(parseJson(requestText(built)), chainId);
  if (tx.type === TransactionType.Genesis || tx.type === TransactionType.Ethereum)
    throw new Error("not a type that clients send");
  expect(Buffer.from(tx.bodyBytes).toString("hex")).toBe(Buffer.from(library.makeTxBytes(built)).toString("hex"));
  expect(encodeBase58(tx.id)).toBe((built as Built).id);
  expect(verify(tx.proofs[0] as Uint8Array, tx.bodyBytes, tx.sender)).toBe(true);
  expect(dump(parseSignedTransaction(encodeProtobuf(tx), chainId))).toBe(dump(tx));
}

describe.each(cases)("%s", (_name, versions, build, params) => {
  test.each(versions)("version %i", (version) => {
    check(build({ ...common, ...params, version }, seed));
  });
});

describe("exchange", () => {
  test.each([
    [2, 1],
    [2, 2],
    [2, 3],
    [3, 3],
    [3, 4],
  ] as const)("version %i with orders of version %i", (version, orderVersion) => {
    check(exchange(version, orderVersion));
  });

  test("orders have the library's ids", () => {
    for (const version of [1, 2, 3, 4] as const) {
      const tx = transactionFromJson(parseJson(requestText(exchange(3, version))), chainId);
      if (tx.type !== TransactionType.Exchange) throw new Error("not an exchange");
      expect(encodeBase58(tx.order1.id)).toBe((order("buy", version) as Built).id);
      expect(verify(tx.order1.proofs[0] as Uint8Array, tx.order1.bodyBytes, tx.order1.sender)).toBe(true);
    }
  });
});
