/** @see Waves: transaction/Transaction.scala (checkedAssets, smartAssets) */
import { expect, test } from "vitest";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { getAsset, getOwnAsset, hasAssetScript } from "../../../../src/rules/transactions/checks/assets.ts";
import { scriptedAssets } from "../../../../src/rules/transactions/checks/scripted-assets.ts";
import { assetId, keys, sample, violationOf } from "../../../support/builders/sample-transactions.ts";
import { constantScript } from "../../../support/builders/test-scripts.ts";
import { InMemoryState } from "../../../support/fakes/in-memory-state.ts";

const [scripted, plain, unknown] = [assetId(1), assetId(2), assetId(3)] as const;
const view = () =>
  new InMemoryState()
    .withAsset(scripted, { issuer: keys.alice, script: { script: constantScript(true), complexity: 1n } })
    .withAsset(plain, { issuer: keys.alice });

test("scripts run for the assets that have one, and never for WAVES", () => {
  expect([scripted, plain, unknown, null].map((asset) => hasAssetScript(asset, view()))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("the script of an asset that a call pays with twice runs twice", () => {
  const payments = [scripted, null, plain, scripted].map((asset) => ({ asset, amount: 1n }));
  expect(scriptedAssets(sample(TransactionType.InvokeScript, { payments }), view())).toEqual([scripted, scripted]);
  expect(scriptedAssets(sample(TransactionType.Lease), view())).toEqual([]);
});

test("an asset must exist, and be the sender's own if it is changed", () => {
  expect(getAsset(plain, view()).assetId).toEqual(plain);
  expect(violationOf(() => getAsset(unknown, view()))).toEqual({ code: "assetUnknown", asset: unknown });
  expect(getOwnAsset(plain, keys.alice, view()).issuer).toEqual(keys.alice);
  expect(violationOf(() => getOwnAsset(plain, keys.bob, view()))).toEqual({
    code: "assetOfOtherIssuer",
    asset: plain,
    issuer: keys.alice,
  });
});
