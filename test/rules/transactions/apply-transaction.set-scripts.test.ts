/**
 * Setting of scripts. @see Waves: state/diffs/{SetScriptTransactionDiff,AssetTransactionsDiffs,CommonValidation}.scala
 */
import { describe, expect, it } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import type { Script } from "../../../src/protocol/transactions/transaction.ts";
import type { Declaration, Expression } from "../../../src/ride/script/expression.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import { addresses, assetId, context, keys, sample, violationOf } from "../../support/builders/sample-transactions.ts";
import {
  assetScriptOf,
  constantScript,
  costlyTree,
  dAppOf,
  scriptOf,
  treeDApp,
  treeScript,
} from "../../support/builders/test-scripts.ts";
import { InMemoryState, type StateOptions } from "../../support/fakes/in-memory-state.ts";

const asset = assetId(1);
const until = (feature: number): StateOptions => ({
  features: new Map(Array.from({ length: feature }, (_, index) => [index + 1, index === 6 ? -100_000 : 0])),
});
const rich = (options: StateOptions = {}): InMemoryState =>
  new InMemoryState(options).withBalance(addresses.alice, 10_000_000_000n);
const set = (script: Script, options: StateOptions = {}) =>
  applyTransaction(sample(13, { script, fee: 20_000_000n }), rich(options), context).snapshot.accountScripts?.[0];
const refusal = (script: Script, options: StateOptions = {}) => violationOf(() => set(script, options));

describe("an account's script", () => {
  it("is stored with the complexity of its verifier", () => {
    const script = scriptOf("1 + 1 == 2");
    expect(set(script)).toEqual({ publicKey: keys.alice, script, verifierComplexity: 2n });
  });

  it("is priced by the estimator of the features in force", () => {
    const script = scriptOf("let a = 1\nlet b = a\nif (a == b) then true else a == 2", { version: 3 });
    const prices = [Feature.SmartAccountTrading, Feature.BlockReward, Feature.BlockV5, Feature.RideV6].map(
      (feature) => set(script, until(Math.max(feature, Feature.Ride4DApps)))?.verifierComplexity,
    );
    expect(prices).toEqual([23n, 23n, 9n, 2n]);
  });

  it("of a dApp without verifier has complexity 0", () => {
    expect(set(dAppOf("@Callable(i)\nfunc call() = []"))?.verifierComplexity).toBe(0n);
  });

  it("has a verifier of at most 2000, of 4000 before feature 15 is decided", () => {
    expect(refusal(treeScript(costlyTree(12)))).toMatchObject({
      message: expect.stringMatching(/^Script is too complex: \d+ > 2000$/),
    });
    const early = { ...until(Feature.BlockReward), functionality: { estimatorPreCheckHeight: 1_000 } };
    expect(set(treeScript(costlyTree(25), 3), early)?.verifierComplexity).toBeGreaterThan(2000n);
    expect(refusal(treeScript(costlyTree(45), 3), early)).toMatchObject({
      message: expect.stringMatching(/^Script is too complex: \d+ > 4000$/),
    });
  });

  it("must pass both old estimators if the network requires it", () => {
    const script = treeScript(costlyTree(30), 3);
    const early = (estimatorPreCheckHeight: number): StateOptions => ({
      ...until(Feature.BlockReward),
      functionality: { estimatorPreCheckHeight },
    });
    expect(set(script, early(0))?.verifierComplexity).toBe(set(script, early(1_000))?.verifierComplexity);
  });

  it("of a dApp with a verifier calls no dApp in any function before feature 17, used or not", () => {
    const invoke: Expression = {
      kind: "call",
      function: 1020,
      args: Array(4).fill({ kind: "reference", name: "nil" }),
    };
    const yes: Expression = { kind: "constant", value: true };
    const unusedFunction: Declaration = { kind: "function", name: "unused", parameters: [], body: invoke };
    const unusedValue: Declaration = { kind: "let", name: "unused", value: invoke };
    const withUnusedCall = treeDApp({ declarations: [unusedFunction], verifier: yes }, 5);
    const before = until(Feature.SynchronousCalls);
    expect(refusal(withUnusedCall, before)).toMatchObject({
      message: "DApp-to-dApp invocations are not allowed from verifier",
    });
    expect(set(withUnusedCall, until(Feature.RideV6))?.verifierComplexity).toBe(1n);
    // An unused value is not checked, and without a verifier no call is forbidden.
    expect(set(treeDApp({ declarations: [unusedValue], verifier: yes }, 5), before)?.verifierComplexity).toBe(1n);
    expect(set(treeDApp({ declarations: [unusedFunction] }, 5), before)?.verifierComplexity).toBe(0n);
  });

  it("of a dApp has the complexity of the callable that bears its name", () => {
    const heavy = treeDApp({ verifier: costlyTree(1), callable: costlyTree(10), callableName: "verify" });
    const light = treeDApp({ verifier: costlyTree(10), callable: costlyTree(1), callableName: "verify" });
    const [small, large] = [1, 10].map((size) => set(treeDApp({ verifier: costlyTree(size) }))?.verifierComplexity);
    expect([set(heavy)?.verifierComplexity, set(light)?.verifierComplexity]).toEqual([large, small]);
    expect(large).not.toBe(small);
  });

  it("of a dApp keeps the limit of callables and of the verifier", () => {
    expect(refusal(treeDApp({ callable: costlyTree(60) }, 5))).toMatchObject({
      message: expect.stringMatching(/^Contract function \(call\) is too complex: \d+ > 10000$/),
    });
    expect(set(treeDApp({ callable: costlyTree(60) }))?.verifierComplexity).toBe(0n);
    expect(refusal(treeDApp({ verifier: costlyTree(12) }))).toMatchObject({
      message: expect.stringMatching(/^Contract verifier is too complex: \d+ > 2000$/),
    });
  });

  it("is no larger than 8 KB; a dApp than 32 KB, from feature 17 on than 160 KB", () => {
    const text = "a".repeat(8192);
    expect(refusal(constantScript(new Text(text)))).toMatchObject({
      message: expect.stringMatching(/^Script is too large: \d+ bytes > 8192 bytes$/),
    });
    const dApp = (version: number) => {
      const lets = Array.from({ length: 5 }, (_, index) => `let a${index} = "${text.slice(0, 8000)}"`).join("\n");
      return dAppOf(`${lets}\n@Callable(i)\nfunc call() = []`, version);
    };
    expect(set(dApp(6))?.verifierComplexity).toBe(0n);
    expect(refusal(dApp(5), until(Feature.SynchronousCalls))).toMatchObject({
      message: expect.stringMatching(/^Script is too large: \d+ bytes > 32768 bytes$/),
    });
  });

  it("costs its size in kilobytes from feature 17 on", () => {
    const script = scriptOf(`"${"a".repeat(3000)}" == ""`);
    const pay = (fee: bigint) => applyTransaction(sample(13, { script, fee }), rich(), context);
    expect(violationOf(() => pay(299_999n))).toMatchObject({ code: "feeTooLow", required: 300_000n });
    expect(pay(300_000n).status).toBe("succeeded");
  });
});

