import { expect, test } from "vitest";
import { encodeBase58, parseBase58 } from "../../../../src/crypto/base58.ts";
import type { AssetId } from "../../../../src/protocol/transactions/asset.ts";
import { paidAssets } from "../../../../src/rules/transactions/checks/payments.ts";

const [first, second, third] = [
  "JBgTpLCPJ3a8oQXVgcYkn74At58Ub2KSZqe4rMTYbfhM",
  "3eoQt2WVaiBn88tzWRW3PpeoPsQpEnx3xE9Z8dRCigwE",
  "Ec7URKmHWcKteU3zBhedkhDQvFsjytWR7hozW16dvgUR",
].map((text) => parseBase58(text) as AssetId) as [AssetId, AssetId, AssetId];

function assetNames(payments: Parameters<typeof paidAssets>[0]): string[] {
  return paidAssets(payments).map(
    ({ asset, amount }) => `${amount} of ${asset === null ? "WAVES" : encodeBase58(asset).slice(0, 3)}`,
  );
}

test("the payments of a call are checked in the order of the reference's grouping", () => {
  const payments = [
    { asset: null, amount: 205n },
    { asset: first, amount: 556n },
    { asset: null, amount: 60n },
    { asset: second, amount: 7n },
  ];
  expect(assetNames(payments)).toEqual(["265 of WAVES", "7 of 3eo", "556 of JBg"]);
});

test("WAVES may come before the asset that was named first", () => {
  const payments = [
    { asset: third, amount: 98n },
    { asset: null, amount: 5n },
  ];
  expect(assetNames(payments)).toEqual(["5 of WAVES", "98 of Ec7"]);
});

test("a sum beyond 64 bits wraps around", () => {
  const payments = [
    { asset: null, amount: 9_223_372_036_854_775_807n },
    { asset: null, amount: 2n },
  ];
  expect(assetNames(payments)).toEqual(["-9223372036854775807 of WAVES"]);
});
