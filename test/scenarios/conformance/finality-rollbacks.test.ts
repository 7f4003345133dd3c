/**
 * Rollbacks that were tried on the recorded state, one after the other: none of ours goes below the finalized height,
 * except by force.
 */
import { describe, expect, test } from "vitest";
import { balancesByReference } from "../../support/fixtures/finality/deviations.ts";
import { stateOf } from "../../support/fixtures/finality/observed-state.ts";
import {
  appendUpTo,
  linesWithAmounts,
  openRecordedChain,
  type RecordedState,
  readFinalityRecording,
  refusalOf,
  waitTimeoutMs,
} from "../../support/fixtures/finality/recorded-chain.ts";

interface Rollback extends RecordedState {
  readonly action:
    | "initial"
    | "automatic rollback"
    | "manual rollback"
    | "automatic rollback below the activation height";
  readonly to: number;
  /** Empty after a success. */
  readonly error: string;
}

const recording = readFinalityRecording("finality-a");
const rollbacks = linesWithAmounts<Rollback>("finality-a/rollbacks.jsonl.gz");

describe("finality-a", () => {
  const opened = openRecordedChain(recording);
  const { forks, view } = opened.chain;

  test.each(rollbacks.map((rollback, index) => [index, rollback.action, rollback.to, rollback] as const))(
    "%i: %s to %i",
    (_, __, ___, { action, to, error, ...recorded }) => {
      if (action === "initial") appendUpTo(opened, recording, to);
      else {
        const isForced = !action.startsWith("automatic");
        const refusal = refusalOf(() => forks.revertTo(to, { isForced }));
        // The Go node checks no finalized height if the feature is not active at the target height.
        const isForbidden = error !== "" || action === "automatic rollback below the activation height";
        expect(refusal?.code).toBe(isForbidden ? "rollbackTooDeep" : undefined);
      }
      const expected = { ...recorded, balances: balancesByReference(recorded, recording) };
      // After the one that only this node refuses, the chain is still higher.
      if (view.height === recorded.height) expect(stateOf(opened, recorded, recording.accounts)).toEqual(expected);
      else expect([view.height, recorded.height]).toEqual([20, 2]);
    },
    waitTimeoutMs,
  );
});