describe("versions of the library", () => {
  it("come with their features", () => {
    const needs = { 3: Feature.Ride4DApps, 4: Feature.BlockV5, 5: Feature.SynchronousCalls, 6: Feature.RideV6 };
    for (const [version, feature] of Object.entries(needs)) {
      const script = scriptOf("true", { version: Number(version) });
      expect(refusal(script, until(feature - 1))).toEqual({ code: "featureNotActive", feature });
      expect(set(script, until(feature))?.verifierComplexity).toBeDefined();
    }
    expect(refusal(scriptOf("true", { version: 8 }), until(21))).toEqual({
      code: "featureNotActive",
      feature: Feature.LightNode,
    });
  });

  it("below 4 are no longer accepted from feature 22 on", () => {
    expect(refusal(scriptOf("true", { version: 3 }))).toEqual({
      code: "generic",
      message: "ActivationError(Script version below V4 is not allowed after Light Node feature activation)",
    });
  });

  it("1 and 2 need the features of later versions for their additions", () => {
    expect(set(scriptOf("true", { version: 1 }), until(Feature.SmartAccounts))?.verifierComplexity).toBe(1n);
  });

  it("must be readable", () => {
    const broken = constantScript(true).slice();
    broken[2] = 99;
    expect(refusal(broken as Script).code).toBe("generic");
  });
});

describe("an asset's script", () => {
  const issued = (script: Script): InMemoryState =>
    rich().withAsset(asset, { issuer: keys.alice, script: { script, complexity: 1n } });

  it("comes with the issue", () => {
    const script = assetScriptOf("1 + 1 == 2");
    const { snapshot } = applyTransaction(sample(3, { script }), rich(), context);
    expect(snapshot.assetScripts).toEqual([{ assetId: expect.anything(), script, complexity: 2n }]);
  });

  it("is set by the issuer", () => {
    const script = assetScriptOf("2 + 2 == 4");
    const { snapshot } = applyTransaction(sample(15, { script }), issued(assetScriptOf("true")), context);
    expect(snapshot).toEqual({
      balances: [{ address: addresses.alice, asset: null, balance: 9_900_000_000n }],
      assetScripts: [{ assetId: asset, script, complexity: 2n }],
    });
  });

  it("runs before it is replaced", () => {
    const script = assetScriptOf("true");
    expect(
      violationOf(() => applyTransaction(sample(15, { script }), issued(assetScriptOf("false")), context)).code,
    ).toBe("scriptRefused");
  });

  it("is not set on an asset that was issued without one", () => {
    const state = rich().withAsset(asset, { issuer: keys.alice });
    expect(violationOf(() => applyTransaction(sample(15, { script: assetScriptOf("true") }), state, context))).toEqual({
      code: "assetWithoutScript",
      asset,
    });
  });

  it("may cost 4000", () => {
    const { snapshot } = applyTransaction(sample(3, { script: treeScript(costlyTree(21)) }), rich(), context);
    expect(snapshot.assetScripts?.[0]?.complexity).toBeGreaterThan(2000n);
    expect(
      violationOf(() => applyTransaction(sample(3, { script: treeScript(costlyTree(25)) }), rich(), context)),
    ).toMatchObject({
      message: expect.stringMatching(/^Script is too complex: \d+ > 4000$/),
    });
  });

  it("is no larger than 8 KB from feature 19 on", () => {
    const script = constantScript(new Text("a".repeat(8192)), 5);
    expect(violationOf(() => applyTransaction(sample(3, { script }), rich(), context))).toMatchObject({
      message: expect.stringMatching(/^Script is too large: \d+ bytes > 8192 bytes$/),
    });
    expect(applyTransaction(sample(3, { script }), rich(until(18)), context).status).toBe("succeeded");
  });
});
