/** Scripts of assets. @see Waves: transaction/smart/Verifier.scala (assets), state/diffs/TransactionDiffer.scala */
import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { Feature } from "../../../../src/network/features.ts";
import type { Script } from "../../../../src/protocol/transactions/transaction.ts";
import { applyTransaction } from "../../../../src/rules/transactions/apply-transaction.ts";
import { type TraceStep, traceStepJson } from "../../../../src/rules/transactions/scripts/trace.ts";
import {
  addresses,
  assetId,
  context,
  keys,
  sample,
  sampleOrder,
  sampleSellOrder,
  violationOf,
} from "../../../support/builders/sample-transactions.ts";
import {
  assetScriptOf,
  constantScript,
  costlyTree,
  thrown,
  treeScript,
} from "../../../support/builders/test-scripts.ts";
import { InMemoryState, type StateOptions } from "../../../support/fakes/in-memory-state.ts";

const asset = assetId(1);
const until = (feature: number): StateOptions => ({
  features: new Map(Array.from({ length: feature }, (_, index) => [index + 1, index === 6 ? -100_000 : 0])),
});
const withAssetScript = (script: Script, options: StateOptions = {}, complexity = 50n): InMemoryState => {
  const state = new InMemoryState(options).withAsset(asset, { issuer: keys.alice, script: { script, complexity } });
  for (const address of Object.values(addresses)) state.withBalance(address, 1_000_000_000n);
  return state.withBalance(addresses.alice, 5000n, asset).withBalance(addresses.bob, 5000n, asset);
};
const transfer = sample(4, { asset, fee: 500_000n });

describe("the script of an asset", () => {
  it("runs for every transaction that moves or changes the asset", () => {
    const state = withAssetScript(assetScriptOf("false"));
    const transactions = [
      transfer,
      sample(5, { fee: 500_000n }),
      sample(6, { fee: 500_000n }),
      sample(11, { asset, fee: 600_000n }),
      sample(17, { fee: 500_000n }),
    ];
    for (const transaction of transactions) {
      const late = state.moveTo(200_000);
      expect(violationOf(() => applyTransaction(transaction, late, context))).toEqual({
        code: "scriptRefused",
        of: "asset",
      });
    }
  });

  it("sees the transaction without proofs, and the asset as `this`", () => {
    const script = assetScriptOf(
      "match tx { case t: TransferTransaction => t.amount == 10 && t.assetId == this.id && this.scripted case _ => false }",
    );
    expect(applyTransaction(transfer, withAssetScript(script), context).status).toBe("succeeded");
  });

  it("costs its spent complexity, which counts for the block but is not shown; before feature 16 its estimate", () => {
    const script = assetScriptOf("height == 100", 3);
    const { totalComplexity, spentComplexity } = applyTransaction(transfer, withAssetScript(script), context);
    expect([totalComplexity, spentComplexity]).toEqual([1n, 0n]);
    expect(applyTransaction(transfer, withAssetScript(script, until(Feature.BlockV5)), context).totalComplexity).toBe(
      50n,
    );
  });

  it("ends with an error", () => {
    expect(violationOf(() => applyTransaction(transfer, withAssetScript(treeScript(thrown("boom"))), context))).toEqual(
      {
        code: "scriptFailed",
        of: "asset",
        message: "boom",
      },
    );
    expect(violationOf(() => applyTransaction(transfer, withAssetScript(constantScript(5n)), context))).toMatchObject({
      message: "Script returned not a boolean result, but 5",
    });
  });

  it("has 4000 to spend", () => {
    const message = "Verifier complexity limit = 4000 is exceeded";
    const state = withAssetScript(treeScript(costlyTree(23)));
    expect(violationOf(() => applyTransaction(transfer, state, context))).toMatchObject({ message });
    expect(applyTransaction(transfer, withAssetScript(treeScript(costlyTree(21))), context).status).toBe("succeeded");
  });

  it("runs after the effect is known to be right", () => {
    const state = withAssetScript(assetScriptOf("false"));
    expect(violationOf(() => applyTransaction(sample(6, { fee: 500_000n, amount: 6000n }), state, context)).code).toBe(
      "balancesInvalid",
    );
  });

  it("leaves a step with the relation of the asset to the transaction", () => {
    const trace: TraceStep[] = [];
    const state = withAssetScript(assetScriptOf("true"));
    applyTransaction(transfer, state, { ...context, trace });
    applyTransaction(sample(6, { fee: 500_000n }), state, { ...context, trace });
    const id = encodeBase58(asset);
    expect(trace.map((step) => traceStepJson(step, true))).toEqual([
      { type: "asset", context: "transfer", id, result: "success", error: null },
      { type: "asset", context: "burn", id, result: "success", error: null },
    ]);
  });
});

