/**
 * Differences of one dApp called by a transaction, called by another dApp, and evaluated.
 * @source Waves: state/diffs/invoke/InvokeScriptTransactionDiff.scala, InvokeScriptDiff.scala;
 *   api/http/utils/UtilsEvaluator.scala
 */
import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { describeViolation } from "../../../../src/protocol/describe-violation.ts";
import { RuleError } from "../../../../src/protocol/errors.ts";
import type { Payment, Script } from "../../../../src/protocol/transactions/transaction.ts";
import { emptyCallResult } from "../../../../src/ride/results/call-result.ts";
import { evaluateDApp } from "../../../../src/rules/evaluation/evaluate-dapp.ts";
import {
  bystander,
  type CallOptions,
  callable,
  caller,
  compiled,
  dApp,
  errorOf,
  expensive,
  invoke,
  otherDApp,
  ownAsset,
  scriptedAsset,
  world,
} from "../../../support/builders/dapps.ts";
import { treeDApp } from "../../../support/builders/test-scripts.ts";
import type { InMemoryState } from "../../../support/fakes/in-memory-state.ts";

const bystanderText = `Address(base58'${encodeBase58(bystander)}')`;
const other = `Address(base58'${encodeBase58(otherDApp.address)}')`;
const wavesPaid = [{ asset: null, amount: 5n }];
const scriptedPaid = [{ asset: scriptedAsset, amount: 5n }];
const attached = `[AttachedPayment(base58'${encodeBase58(scriptedAsset)}', 5)]`;

function evaluate(state: InMemoryState, payments: readonly Payment[] = []) {
  return evaluateDApp(
    {
      dApp: dApp.address,
      code: {
        kind: "call",
        function: "call",
        args: [],
        sender: caller.address,
        senderPublicKey: caller.key,
        transactionId: new Uint8Array(32),
        feeWavelets: 500_000n,
        feeAsset: null,
        payments,
      },
      balances: [],
      complexityLimit: 52_000,
      nowMs: () => 1_700_000_000_000,
    },
    state,
  );
}

/** Error text of a refused evaluation. */
function evaluationErrorOf(state: InMemoryState, payments?: readonly Payment[]): string {
  try {
    return evaluate(state, payments).evaluation.kind;
  } catch (error) {
    if (error instanceof RuleError) return describeViolation(error.violation);
    throw error;
  }
}

/** dApp that calls the other one, which has the script. */
const calling = (script: Script, payments = "[]", asset?: Script): InMemoryState =>
  world({
    dApp: compiled(6, callable("[]", `strict c = invoke(${other}, "call", [], ${payments})`)),
    other: script,
    ...(asset && { asset }),
  });

describe("payments of old dApps", () => {
  const shows = compiled(4, callable('[IntegerEntry("seen", wavesBalance(this).regular % 1000)]'));
  const seen = (result: { readonly data: readonly { readonly value: { readonly value: unknown } | null }[] }) =>
    result.data[0]?.value?.value;

  it("are applied with the actions of a transaction's call, and at once in an evaluation", () => {
    const state = () => world({ dApp: shows });
    expect(seen(invoke(state(), { payments: wavesPaid }).callResult ?? { data: [] })).toBe(0n);
    expect(seen(evaluate(state(), wavesPaid).result)).toBe(5n);
  });

  it("are applied before every call of a later dApp begins", () => {
    const state = world({ dApp: compiled(5, callable('[IntegerEntry("seen", wavesBalance(this).regular % 1000)]')) });
    expect(seen(invoke(state, { payments: wavesPaid }).callResult ?? { data: [] })).toBe(5n);
  });
});

