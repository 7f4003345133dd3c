import { expect, test } from "vitest";
import { transactionSummary } from "../../../local/chain-log/transaction-summary.ts";
import { isJsonObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";

const alice = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
const bob = "3MNLh31RbGPLjoc9XXNLyRK3aD9HVsQVNtv";
const asset = "BHedF3cDGDfudUtC3KzsrpHpxFRRoP5nCoEmf2JKg3F3";

function summary(members: object) {
  const fields = { id: "BDPFaKBnRdtXEj9fMsxLASUpN8FnFo6KsQSxk5gF7jkE", fee: 100_000, feeAssetId: null, sender: alice };
  const json = parseJson(JSON.stringify({ ...fields, ...members }));
  if (!isJsonObject(json)) throw new TypeError("no object");
  return transactionSummary(json);
}

test.each([
  [1, { recipient: bob, amount: 5 }, "genesis", "→ 3MNL…QVNtv 0.00000005 WAVES"],
  [2, { recipient: bob, amount: 5 }, "payment", "→ 3MNL…QVNtv 0.00000005 WAVES"],
  [3, { name: "Gold", quantity: 1000 }, "issue", "Gold, 1000 of it"],
  [4, { recipient: bob, amount: 1_050_000_000, assetId: null }, "transfer", "→ 3MNL…QVNtv 10.5 WAVES"],
  [4, { recipient: bob, amount: 7, assetId: asset }, "transfer", "→ 3MNL…QVNtv 7 of BHed…g3F3"],
  [5, { assetId: asset, quantity: 5 }, "reissue", "5 more of BHed…g3F3"],
  [6, { assetId: asset, amount: 5 }, "burn", "5 of BHed…g3F3"],
  [
    7,
    { amount: 100_000_000, price: 30, order1: { assetPair: { amountAsset: null, priceAsset: asset } } },
    "exchange",
    "1 WAVES at 30 of BHed…g3F3",
  ],
  [8, { recipient: bob, amount: 100_000_000 }, "lease", "→ 3MNL…QVNtv 1 WAVES"],
  [9, { leaseId: asset }, "lease cancel", "BHed…g3F3"],
  [10, { alias: "alice" }, "create alias", "alice"],
  [11, { transferCount: 3, totalAmount: 300_000_000, assetId: null }, "mass transfer", "→ 3 recipients 3 WAVES"],
  [
    12,
    { data: [1, 2, 3, 4].map((value) => ({ key: `k${value}`, type: "integer", value })) },
    "data",
    "k1 = 1, k2 = 2, k3 = 3 and 1 more",
  ],
  [12, { data: [{ key: "gone", value: null }] }, "data", "gone removed"],
  [13, { script: "base64:AAAA" }, "set script", "script of 4 characters"],
  [13, { script: null }, "set script", "no script"],
  [14, { assetId: asset, minSponsoredAssetFee: 3 }, "sponsor fee", "BHed…g3F3 from 3"],
  [14, { assetId: asset, minSponsoredAssetFee: null }, "sponsor fee", "BHed…g3F3 no more"],
  [15, { assetId: asset, script: "base64:AAAA" }, "set asset script", "BHed…g3F3 script of 4 characters"],
  [
    16,
    {
      dApp: bob,
      call: {
        function: "swap",
        args: [
          { type: "integer", value: 5 },
          { type: "string", value: 'a "b"' },
          { type: "list", value: [{ type: "boolean", value: true }] },
        ],
      },
      payment: [
        { amount: 100_000_000, assetId: null },
        { amount: 7, assetId: asset },
      ],
    },
    "invoke script",
    '3MNL…QVNtv swap(5, "a \\"b\\"", [true]) pays 1 WAVES and 7 of BHed…g3F3',
  ],
  [16, { dApp: bob, payment: [] }, "invoke script", "3MNL…QVNtv default()"],
  [17, { assetId: asset, name: "Silver" }, "update asset info", "BHed…g3F3 is now Silver"],
  [
    18,
    { payload: { type: "transfer", recipient: bob, asset: null, amount: 100_000_000 } },
    "ethereum",
    "→ 3MNL…QVNtv 1 WAVES",
  ],
  [
    18,
    { payload: { type: "invocation", dApp: bob, call: { function: "f", args: [] }, payment: [] } },
    "ethereum",
    "3MNL…QVNtv f()",
  ],
  [19, { generationPeriodStart: 3001 }, "commit to generation", "from height 3001"],
])("type %s", (type, members, name, text) => {
  expect(summary({ type, ...members })).toMatchObject({ type: name, what: text.replaceAll("QVNtv", "VNtv") });
});

test("every type has a name and says something without any of its members", () => {
  for (const type of Object.values(TransactionType)) expect(summary({ type }).type).not.toContain("type");
  expect(summary({ type: 77 })).toMatchObject({ type: "type 77", what: "" });
});

test("fee, complexity and status are told", () => {
  const failed = summary({ type: 16, applicationStatus: "script_execution_failed", spentComplexity: 1500 });
  expect(failed).toMatchObject({ fee: "0.001 WAVES", complexity: 1500, status: "failed" });
  expect(summary({ type: 4, fee: 3, feeAssetId: asset }).fee).toBe("3 of BHed…g3F3");
});

test("what others chose is cut: a function's name, a nested list, names, numbers", () => {
  const long = "x".repeat(60_000);
  const list = { type: "list", value: [{ type: "list", value: Array(100).fill({ type: "string", value: "x" }) }] };
  const { what } = summary({ type: 16, dApp: bob, call: { function: long, args: [list] }, payment: [] });
  expect(what).toBe(`3MNL…VNtv ${"x".repeat(40)}…([${'["x", "x", "x", "x", "x", "x", "x", "x", "x"'.slice(0, 39)}…)`);
  expect(summary({ type: 3, name: long, quantity: 5 }).what).toBe(`${"x".repeat(40)}…, 5 of it`);
  expect(summary({ type: 10, alias: long }).what).toHaveLength(41);
  expect(summary({ type: 17, assetId: asset, name: long }).what).toHaveLength("BHed…g3F3 is now ".length + 41);
  expect(summary({ type: 16, dApp: bob, call: { args: Array(100).fill(list) }, payment: [] }).what).toHaveLength(301);
});
