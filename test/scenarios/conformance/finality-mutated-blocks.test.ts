/**
 * Changed copies of recorded blocks, signed again by their generator: each is refused or accepted as by the Go node,
 * except for known differences of the reference. An accepted one leaves the recorded state.
 */
import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { decodeHex } from "../../../src/crypto/hex.ts";
import {
  finalizedByReference,
  type VotingDeviation,
  votingDeviation,
} from "../../support/fixtures/finality/deviations.ts";
import { stateOf } from "../../support/fixtures/finality/observed-state.ts";
import {
  appendInTime,
  appendUpTo,
  blockOf,
  linesWithAmounts,
  openRecordedChain,
  type RecordedState,
  readFinalityRecording,
  refusalOf,
  waitTimeoutMs,
} from "../../support/fixtures/finality/recorded-chain.ts";

interface Mutation {
  readonly height: number;
  readonly mutation: string;
  readonly accepted: boolean;
  readonly blockId: string;
  /** The block in hex. */
  readonly block: string;
}
type AcceptedMutation = Mutation & Pick<RecordedState, "generators" | "finalizedHeight" | "stateHash">;

const recording = readFinalityRecording("finality-a");
const finalized = finalizedByReference(recording.heights);
const mutations = linesWithAmounts<Mutation>("finality-a/mutations.jsonl.gz");
const opened = openRecordedChain(recording);
const departed = new Map<VotingDeviation, number>();

describe.each([...Map.groupBy(mutations, ({ height }) => height)])("in the place of block %i", (height, changed) => {
  test.each(changed.map((mutation) => [mutation.accepted ? "taken" : "refused", mutation.mutation, mutation] as const))(
    "by the Go node %s: %s",
    (_, __, mutation) => {
      appendUpTo(opened, recording, height - 1);
      const block = blockOf(decodeHex(mutation.block), recording);
      expect(encodeBase58(block.id)).toBe(mutation.blockId);
      const departure = votingDeviation(block.header.finalizationVoting, height);
      const refusal = refusalOf(() => appendInTime(opened, block));
      if (departure !== undefined && mutation.accepted) departed.set(departure, (departed.get(departure) ?? 0) + 1);
      if (!mutation.accepted || departure !== undefined) {
        expect(refusal?.code).toMatch(/^(votingInvalid|generationSignatureWrong|generatorNotAllowed)$/);
        expect(opened.chain.view.height).toBe(height - 1);
        return;
      }
      expect(refusal).toBeUndefined();
      const { blockId, generators, stateHash } = mutation as AcceptedMutation;
      const state = stateOf(opened, { stateHash });
      const finalizedHeight = finalized[height - 1];
      // Rolls back to the parent, which is never below the finalized height.
      opened.chain.forks.revertTo(height - 1);
      expect(state).toEqual({ height, blockId, generators, finalizedHeight, stateHash, balances: {} });
    },
    waitTimeoutMs,
  );
});

test("those that the Go node accepted and the reference refuses are of three kinds", () => {
  expect(mutations).toHaveLength(196);
  expect(Object.fromEntries(departed)).toEqual({
    "neither valid nor conflicting endorsements": 7,
    "finalized height of the parent": 6,
    "conflicting endorsements without a finalized height": 19,
  });
});
