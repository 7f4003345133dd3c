/** Steps of a call's actions in a trace. @source Waves: state/diffs/invoke/InvokeDiffsCommon.scala (foldActions) */
import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { Feature } from "../../../../src/network/features.ts";
import { RuleError } from "../../../../src/protocol/errors.ts";
import { type TraceStep, traceStepJson } from "../../../../src/rules/transactions/scripts/trace.ts";
import {
  bystander,
  callable,
  compiled,
  invoke,
  ownAsset,
  scriptedAsset,
  world,
} from "../../../support/builders/dapps.ts";
import type { StateOptions } from "../../../support/fakes/in-memory-state.ts";

const id = encodeBase58(scriptedAsset);
const asset = `base58'${id}'`;
const bystanderText = `Address(base58'${encodeBase58(bystander)}')`;
const beforeLightNode: StateOptions = {
  features: new Map(
    Array.from({ length: Feature.LightNode - 1 }, (_, index) => [index + 1, index === 6 ? -100_000 : 0]),
  ),
};

/** Steps after that of the call itself. The dApp owns 300 of each asset. */
function stepsOf(actions: string, options: StateOptions = {}, script = "true") {
  const trace: TraceStep[] = [];
  const state = world({ dApp: compiled(6, callable(`[${actions}]`)), asset: compiled(6, script, "ASSET") }, options);
  try {
    invoke(state, { trace });
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
  }
  return trace.slice(1).map((step) => traceStepJson(step, true));
}

const succeeded = (context: string) => ({ type: "asset", context, id, result: "success", error: null });
const negativeBalance = expect.stringMatching(/^AccountBalanceError\(VectorMap\(\w+ -> negative asset balance: .*\)$/);

describe("the trace of a call", () => {
  it("has a step for each action whose asset script ran", () => {
    expect(stepsOf(`Reissue(${asset}, 1, true), Burn(${asset}, 1)`)).toEqual([succeeded("reissue"), succeeded("burn")]);
  });

  it("drops the steps before an action without a script", () => {
    expect(stepsOf(`Burn(${asset}, 1), ScriptTransfer(${bystanderText}, 1, unit)`)).toEqual([]);
  });

  it("has one successful step for an action that was allowed and leaves too little", () => {
    expect(stepsOf(`Burn(${asset}, 301)`)).toEqual([succeeded("burn")]);
  });

  it("drops it, too, if the action that leaves too little has no script", () => {
    expect(stepsOf(`Burn(${asset}, 1), Burn(base58'${encodeBase58(ownAsset)}', 301)`)).toEqual([]);
  });

  it("has the reason why no script ran for a transfer that leaves too little", () => {
    const transfer = `ScriptTransfer(${bystanderText}, 301, ${asset})`;
    const failed = { type: "asset", context: "transfer", id, result: "failure", error: negativeBalance };
    expect(stepsOf(transfer)).toEqual([{ ...failed, vars: [] }]);
    // Before the feature it is no failure of the call, and has no log.
    expect(stepsOf(transfer, beforeLightNode)).toEqual([failed]);
  });

  it("ends with the script that refuses", () => {
    const failed = { type: "asset", context: "burn", id, result: "failure", error: null };
    expect(stepsOf(`Burn(${asset}, 1), Burn(${asset}, 2)`, {}, "false")).toEqual([{ ...failed, vars: [] }]);
  });
});
