/**
 * Key blocks and micro-blocks as a node of the recorded network sent them: votings come with micro-blocks, and add up.
 */
import { describe, expect, test } from "vitest";
import type { Chain } from "../../../durable/chain-state/chain/open-chain.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { decodeHex } from "../../../src/crypto/hex.ts";
import type { BlockId, FinalizationVoting } from "../../../src/protocol/blocks/block.ts";
import { parseMicroBlock } from "../../../src/protocol/messages/micro-block.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import { finalizedByReference } from "../../support/fixtures/finality/deviations.ts";
import { generatorsOf, stateOf } from "../../support/fixtures/finality/observed-state.ts";
import {
  appendInTime,
  appendUpTo,
  blockOf,
  openRecordedChain,
  type RecordingName,
  readFinalityRecording,
  refusalOf,
} from "../../support/fixtures/finality/recorded-chain.ts";
import { recordedLines, sharedBytes } from "../../support/fixtures/recorded-lines.ts";

interface Message {
  readonly id: number;
  readonly payload: Uint8Array;
}

/** Voting in the form of the recordings' tables: endorsers, then conflicting members. */
interface PrintedVoting {
  readonly endorsers: readonly number[];
  readonly conflicting: readonly number[];
}

function printedVoting({ endorserIndexes, conflictEndorsements }: FinalizationVoting): PrintedVoting {
  return { endorsers: endorserIndexes, conflicting: conflictEndorsements.map(({ endorserIndex }) => endorserIndex) };
}

/** Votings of a block's micro-blocks, and of the block. */
interface VotedBlock {
  /** Votings of its micro-blocks, in order. */
  readonly ofMicroBlocks: PrintedVoting[];
  /** Votings of the whole block, after each of them. */
  readonly accumulated: PrintedVoting[];
  /** Banned members of the generator set, after each of them. */
  readonly banned: number[][];
}

function sentMessages(name: RecordingName): readonly Message[] | undefined {
  if (name === "finality-late")
    return recordedLines<{ id: number; payload: string }>("finality-late/messages.jsonl.gz").map(({ id, payload }) => ({
      id,
      payload: decodeHex(payload),
    }));
  return sharedBytes(`${name}/p2p.jsonl`)
    ?.toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number; dir: string; frame: string })
    .filter(({ id, dir }) => dir === "in" && (id === 29 || id === 30))
    .map(({ id, frame }) => ({ id, payload: decodeHex(frame).subarray(17) }));
}

/** Whether the id is one of the tip's, with or without its last micro-blocks. */
const hasForm = ({ stored }: Chain, id: BlockId): boolean =>
  stored.liquidForms().some((form) => equalBytes(form.id, id));

/** Applies all messages, in order, to a chain with the blocks before them. */
function follow(name: RecordingName, messages: readonly Message[]) {
  const recording = readFinalityRecording(name);
  const { heights } = recording;
  const { chainId } = recording.network.blockchain;
  const heightOf = new Map(heights.map(({ blockId, height }) => [blockId, height]));
  const opened = openRecordedChain(recording);
  const { chain } = opened;
  const voted = new Map<number, VotedBlock>();
  const refused = new Map<string, number>();
  const shown: { height: number; blockId: string; finalizedHeight: number }[] = [];
  for (const { id, payload } of messages) {
    if (id === 29) {
      const block = blockOf(payload, recording);
      const parentHeight = heightOf.get(encodeBase58(block.header.reference));
      if (parentHeight !== undefined && !hasForm(chain, block.header.reference)) {
        // Blocks before the traffic, and some that were never sent, without which the following ones could not be
        // appended.
        const { height } = chain.view;
        if (encodeBase58(chain.stored.tip().id) !== heights[height - 1]?.blockId) chain.forks.revertTo(height - 1);
        appendUpTo(opened, recording, parentHeight);
      }
      appendInTime(opened, block);
      const { height } = chain.view;
      const parentId = encodeBase58(headerAt(chain.view, height - 1).id);
      shown.push({ height: height - 1, blockId: parentId, finalizedHeight: chain.stored.finalizedHeight() });
    } else if (id === 30) {
      const microBlock = parseMicroBlock(payload, chainId);
      const nowMs = Number(chain.stored.tip().timestamp);
      const refusal = refusalOf(() => chain.liquid.appendMicroBlock(microBlock, { nowMs, verifySignatures: true }));
      if (refusal !== undefined) refused.set(refusal.code, (refused.get(refusal.code) ?? 0) + 1);
      const { height } = chain.view;
      const total = headerAt(chain.view, height).header.finalizationVoting;
      const { finalizationVoting } = microBlock;
      if (refusal !== undefined || finalizationVoting === undefined || total === undefined) continue;
      const block = voted.get(height) ?? { ofMicroBlocks: [], accumulated: [], banned: [] };
      block.ofMicroBlocks.push(printedVoting(finalizationVoting));
      block.accumulated.push(printedVoting(total));
      block.banned.push(
        generatorsOf(chain)
          .filter(({ banned }) => banned)
          .map(({ index }) => index),
      );
      voted.set(height, block);
    }
  }
  return { recording, opened, voted, refused, shown };
}

