/** Branches of the recorded chain finality-window: blocks up to the finalized height are replaced by none. */
import { describe, expect, test } from "vitest";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { stateHashOf } from "../../support/fixtures/finality/observed-state.ts";
import {
  appendInTime,
  appendUpTo,
  blockOf,
  openRecordedChain,
  readFinalityRecording,
  refusalOf,
  waitTimeoutMs,
} from "../../support/fixtures/finality/recorded-chain.ts";
import { fixtureBytes, recordsOf } from "../../support/fixtures/recorded-blocks.ts";

const recording = readFinalityRecording("finality-window");
const branchOf = (name: string): readonly Block[] =>
  recordsOf(fixtureBytes(`finality-window/${name}.bin.gz`)).map((bytes) => blockOf(bytes, recording));
const branches = [
  {
    ...{ name: "fork-below", root: 120, blocks: 55, height: 175, finalizedHeight: 75 },
    stateHash: "7f4d87e6b3d26ce45cb46f9e5b8ad4f36c69b15e954c12e7a20b8027862d27b5",
    isTaken: false,
  },
  {
    ...{ name: "fork-above", root: 145, blocks: 20, height: 165, finalizedHeight: 144 },
    stateHash: "3c0f1f2037f48b906af2dbd32efa6277ac3cab85d4f9055e7988e546b18aafc0",
    isTaken: true,
  },
] as const;
const recordedTop = { height: 146, finalizedHeight: 144 };
/** Any time after all blocks. */
const nowMs = Date.UTC(2030, 0);

describe.each(branches)("$name", ({ name, root, blocks: count, isTaken, ...end }) => {
  const blocks = branchOf(name);
  const shown = (opened: ReturnType<typeof openRecordedChain>) => {
    const { view, stored } = opened.chain;
    const { stateHash } = stateHashOf(opened);
    return { height: view.height, finalizedHeight: stored.finalizedHeight(), stateHash };
  };

  test(
    "is a valid chain without other blocks",
    () => {
      const opened = openRecordedChain(recording);
      appendUpTo(opened, recording, root);
      for (const block of blocks) appendInTime(opened, block);
      expect(blocks).toHaveLength(count);
      expect(shown(opened)).toEqual(end);
    },
    waitTimeoutMs,
  );

  test(
    isTaken ? "replaces the tip, which is above the finalized height" : "weighs more and is refused",
    () => {
      const opened = openRecordedChain(recording);
      appendUpTo(opened, recording, recordedTop.height);
      const before = shown(opened);
      expect(before).toMatchObject(recordedTop);
      const refusal = refusalOf(() => opened.chain.forks.appendBranch(blocks, { nowMs, verifySignatures: true }));
      expect(refusal?.code).toBe(isTaken ? undefined : "rollbackTooDeep");
      expect(shown(opened)).toEqual(isTaken ? end : before);
    },
    waitTimeoutMs,
  );

  test("weighs more than the blocks it would replace", () => {
    const weightOf = (bytes: readonly Block[]) =>
      bytes.reduce((sum, { header }) => sum + 2n ** 64n / header.baseTarget, 0n);
    const replaced = recording.blocks.slice(root - 1).map((bytes) => blockOf(bytes, recording));
    expect(weightOf(blocks)).toBeGreaterThan(weightOf(replaced));
  });
});
