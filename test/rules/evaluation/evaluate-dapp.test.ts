/** Evaluation of a dApp's function without a transaction. @source Waves: api/http/utils/UtilsEvaluator.scala */
import { expect, test, vi } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Payment } from "../../../src/protocol/transactions/transaction.ts";
import { evaluateDApp } from "../../../src/rules/evaluation/evaluate-dapp.ts";
import { callable, caller, compiled, dApp, scriptedAsset, world } from "../../support/builders/dapps.ts";

function evaluate(assetScript: string, payments: readonly Payment[], onClock = (): void => {}) {
  const state = world({ dApp: compiled(6, callable("[]")), asset: compiled(6, assetScript, "ASSET") });
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
      nowMs: () => {
        onClock();
        return 1_700_000_000_000;
      },
    },
    state,
  );
}

const paid = [{ asset: scriptedAsset, amount: 5n }];

test("the script of an asset with which an evaluated call pays is run", () => {
  try {
    evaluate("false", paid);
    expect.unreachable();
  } catch (error) {
    const refusal = `Transaction is not allowed by script of the asset ${encodeBase58(scriptedAsset)}`;
    expect(error).toBeInstanceOf(RuleError);
    expect((error as RuleError).violation).toMatchObject({
      message: `FailedTransactionError(code = 4, error = ${refusal})`,
    });
  }
});

test("it sees the call", () => {
  const script = "match tx { case t: InvokeScriptTransaction => size(t.payments) == 1 case _ => false }";
  expect(evaluate(script, paid).evaluation.kind).toBe("value");
});

test("without such a payment no script is run", () => {
  expect(evaluate("false", []).evaluation.kind).toBe("value");
});

test("the clock is read if a script of an asset sees the call, and never otherwise", () => {
  const onClock = vi.fn();
  const script = "match tx { case t: InvokeScriptTransaction => t.timestamp == 1700000000000 case _ => false }";
  evaluate(script, [], onClock);
  expect(onClock).not.toHaveBeenCalled();
  expect(evaluate(script, paid, onClock).evaluation.kind).toBe("value");
  expect(onClock).toHaveBeenCalled();
});
