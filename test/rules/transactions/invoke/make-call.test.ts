/** Calls of dApps by dApps, and effects of failed calls. @source Waves: state/diffs/invoke/InvokeScriptDiff.scala */
import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { Feature } from "../../../../src/network/features.ts";
import {
  bystander,
  callable,
  caller,
  compiled,
  dApp,
  errorOf,
  expensive,
  invoke,
  otherDApp,
  scriptedAsset,
  waves,
  world,
} from "../../../support/builders/dapps.ts";

const address = (bytes: Uint8Array): string => `Address(base58'${encodeBase58(bytes)}')`;
const other = address(otherDApp.address);
const calls = (payments = "[]", name = "call", how = "invoke") =>
  `strict c = ${how}(${other}, "${name}", [], ${payments})`;

describe("a call of another dApp", () => {
  it("returns its value, and its changes are visible when the caller goes on", () => {
    const state = world({
      dApp: compiled(
        6,
        callable(
          '[IntegerEntry("got", c.exactAs[Int]), IntegerEntry("seen", getIntegerValue(o, "k"))]',
          `let o = ${other}\n${calls()}`,
        ),
      ),
      other: compiled(6, callable('([IntegerEntry("k", 7)], 42)')),
    });
    const { callResult } = invoke(state);
    expect(callResult?.data).toEqual([
      { key: "got", value: { type: "integer", value: 42n } },
      { key: "seen", value: { type: "integer", value: 7n } },
    ]);
    expect(callResult?.invokes).toMatchObject([{ dApp: otherDApp.address, function: "call", args: [], payments: [] }]);
  });

  it("has its payments before it begins", () => {
    const state = world({
      dApp: compiled(6, callable('[IntegerEntry("before", c.exactAs[Int])]', calls("[AttachedPayment(unit, 5)]"))),
      other: compiled(6, callable("([], wavesBalance(this).regular)")),
    });
    expect(invoke(state).callResult?.data[0]?.value).toEqual({ type: "integer", value: 1_000n * waves + 5n });
  });

  it("sees its caller and the sender of the transaction", () => {
    const state = world({
      dApp: compiled(6, callable("[]", calls())),
      other: compiled(6, callable('[BinaryEntry("by", i.caller.bytes), BinaryEntry("of", i.originCaller.bytes)]')),
    });
    expect(invoke(state).callResult?.invokes[0]?.result.data.map(({ value }) => value?.value)).toEqual([
      dApp.address,
      caller.address,
    ]);
  });

  it("costs its spent complexity", () => {
    const state = (signatures: number) =>
      world({
        dApp: compiled(6, callable("[]", calls())),
        other: compiled(6, callable("[]", `strict d = ${expensive(signatures)}`)),
      });
    const difference = invoke(state(3)).spentComplexity - invoke(state(1)).spentComplexity;
    expect(difference).toBe(360n);
  });
});

describe("a call that is too heavy as an object", () => {
  const text = "a".repeat(31_300);
  const args = Array.from({ length: 11 }, () => "s").join(", ");
  const state = (assetScript: string) =>
    world({
      dApp: compiled(
        6,
        callable(
          "[]",
          `strict d = ${expensive(6)}\nlet s = "${text}"\nstrict c = ${other}.invoke("call", [${args}], [AttachedPayment(base58'${encodeBase58(scriptedAsset)}', 1)])`,
        ),
      ),
      other: compiled(
        6,
        `@Callable(i)\nfunc call(${Array.from({ length: 11 }, (_, i) => `s${i}: String`).join(", ")}) = []\n`,
      ),
      asset: compiled(6, assetScript, "ASSET"),
    });

  it("fails if the script of a paid asset reads it; that script has then spent nothing", () => {
    const look = "match tx { case i: InvokeScriptTransaction => i.fee == 0 case _ => false }";
    const looked = invoke(state(look));
    expect(looked.callResult?.error?.text).toContain(
      "the object InvokeScriptTransaction is too heavy. Actual weight: 345444, limit: 344764",
    );
    const lookedLate = invoke(state(`let one = 1 + 1\nif (one == 2) then ${look} else false`));
    expect(lookedLate.spentComplexity).toBe(looked.spentComplexity);
    expect(invoke(state("true")).status).toBe("succeeded");
  });
});

describe("reentrancy", () => {
  const back = callable("[]", `strict b = invoke(${address(dApp.address)}, "end", [], [])`);
  const ends = "@Callable(i)\nfunc end() = []\n";

  it("a dApp cannot be called again from one that it called", () => {
    const state = world({ dApp: compiled(6, callable("[]", calls()) + ends), other: compiled(6, back) });
    expect(errorOf(state)).toMatch(
      /^GenericError\(The invocation stack contains multiple invocations of the dApp at address \w+ with invocations of another dApp between them\)$/,
    );
  });

  it("unless it called with reentrantInvoke", () => {
    const script = compiled(6, callable("[]", calls("[]", "call", "reentrantInvoke")) + ends);
    expect(errorOf(world({ dApp: script, other: compiled(6, back) }))).toBe("no error");
  });

  it("a dApp may call itself", () => {
    const script = compiled(6, callable("[]", 'strict c = invoke(this, "end", [], [])') + ends);
    expect(errorOf(world({ dApp: script }))).toBe("no error");
  });
});

