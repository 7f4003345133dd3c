/** Verifiers of accounts and orders. @see Waves: transaction/smart/Verifier.scala, ScriptRunner.scala */

import { describe, expect, it } from "vitest";
import { addressOfPublicKey } from "../../../../src/crypto/address.ts";
import { sign } from "../../../../src/crypto/curve25519.ts";
import { secureRandomBytes } from "../../../../src/crypto/random.ts";
import { keyPairOfAccountSeed } from "../../../../src/crypto/seed.ts";
import { Feature } from "../../../../src/network/features.ts";
import { RuleError } from "../../../../src/protocol/errors.ts";
import type { DataEntry, Script } from "../../../../src/protocol/transactions/transaction.ts";
import { ExecutionError } from "../../../../src/ride/execution-error.ts";
import { applyTransaction } from "../../../../src/rules/transactions/apply-transaction.ts";
import type { TraceStep } from "../../../../src/rules/transactions/scripts/trace.ts";
import {
  addresses,
  assetId,
  chainId,
  context,
  keys,
  sample,
  sampleOrder,
  sampleSellOrder,
  violationOf,
} from "../../../support/builders/sample-transactions.ts";
import {
  constantScript,
  costlyTree,
  dAppOf,
  scriptOf,
  thrown,
  treeScript,
} from "../../../support/builders/test-scripts.ts";
import { InMemoryState, type StateOptions } from "../../../support/fakes/in-memory-state.ts";

const until = (feature: number): StateOptions => ({
  features: new Map(Array.from({ length: feature }, (_, index) => [index + 1, index === 6 ? -100_000 : 0])),
});
const withScript = (script: Script, options: StateOptions = {}, complexity = 1n): InMemoryState =>
  new InMemoryState(options)
    .withBalance(addresses.alice, 1_000_000_000n)
    .withAccountScript(keys.alice, complexity, script);
const paid = { fee: 500_000n };

