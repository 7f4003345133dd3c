/** @see Waves: state/diffs/CommonValidation.scala (disallowBeforeActivationTime, scriptActivation) */
import { describe, expect, it } from "vitest";
import { Feature } from "../../../../src/network/features.ts";
import type { Script } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import type { Expression } from "../../../../src/ride/script/expression.ts";
import { List } from "../../../../src/ride/values/value.ts";
import { checkActivation } from "../../../../src/rules/transactions/checks/activation.ts";
import { checkScriptActivation } from "../../../../src/rules/transactions/checks/script-activation.ts";
import { sample, sampleOrder, sampleSellOrder, violationOf } from "../../../support/builders/sample-transactions.ts";
import { constantScript, treeDApp, treeScript } from "../../../support/builders/test-scripts.ts";
import { InMemoryState } from "../../../support/fakes/in-memory-state.ts";

const only = (...features: number[]) => new InMemoryState({ features: new Map(features.map((id) => [id, 0])) });
/** Feature that is required; undefined: none; a text: another error. */
function missingFor(check: () => void): number | string | undefined {
  let passed = true;
  try {
    check();
  } catch {
    passed = false;
  }
  if (passed) return undefined;
  const violation = violationOf(check);
  return violation.code === "featureNotActive" ? violation.feature : violation.code;
}

describe("an exchange", () => {
  it("waits for feature 12 if either order has version 3, and for none of orders with earlier ones", () => {
    const view = only(Feature.SmartAccountTrading);
    const withVersions = (buy: number, sell: number) => () =>
      checkActivation(
        sample(TransactionType.Exchange, {
          version: 2,
          order1: sampleOrder({ version: buy }),
          order2: sampleSellOrder({ version: sell }),
        }),
        view,
      );
    expect(missingFor(withVersions(3, 2))).toBe(Feature.OrderV3);
    expect(missingFor(withVersions(2, 3))).toBe(Feature.OrderV3);
    expect(missingFor(withVersions(2, 2))).toBeUndefined();
  });
});

describe("a transaction of an Ethereum wallet", () => {
  it("waits for feature 17, and for 15, without which no block can hold it", () => {
    const check = (view: InMemoryState) => () => checkActivation(sample(TransactionType.Ethereum), view);
    expect(missingFor(check(only(Feature.BlockV5)))).toBe(Feature.RideV6);
    expect(missingFor(check(only(Feature.RideV6)))).toBe(Feature.BlockV5);
    expect(missingFor(check(only(Feature.BlockV5, Feature.RideV6)))).toBeUndefined();
  });
});

describe("a version", () => {
  it("that exists and has no protobuf waits for nothing, and the newest is accepted", () => {
    const transfer = (version: number, view: InMemoryState) => () =>
      checkActivation(sample(TransactionType.Transfer, { version }), view);
    expect(missingFor(transfer(1, only()))).toBeUndefined();
    expect(missingFor(transfer(3, only(Feature.SmartAccounts)))).toBe(Feature.BlockV5);
    expect(missingFor(transfer(3, new InMemoryState()))).toBeUndefined();
    expect(missingFor(transfer(4, new InMemoryState()))).toBe("versionNotSupported");
  });

  it("of grants and payments is not checked: they have none", () => {
    for (const type of [TransactionType.Genesis, TransactionType.Payment] as const) {
      expect(missingFor(() => checkActivation(sample(type, { version: 7 }), new InMemoryState()))).toBeUndefined();
    }
  });
});

describe("a script", () => {
  const list: Expression = { kind: "constant", value: new List([1n]) };
  const letBlock = (isLetBlock: boolean): Expression => ({
    kind: "block",
    declaration: { kind: "let", name: "a", value: { kind: "constant", value: 1n } },
    body: { kind: "constant", value: true },
    isLetBlock,
  });
  const waitsFor = (script: Script, ...features: number[]) =>
    missingFor(() => checkScriptActivation(script, only(...features)));

  it("of version 1 or 2 waits for feature 11 if it declares in the way of version 3", () => {
    for (const version of [1, 2]) {
      expect(waitsFor(treeScript(letBlock(false), version))).toBe(Feature.Ride4DApps);
      expect(waitsFor(treeScript(letBlock(false), version), Feature.Ride4DApps)).toBeUndefined();
      expect(waitsFor(treeScript(letBlock(true), version))).toBeUndefined();
      expect(waitsFor(constantScript(true, version))).toBeUndefined();
    }
  });

  it("below version 4 waits for feature 15 if it has lists as values", () => {
    for (const version of [1, 2, 3]) {
      expect(waitsFor(treeScript(list, version), Feature.Ride4DApps)).toBe(Feature.BlockV5);
      expect(waitsFor(treeScript(list, version), Feature.BlockV5)).toBeUndefined();
    }
    expect(waitsFor(treeScript(list, 5), Feature.BlockV5)).toBe(Feature.SynchronousCalls);
  });

  it("of version 3 on waits for the feature of its version", () => {
    expect(waitsFor(constantScript(true, 3))).toBe(Feature.Ride4DApps);
    expect(waitsFor(constantScript(true, 4), Feature.Ride4DApps)).toBe(Feature.BlockV5);
    expect(waitsFor(constantScript(true, 4), Feature.BlockV5)).toBeUndefined();
    // With any declarations.
    const before = [Feature.Ride4DApps, Feature.BlockV5];
    expect(waitsFor(treeScript(letBlock(false), 5), ...before)).toBe(Feature.SynchronousCalls);
  });

  it("of a dApp also waits for the feature of dApps", () => {
    expect(waitsFor(treeDApp({}, 4), Feature.BlockV5)).toBe(Feature.Ride4DApps);
    expect(waitsFor(treeDApp({}, 4), Feature.BlockV5, Feature.Ride4DApps)).toBeUndefined();
  });

  it("of version 4 is accepted from feature 22 on, of version 3 no longer", () => {
    const all = [Feature.Ride4DApps, Feature.BlockV5, Feature.LightNode];
    expect(waitsFor(constantScript(true, 4), ...all)).toBeUndefined();
    expect(waitsFor(constantScript(true, 3), ...all)).toBe("generic");
    expect(waitsFor(constantScript(true, 3), Feature.Ride4DApps, Feature.BlockV5)).toBeUndefined();
  });

  it("that is unreadable is refused with the reference's message", () => {
    const script = Uint8Array.of(10) as Script;
    expect(
      violationOf(() => checkActivation(sample(TransactionType.SetScript, { script }), new InMemoryState())),
    ).toEqual({
      code: "generic",
      message: "ScriptParseError(Invalid version of script: 10)",
    });
    const cause = expect.objectContaining({ violation: expect.objectContaining({ code: "scriptUnreadable" }) });
    expect(() => checkActivation(sample(TransactionType.SetScript, { script }), new InMemoryState())).toThrow(
      expect.objectContaining({ cause }),
    );
  });
});