describe("balances between calls", () => {
  it("none may end below zero, even for a while", () => {
    const pays = `[AttachedPayment(unit, ${1_001n * waves})]`;
    const state = world({
      dApp: compiled(6, callable("[]", calls(pays))),
      other: compiled(6, callable(`[ScriptTransfer(${address(dApp.address)}, ${1_001n * waves}, unit)]`)),
    });
    expect(errorOf(state)).toMatch(/AccountBalanceError\(VectorMap\(\w+ -> negative waves balance/);
  });

  it("a negative payment is refused", () => {
    const state = world({
      dApp: compiled(6, callable("[]", calls("[AttachedPayment(unit, -1)]"))),
      other: compiled(6, callable("[]")),
    });
    expect(errorOf(state)).toMatch(/ with attached WAVES amount = -1\)$/);
  });
});

describe("a call that fails", () => {
  const fails = (signatures: number) =>
    world({
      dApp: compiled(6, callable('throw("boom")', signatures === 0 ? "" : `strict d = ${expensive(signatures)}`)),
    });

  it("is refused if it has spent no more than 1,000", () => {
    expect(() => invoke(fails(5))).toThrow(
      expect.objectContaining({ violation: { code: "callRejected", message: "boom" } }),
    );
  });

  it("is in the block as failed if it has spent more, and pays its fee alone", () => {
    const { status, snapshot, callResult, spentComplexity } = invoke(fails(6), { fee: 500_000n });
    expect(status).toBe("failed");
    expect(spentComplexity).toBeGreaterThan(1_000n);
    expect(callResult?.error).toEqual({ code: 1, text: "boom" });
    expect(snapshot).toEqual({
      balances: [{ address: caller.address, asset: null, balance: 1_000n * waves - 500_000n }],
    });
  });

  it("is refused if its sender does not accept failures", () => {
    expect(() => invoke(fails(6), { execution: "strict" })).toThrow(
      expect.objectContaining({ violation: { code: "callRejected", message: "boom" } }),
    );
  });

  it("is not executed beyond the first 1,000 by the pool", () => {
    expect(invoke(fails(6), { execution: "limited" }).status).toBe("succeeded");
    expect(() => invoke(fails(4), { execution: "limited" })).toThrow(
      expect.objectContaining({ violation: { code: "callRejected", message: "boom" } }),
    );
  });

  it("is refused before feature 15, with any spent complexity", () => {
    const features = new Map(
      Array.from({ length: Feature.BlockReward }, (_, index) => [index + 1, index + 1 === 7 ? -100_000 : 0]),
    );
    const script = compiled(3, callable('if (d) then throw("a") else throw("boom")', `let d = ${expensive(12)}`));
    expect(() => invoke(world({ dApp: script }, { features }), { version: 1 })).toThrow(
      expect.objectContaining({ violation: { code: "callRejected", message: "boom" } }),
    );
  });

  it("reports its error at the call where it began", () => {
    const state = world({
      dApp: compiled(6, callable("[]", `strict d = ${expensive(6)}\n${calls()}`)),
      other: compiled(6, callable('throw("deep")')),
    });
    const { callResult } = invoke(state);
    expect(callResult?.error).toEqual({ code: 1, text: "deep" });
    expect(callResult?.invokes).toMatchObject([{ result: { error: { code: 1, text: "deep" } } }]);
  });
});

describe("an impossible call", () => {
  it("an account without a dApp", () => {
    expect(errorOf(world({}))).toBe(`No contract at address ${encodeBase58(dApp.address)}`);
  });

  it("a function that does not exist, or takes other arguments", () => {
    const state = world({ dApp: compiled(6, callable("[]")) });
    expect(errorOf(state, { function: "none" })).toBe("@Callable function 'none' doesn't exist in the script");
    expect(errorOf(state, { args: [{ type: "integer", value: 1n }] })).toBe(
      "function 'call takes 0 args but 1 were(was) given",
    );
  });

  it("a list within a list", () => {
    const state = world({ dApp: compiled(6, callable("[]")) });
    const nested = { type: "list", value: [{ type: "list", value: [] }] } as const;
    expect(errorOf(state, { args: [nested] })).toMatch(/^All arguments of InvokeScript must be one of the types: /);
  });

  it("without a call, the default function is called", () => {
    const script = compiled(6, '@Callable(i)\nfunc default() = [BooleanEntry("d", true)]\n');
    expect(invoke(world({ dApp: script }), { function: "default" }).callResult?.data).toHaveLength(1);
  });
});

it("accounts whose dApps were called list the transaction", async () => {
  const { affectedAddresses } = await import("../../../../src/rules/transactions/participants.ts");
  const { sample, to } = await import("../../../support/builders/sample-transactions.ts");
  const state = world({
    dApp: compiled(6, callable("[]", calls())),
    other: compiled(6, callable("[]")),
  });
  const { callResult } = invoke(state);
  const transaction = sample(16, { dApp: to(bystander) });
  expect(affectedAddresses(transaction, {}, state, "succeeded", callResult?.invokes)).toEqual([
    otherDApp.address,
    bystander,
  ]);
});
