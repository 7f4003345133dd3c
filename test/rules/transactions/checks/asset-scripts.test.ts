/** @see Waves: transaction/smart/Verifier.scala (assets) */
import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../../src/protocol/transactions/asset.ts";
import type { Script, TransactionOf } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import type { Expression } from "../../../../src/ride/script/expression.ts";
import { runAssetScripts, runScriptsInOrder } from "../../../../src/rules/transactions/checks/asset-scripts.ts";
import type { TraceStep } from "../../../../src/rules/transactions/scripts/trace.ts";
import {
  assetId,
  context,
  keys,
  sample,
  sampleOrder,
  sampleSellOrder,
} from "../../../support/builders/sample-transactions.ts";
import { constantScript, costlyTree, treeScript } from "../../../support/builders/test-scripts.ts";
import { InMemoryState } from "../../../support/fakes/in-memory-state.ts";

const no: Expression = { kind: "constant", value: false };
const willing = constantScript(true);
/** Each check costs 180, each branch 1. */
const checks = (times: number, last?: Expression): Script => treeScript(costlyTree(times, last));
const [first, second] = [assetId(1), assetId(2)] as const;

/** State with scripted assets; their estimated cost is 1000. */
function withScripts(...scripts: readonly (readonly [AssetId, Script])[]): InMemoryState {
  const view = new InMemoryState();
  for (const [asset, script] of scripts)
    view.withAsset(asset, { issuer: keys.bob, script: { script, complexity: 1000n } });
  return view;
}
type TestTransaction = Parameters<typeof runAssetScripts>[0];

function scriptsRunFor(transaction: TestTransaction, view: InMemoryState) {
  const trace: TraceStep[] = [];
  const verdict = runAssetScripts(transaction, view, { ...context, trace }, undefined);
  const steps = trace.map((step) => (step.kind === "asset" ? [step.assetId, step.role] : [step.kind]));
  return { ...verdict, steps };
}

describe("the relation of an asset to the transaction", () => {
  const payments = [
    { amount: 1n, asset: null },
    { amount: 1n, asset: first },
    { amount: 1n, asset: second },
  ];

  it.each([
    ["transfer", sample(TransactionType.Transfer, { asset: first })],
    ["transfer", sample(TransactionType.MassTransfer, { asset: first })],
    ["reissue", sample(TransactionType.Reissue)],
    ["burn", sample(TransactionType.Burn)],
    ["sponsor", sample(TransactionType.SponsorFee)],
    ["updateInfo", sample(TransactionType.SetAssetScript)],
    ["updateInfo", sample(TransactionType.UpdateAssetInfo)],
  ] as const)("is told as %s", (role, transaction) => {
    expect(scriptsRunFor(transaction, withScripts([first, willing])).steps).toEqual([[first, role]]);
  });

  it("is payment for each asset that a call pays with", () => {
    const view = withScripts([first, willing], [second, willing]);
    expect(scriptsRunFor(sample(TransactionType.InvokeScript, { payments }), view).steps).toEqual([
      [first, "payment"],
      [second, "payment"],
    ]);
  });

  it("is its side in the pair of an exchange, the price first", () => {
    const pair = { amountAsset: first, priceAsset: second };
    const exchange = sample(TransactionType.Exchange, { order1: sampleOrder(pair), order2: sampleSellOrder(pair) });
    expect(scriptsRunFor(exchange, withScripts([first, willing], [second, willing])).steps).toEqual([
      [second, "orderPrice"],
      [first, "orderAmount"],
    ]);
  });

  it("is undefined if the asset has no script, or does not exist", () => {
    const view = withScripts([second, willing]).withAsset(first, { issuer: keys.bob });
    expect(scriptsRunFor(sample(TransactionType.Burn), view)).toEqual({ complexity: 0, refused: undefined, steps: [] });
    const assets = [first, assetId(99)].map((assetId) => ({ assetId, role: "transfer" as const }));
    const entity = { kind: "transaction", transaction: sample(TransactionType.Burn) } as const;
    expect(runScriptsInOrder(assets, entity, view, context, undefined)).toEqual({ complexity: 0, refused: undefined });
  });
});