describe.each([
  { name: "finality-late", votings: 20 },
  { name: "finality-a", votings: 78 },
  { name: "finality-window", votings: 30 },
] as const)("$name", ({ name, votings }) => {
  const messages = sentMessages(name);
  const isThere = messages !== undefined;
  const followed = follow(name, messages ?? []);
  const { recording, opened, voted, refused, shown } = followed;
  const { heights } = recording;

  test.skipIf(!isThere)("every micro-block whose reference the chain has is accepted", () => {
    // Some were sent after the next key block had dropped their reference.
    expect([...refused.keys()].filter((code) => code !== "microBlockRefused")).toEqual([]);
    expect([...voted.values()].reduce((sum, { ofMicroBlocks }) => sum + ofMicroBlocks.length, 0)).toBe(votings);
  });

  test.skipIf(!isThere)("each height ends as the recorded block, with the same finalized height", () => {
    const finalized = finalizedByReference(heights);
    expect(shown.length).toBeGreaterThan(20);
    for (const { height, blockId, finalizedHeight } of shown) {
      const expected = { blockId: heights[height - 1]?.blockId, finalizedHeight: finalized[height] };
      expect({ height, blockId, finalizedHeight }).toEqual({ height, ...expected });
    }
  });

  test.skipIf(!isThere)("the last voting counts, and conflicting endorsements add up", () => {
    for (const [height, { ofMicroBlocks, accumulated }] of voted) {
      const conflicting: number[] = [];
      for (const [index, voting] of ofMicroBlocks.entries()) {
        conflicting.push(...voting.conflicting);
        const expected = { endorsers: voting.endorsers, conflicting: [...conflicting] };
        expect({ height, ...accumulated[index] }).toEqual({ height, ...expected });
      }
    }
  });

  test.skipIf(!isThere)("the tip has the recorded state", () => {
    const { height } = opened.chain.view;
    const recorded = heights[height - 1];
    expect(stateOf(opened, { stateHash: recorded?.stateHash ?? {} })).toEqual({
      height,
      blockId: recorded?.blockId,
      finalizedHeight: finalizedByReference(heights)[height - 1],
      generators: recorded?.generators,
      stateHash: recorded?.stateHash,
      balances: {},
    });
  });

  if (name !== "finality-late") return;
  test.each([
    [
      11,
      [
        [[5, 0, 4], []],
        [[5, 3, 4, 0], []],
      ],
      [[], []],
    ],
    [
      12,
      [
        [[5, 0, 4], []],
        [[5, 3, 4, 0], []],
        [[2, 5, 4, 0, 3], []],
      ],
      [[], [], []],
    ],
    [
      14,
      [
        [[5, 3, 4, 0], []],
        [[5, 3, 4, 0], [2]],
        [[5, 0, 4], [3]],
      ],
      [[], [2], [2, 3]],
    ],
    [
      19,
      [
        [[0, 4], []],
        [[0, 4, 2], []],
      ],
      [[], []],
    ],
  ])("votings that came late to block %i: %j", (height, brought, banned) => {
    const block = voted.get(height);
    expect(block?.ofMicroBlocks.map(({ endorsers, conflicting }) => [endorsers, conflicting])).toEqual(brought);
    expect(block?.banned).toEqual(banned);
  });
});