describe("an exchange of scripted assets", () => {
  const feeAsset = assetId(2);
  const lateNo = treeScript(costlyTree(6, { kind: "constant", value: false }));
  const exchange = (fields = {}) =>
    sample(7, { fee: 700_000n, order1: sampleOrder(fields), order2: sampleSellOrder(fields) });

  it("succeeds if the script allows it", () => {
    const { status, totalComplexity } = applyTransaction(
      exchange(),
      withAssetScript(assetScriptOf("height == 100")),
      context,
    );
    expect([status, totalComplexity]).toEqual(["succeeded", 1n]);
  });

  it("is refused if the script refuses early, from feature 17 on", () => {
    expect(violationOf(() => applyTransaction(exchange(), withAssetScript(assetScriptOf("false")), context))).toEqual({
      code: "scriptFailed",
      of: "asset",
      message: `Transaction is not allowed by script of the asset ${encodeBase58(asset)}`,
    });
  });

  it("fails if the script refuses late, and pays its fee", () => {
    const state = withAssetScript(lateNo, {}, 1500n);
    const applied = applyTransaction(exchange(), state, context);
    expect(applied.status).toBe("failed");
    expect(applied.snapshot).toEqual({
      balances: [{ address: addresses.matcher, asset: null, balance: 999_300_000n }],
    });
    // A script that refuses counts with its estimate.
    expect([applied.totalComplexity, applied.spentComplexity]).toEqual([1500n, 1500n]);
    expect(applied.callResult?.error).toEqual({
      code: 4,
      text: `Transaction is not allowed by script of the asset ${encodeBase58(asset)}`,
    });
  });

  it("names the script's error if it fails", () => {
    const state = withAssetScript(treeScript(costlyTree(6, thrown("late"))), {}, 1500n);
    expect(applyTransaction(exchange(), state, context).callResult?.error).toEqual({
      code: 4,
      text: `Transaction is not allowed by script of the asset ${encodeBase58(asset)}: late`,
    });
  });

  it("fails with any spent complexity, between features 15 and 17", () => {
    const options = until(Feature.SynchronousCalls);
    expect(applyTransaction(exchange(), withAssetScript(assetScriptOf("false", 4), options), context).status).toBe(
      "failed",
    );
  });

  it("is refused before feature 15", () => {
    const options = until(Feature.BlockReward);
    const early = { version: 3 } as const;
    const first = sample(7, { version: 2, fee: 700_000n, order1: sampleOrder(early), order2: sampleSellOrder(early) });
    expect(
      violationOf(() => applyTransaction(first, withAssetScript(assetScriptOf("false", 3), options), context)),
    ).toEqual({
      code: "scriptRefused",
      of: "asset",
    });
  });

  it("is refused if the sender accepts no failure, with the script's message", () => {
    const strict = { ...context, execution: "strict" } as const;
    const state = withAssetScript(lateNo, {}, 1500n);
    expect(violationOf(() => applyTransaction(exchange(), state, strict))).toEqual({
      code: "scriptRefused",
      of: "asset",
    });
  });

  it("is refused by the pool before feature 17 even for an early refusal, with the script's message, though a block accepts it", () => {
    const options = until(Feature.SynchronousCalls);
    const message = `Transaction is not allowed by script of the asset ${encodeBase58(asset)}: boom`;
    for (const execution of ["strict", "limited"] as const) {
      const run = (script: Script) =>
        violationOf(() => applyTransaction(exchange(), withAssetScript(script, options), { ...context, execution }));
      expect(run(assetScriptOf("false", 4))).toEqual({ code: "scriptRefused", of: "asset" });
      expect(run(treeScript(thrown("boom"), 4))).toEqual({ code: "scriptFailed", of: "asset", message });
    }
    const early = applyTransaction(exchange(), withAssetScript(treeScript(thrown("boom"), 4), options), context);
    expect([early.status, early.callResult?.error]).toEqual(["failed", { code: 4, text: message }]);
  });

  it("is accepted, for now, if only an early refusal counts", () => {
    const limited = { ...context, execution: "limited" } as const;
    const state = withAssetScript(lateNo, {}, 1500n);
    expect(applyTransaction(exchange(), state, limited).status).toBe("succeeded");
    expect(violationOf(() => applyTransaction(exchange(), withAssetScript(assetScriptOf("false")), limited)).code).toBe(
      "scriptFailed",
    );
  });

  it("runs the scripts of matcher fee assets too, each once, and does not count their complexity", () => {
    const trace: TraceStep[] = [];
    const state = withAssetScript(assetScriptOf("height == 100")).withAsset(feeAsset, {
      issuer: keys.carol,
      script: { script: assetScriptOf("1 + 1 == 2"), complexity: 3n },
    });
    for (const address of [addresses.alice, addresses.bob]) state.withBalance(address, 1_000_000n, feeAsset);
    const paidInAsset = exchange({ matcherFeeAsset: feeAsset });
    const { totalComplexity } = applyTransaction(paidInAsset, state, { ...context, trace });
    expect(totalComplexity).toBe(1n);
    expect(trace.map((step) => (step.kind === "asset" ? step.role : step.kind))).toEqual(["orderAmount", "matcherFee"]);
  });
});