describe("the verifier of an account", () => {
  it("lets a transaction pass; its spent complexity counts for the block, but is not shown", () => {
    const state = withScript(scriptOf("height == 100 && 1 + 1 == 2"));
    const { status, totalComplexity, spentComplexity } = applyTransaction(sample(4), state, context);
    expect([status, totalComplexity, spentComplexity]).toEqual(["succeeded", 3n, 0n]);
  });

  it("counts with its estimate before feature 16", () => {
    const state = withScript(scriptOf("1 + 1 == 2", { version: 3 }), until(Feature.BlockV5), 77n);
    expect(applyTransaction(sample(4, paid), state, context).totalComplexity).toBe(77n);
  });

  it("refuses", () => {
    expect(violationOf(() => applyTransaction(sample(4), withScript(scriptOf("false")), context))).toEqual({
      code: "scriptRefused",
      of: "account",
    });
  });

  it("throws", () => {
    expect(violationOf(() => applyTransaction(sample(4), withScript(treeScript(thrown("boom"))), context))).toEqual({
      code: "scriptFailed",
      of: "account",
      message: "boom",
    });
  });

  it("returns no boolean", () => {
    expect(violationOf(() => applyTransaction(sample(4), withScript(constantScript(5n)), context))).toEqual({
      code: "scriptFailed",
      of: "account",
      message: "Script returned not a boolean result, but 5",
    });
  });

  it("must keep its limit while it runs, from the height at which sums no longer overflow", () => {
    const script = treeScript(costlyTree(12));
    const message = "Verifier complexity limit = 2000 is exceeded";
    expect(violationOf(() => applyTransaction(sample(4), withScript(script), context))).toMatchObject({ message });
    const early = withScript(script, { functionality: { estimatorSumOverflowFixHeight: 101 } });
    expect(applyTransaction(sample(4), early, context).totalComplexity).toBeGreaterThan(2000n);
  });

  it("sees the transaction", () => {
    const script = scriptOf(
      "match tx { case t: TransferTransaction => t.amount == 10 && t.proofs[1] == base58'' && t.version == 2 case _ => false }",
    );
    expect(applyTransaction(sample(4), withScript(script), context).status).toBe("succeeded");
    expect(violationOf(() => applyTransaction(sample(10), withScript(script), context)).code).toBe("scriptRefused");
  });

  it("fails to read a transaction that is too heavy as an object", () => {
    const data = Array.from({ length: 100 }, (_, index) => ({
      key: String(100 + index),
      value: { type: "binary", value: new Uint8Array(1_655) },
    })) satisfies DataEntry[];
    const heavy = sample(12, { version: 2, data, bodyBytes: new Uint8Array(166_657), fee: 20_000_000n });
    const verdict = (script: Script) => {
      try {
        return applyTransaction(heavy, withScript(script), context).status;
      } catch (error) {
        return error instanceof RuleError ? error.violation : error;
      }
    };
    const message = expect.stringContaining("the object DataTransaction is too heavy. Actual weight: ");
    const looks = "match tx { case _: DataTransaction => true case _ => false }";
    expect(verdict(scriptOf("true"))).toBe("succeeded");
    expect(verdict(scriptOf(looks))).toEqual({
      code: "scriptFailed",
      of: "account",
      message: expect.stringMatching(/^the object DataTransaction is too heavy\. Actual weight: \d+, limit: 344764$/),
    });
    // A dApp's verifier gets the object before it runs.
    expect(verdict(dAppOf("@Verifier(tx)\nfunc verify() = true"))).toMatchObject({ code: "scriptFailed", message });
  });

  it("of an old version does not see a call with several payments", () => {
    const state = withScript(scriptOf("true", { version: 3 })).withAsset(assetId(1), { issuer: keys.bob });
    state.withBalance(addresses.alice, 10n, assetId(1));
    const payments = [
      { amount: 1n, asset: null },
      { amount: 1n, asset: assetId(1) },
    ];
    expect(violationOf(() => applyTransaction(sample(16, { payments }), state, context))).toMatchObject({
      message: "Invoker script version 3 < 4 doesn't support multiple payment attachment",
    });
  });

  it("leaves its step with its computed values in the trace", () => {
    const trace: TraceStep[] = [];
    const script = scriptOf('let answer = 40 + 2\nif (answer == 42) then throw("boom") else true');
    expect(() => applyTransaction(sample(4), withScript(script), { ...context, trace })).toThrow();
    expect(trace).toHaveLength(1);
    const [step] = trace;
    if (step?.kind !== "verifier") throw new Error("a verifier ran");
    expect(step.address).toEqual(addresses.alice);
    expect(step.failure?.error).toBe("boom");
    expect(step.failure?.log?.map(({ name }) => name)).toContain("answer");
    expect(step.failure?.log?.every(({ result }) => !(result instanceof ExecutionError))).toBe(true);
  });
});