describe("scripts of paid assets", () => {
  const refusal = `Transaction is not allowed by script of the asset ${encodeBase58(scriptedAsset)}`;
  const throwing = compiled(6, 'if (height == 0) then true else throw("no way")', "ASSET");
  const refusing = compiled(6, "false", "ASSET");

  it("run after the call of a transaction, so that an error of the call comes first", () => {
    const state = (asset: Script) => world({ dApp: compiled(6, callable('throw("boom")')), asset });
    expect(errorOf(state(refusing), { payments: scriptedPaid })).toBe("boom");
  });

  it("run before the call of a dApp", () => {
    expect(errorOf(calling(compiled(6, callable('throw("boom")')), attached, refusing))).toBe(
      `FailedTransactionError(code = 4, error = ${refusal})`,
    );
  });

  it("give a call of a dApp one code for a refusal and another for an error", () => {
    expect(errorOf(calling(compiled(6, callable("[]")), attached, throwing))).toBe("no way");
    const late = compiled(6, `if (${expensive(7)}) then true else throw("no way")`, "ASSET");
    const failed = invoke(calling(compiled(6, callable("[]")), attached, late)).callResult;
    expect(failed?.invokes[0]?.result.error).toEqual({ code: 3, text: `${refusal}: no way` });
    const lateNo = compiled(6, `if (${expensive(7)}) then true else false`, "ASSET");
    const refused = invoke(calling(compiled(6, callable("[]")), attached, lateNo)).callResult;
    expect(refused?.invokes[0]?.result.error).toEqual({ code: 4, text: refusal });
  });

  it("count their estimates for the caller of a dApp, not their spent complexity", () => {
    const spent = (estimate: bigint) => {
      const state = calling(compiled(6, callable("[]")), attached, compiled(6, "true", "ASSET"));
      const script = { script: compiled(6, "true", "ASSET"), complexity: estimate };
      state.withAsset(scriptedAsset, { issuer: dApp.key, volume: 1_000n, script });
      return invoke(state).spentComplexity;
    };
    expect(spent(110n) - spent(10n)).toBe(100n);
  });
});

describe("the limit for all calls of a transaction", () => {
  const sends = (count: number) =>
    compiled(
      6,
      callable(`[${Array.from({ length: count }, () => `ScriptTransfer(${bystanderText}, 1, unit)`).join(", ")}]`),
    );

  it("does not apply to an evaluation; the limit of one call does", () => {
    expect(errorOf(world({ dApp: sends(101) }))).toBe(
      "ScriptTransfer, Lease, LeaseCancel actions count limit is exceeded",
    );
    expect(evaluationErrorOf(world({ dApp: sends(101) }))).toMatch(
      /Too many ScriptTransfer, Lease, LeaseCancel actions: max: 100, actual: 101/,
    );
  });
});

describe("a callable that exceeds the available complexity", () => {
  const options: CallOptions = { execution: "limited" };
  const spends = (signatures: number) =>
    compiled(6, callable('[IntegerEntry("k", 1)]', `strict d = ${expensive(signatures)}`));

  it("passes in the pool, with no action and no complexity of its own", () => {
    const { status, callResult, spentComplexity } = invoke(world({ dApp: spends(6) }), options);
    expect(status).toBe("succeeded");
    expect([callResult?.data, spentComplexity]).toEqual([[], 0n]);
  });

  it("takes the remaining complexity if a dApp called it, and the caller goes no further", () => {
    const after = callable('[IntegerEntry("after", 1)]', `strict c = invoke(${other}, "call", [], [])`);
    const { callResult, spentComplexity } = invoke(world({ dApp: compiled(6, after), other: spends(6) }), options);
    expect(callResult).toMatchObject({ data: [], invokes: [{ result: { data: [] } }] });
    expect(spentComplexity).toBe(0n);
  });
});

describe("intermediate balances below zero", () => {
  const sends = compiled(6, callable(`[ScriptTransfer(${bystanderText}, ${10n ** 12n}, unit)]`));

  it("end a transaction's call when all is done, a dApp's call at once", () => {
    expect(() => invoke(world({ dApp: sends }))).toThrow(RuleError);
    expect(errorOf(calling(sends))).toMatch(/^AccountBalanceError/);
  });
});

describe("a value that is no list of actions", () => {
  const gives = () => world({ dApp: treeDApp({ callable: { kind: "constant", value: 5n } }) });

  it("is an error of a call, and a normal result of an evaluation", () => {
    expect(errorOf(gives())).toMatch(/^CallableFunction needs to return .* but got '\(5,V6\)'$/);
    const { evaluation, result } = evaluate(gives());
    expect(evaluation).toMatchObject({ kind: "value", value: 5n });
    expect(result).toEqual(emptyCallResult);
  });
});

describe("a quantity below zero", () => {
  const reissues = (): InMemoryState =>
    world({ dApp: compiled(6, callable(`[Reissue(base58'${encodeBase58(ownAsset)}', -1, true)]`)) });

  it("is refused as such in a call, and as an overflow in an evaluation", () => {
    expect(errorOf(reissues())).toBe("GenericError(Negative reissue quantity = -1)");
    expect(evaluationErrorOf(reissues())).toBe("FailedTransactionError(code = 1, error = Asset total value overflow)");
  });
});

describe("a callable that ends without a value", () => {
  it("refuses a transaction, and is a result of an evaluation", () => {
    const state = () => world({ dApp: compiled(6, callable('throw("boom")')) });
    expect(errorOf(state())).toBe("boom");
    expect(evaluate(state()).evaluation).toMatchObject({ kind: "failure", message: expect.stringContaining("boom") });
  });
});