describe("the assets of matcher fees", () => {
  const paidIn = (buy: AssetId | null, sell: AssetId | null): TransactionOf<typeof TransactionType.Exchange> => {
    const pair = { amountAsset: assetId(3), priceAsset: null };
    return sample(TransactionType.Exchange, {
      order1: sampleOrder({ ...pair, matcherFeeAsset: buy }),
      order2: sampleSellOrder({ ...pair, matcherFeeAsset: sell }),
    });
  };
  const view = () => withScripts([first, willing], [second, willing]);
  const feeOf = (asset: AssetId) => [asset, "matcherFee"];

  it("have their scripts run once each, those of the buyer first", () => {
    expect(scriptsRunFor(paidIn(first, assetId(1)), view()).steps).toEqual([feeOf(first)]);
    expect(scriptsRunFor(paidIn(second, first), view()).steps).toEqual([feeOf(second), feeOf(first)]);
    expect(scriptsRunFor(paidIn(null, first), view()).steps).toEqual([feeOf(first)]);
    expect(scriptsRunFor(paidIn(first, null), view()).steps).toEqual([feeOf(first)]);
    expect(scriptsRunFor(paidIn(null, null), view()).steps).toEqual([]);
  });

  it("may refuse, and do not count; the scripts of the pair run before them", () => {
    const refusing = withScripts([first, checks(1, no)]);
    expect(scriptsRunFor(paidIn(first, null), refusing)).toMatchObject({ complexity: 0, refused: { assetId: first } });
    refusing.withAsset(assetId(3), { issuer: keys.bob, script: { script: constantScript(false), complexity: 7n } });
    expect(scriptsRunFor(paidIn(first, null), refusing)).toMatchObject({
      complexity: 7,
      refused: { assetId: assetId(3) },
      steps: [[assetId(3), "orderAmount"]],
    });
  });
});

describe("scripts of one transaction", () => {
  const payments = [first, second].map((asset) => ({ amount: 1n, asset }));
  const call = sample(TransactionType.InvokeScript, { payments });
  const ask = (view: InMemoryState, limit: number | undefined) => runAssetScripts(call, view, context, limit);
  const one = ask(withScripts([first, checks(1)]), undefined).complexity;

  it("count their spent complexity; one that refuses counts with its estimate, and is the last", () => {
    expect(one).toBeGreaterThanOrEqual(180);
    expect(ask(withScripts([first, checks(1)], [second, checks(1)]), undefined)).toEqual({
      complexity: 2 * one,
      refused: undefined,
    });
    expect(ask(withScripts([first, checks(1)], [second, checks(1, no)]), undefined)).toMatchObject({
      complexity: one + 1000,
      refused: { assetId: second },
    });
    expect(ask(withScripts([first, checks(1, no)], [second, checks(1, no)]), undefined)).toMatchObject({
      complexity: 1000,
      refused: { assetId: first },
    });
  });

  it("have one limit in total, and allow everything beyond it", () => {
    const view = withScripts([first, checks(1)], [second, checks(1, no)]);
    expect(ask(view, 2 * one + 10).refused?.assetId).toEqual(second);
    expect(ask(view, 2 * one - 10).refused).toBeUndefined();
  });

  it("report their steps to a caller that wants only those", () => {
    const named: Expression = {
      kind: "block",
      declaration: { kind: "let", name: "answer", value: { kind: "constant", value: 42n } },
      body: {
        kind: "call",
        function: 0,
        args: [
          { kind: "reference", name: "answer" },
          { kind: "constant", value: 1n },
        ],
      },
      isLetBlock: false,
    };
    const view = withScripts([first, treeScript(named)]);
    const burn = sample(TransactionType.Burn);
    const logged = runAssetScripts(burn, view, { ...context, trace: [] }, undefined);
    expect(logged.refused?.refusal.log.map(({ name }) => name)).toContain("answer");
    expect(runAssetScripts(burn, view, context, undefined).refused?.refusal.log).toEqual([]);
  });
});