describe("the verifier of a dApp", () => {
  it("decides over its transactions", () => {
    const state = withScript(
      dAppOf(
        "@Verifier(tx)\nfunc verify() = match tx { case t: TransferTransaction => t.fee == 100000 case _ => false }",
      ),
    );
    expect(applyTransaction(sample(4), state, context).totalComplexity).toBe(2n);
    expect(violationOf(() => applyTransaction(sample(4, { fee: 100_001n }), state, context)).code).toBe(
      "scriptRefused",
    );
  });

  it("shows the argument of the verifier in the log, once", () => {
    const trace: TraceStep[] = [];
    const state = withScript(
      dAppOf("@Verifier(tx)\nfunc verify() = match tx { case t: TransferTransaction => t.fee == 1 case _ => false }"),
    );
    expect(() => applyTransaction(sample(4), state, { ...context, trace })).toThrow();
    const [step] = trace;
    if (step?.kind !== "verifier") throw new Error("a verifier ran");
    const names = step.failure?.log?.map(({ name }) => name) ?? [];
    expect(names.filter((name) => name === "tx")).toEqual(["tx"]);
    expect(names[0]).toBe("@invokedFuncName");
  });

  it("is its owner's signature where the dApp has none", () => {
    const owner = keyPairOfAccountSeed(new Uint8Array(32).fill(1));
    const address = addressOfPublicKey(owner.publicKey, chainId);
    const dApp = dAppOf("@Callable(i)\nfunc call() = []");
    const state = new InMemoryState().withBalance(address, 1_000_000_000n).withAccountScript(owner.publicKey, 0n, dApp);
    const transfer = sample(4, { sender: owner.publicKey });
    const signed = { ...transfer, proofs: [sign(owner.privateKey, transfer.bodyBytes, secureRandomBytes(64))] };
    const verifying = { ...context, verifySignatures: true };
    expect(applyTransaction(signed, state, verifying).totalComplexity).toBe(0n);
    const violation = violationOf(() => applyTransaction(transfer, state, verifying));
    expect(violation).toMatchObject({ code: "scriptFailed", of: "account" });
    expect(violation).toMatchObject({ message: expect.stringMatching(/^Proof doesn't validate as signature for \{/) });
  });
});

describe("the verifiers of an exchange", () => {
  const asset = assetId(1);
  const exchange = () => sample(7, { fee: 700_000n, order1: sampleOrder(), order2: sampleSellOrder() });
  const market = (options: StateOptions = {}): InMemoryState => {
    const state = new InMemoryState(options).withAsset(asset, { issuer: keys.bob });
    for (const address of Object.values(addresses)) state.withBalance(address, 1_000_000_000n);
    return state.withBalance(addresses.bob, 5000n, asset);
  };
  const failing = (message: string): Script => treeScript(thrown(message));

  it("are those of the matcher, the seller and the buyer, in this order", () => {
    const script = scriptOf("height == 100");
    const state = market();
    for (const owner of [keys.matcher, keys.alice, keys.bob]) state.withAccountScript(owner, 1n, script);
    expect(applyTransaction(exchange(), state, context).totalComplexity).toBe(3n);
    const messageOf = () => violationOf(() => applyTransaction(exchange(), state, context));
    state.withAccountScript(keys.alice, 1n, failing("buyer"));
    expect(messageOf()).toMatchObject({ message: "buyer" });
    state.withAccountScript(keys.bob, 1n, failing("seller"));
    expect(messageOf()).toMatchObject({ message: "seller" });
    state.withAccountScript(keys.matcher, 1n, failing("matcher"));
    expect(messageOf()).toMatchObject({ message: "matcher" });
  });

  it("get their order", () => {
    const script = scriptOf("match tx { case o: Order => o.amount == 1000 && o.orderType == Buy case _ => false }");
    expect(applyTransaction(exchange(), market().withAccountScript(keys.alice, 1n, script), context).status).toBe(
      "succeeded",
    );
    expect(
      violationOf(() => applyTransaction(exchange(), market().withAccountScript(keys.bob, 1n, script), context)),
    ).toEqual({ code: "scriptRefused", of: "account" });
  });

  it("of orders leave no step in the trace, and break a rule without a boolean result", () => {
    const trace: TraceStep[] = [];
    const state = market().withAccountScript(keys.alice, 1n, constantScript(5n));
    expect(violationOf(() => applyTransaction(exchange(), state, { ...context, trace }))).toEqual({
      code: "generic",
      message: "Script returned not a boolean result, but 5",
    });
    expect(trace).toEqual([]);
  });

  it("of orders fail like any other if they refuse", () => {
    const message = "Script returned not a boolean result, but an error that reads like this";
    const state = market().withAccountScript(keys.alice, 1n, failing(message));
    expect(violationOf(() => applyTransaction(exchange(), state, context))).toEqual({
      code: "scriptFailed",
      of: "account",
      message,
    });
  });
});
