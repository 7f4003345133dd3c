/** Recorded chains, appended block by block with full validation: the state at each height is the recorded one. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { countMoney, type MoneyCount } from "../../../verification/simulation/conserved-money.ts";
import { balancesByReference, finalizedByReference, lostDeposits } from "../../support/fixtures/finality/deviations.ts";
import { periodStartsOf, stateOf } from "../../support/fixtures/finality/observed-state.ts";
import {
  appendUpTo,
  type FinalityRecording,
  openRecordedChain,
  type RecordedHeight,
  type RecordedState,
  readFinalityRecording,
  recordingNames,
  refusalOf,
} from "../../support/fixtures/finality/recorded-chain.ts";

/** State of a height in addition to the balances. */
interface ObservedHeight extends RecordedState {
  readonly periodStart?: number;
  readonly nextPeriodStart?: number;
  readonly snapshotStateHash: string;
}

interface Imported {
  readonly observed: readonly ObservedHeight[];
  readonly money: readonly MoneyCount[];
  readonly refusal: ReturnType<typeof refusalOf>;
}

function importWhole(recording: FinalityRecording): Imported {
  const opened = openRecordedChain(recording);
  const { chain, database } = opened;
  const shown: ObservedHeight[] = [];
  const money: MoneyCount[] = [];
  const refusal = refusalOf(() => {
    for (const recorded of recording.heights) {
      const { height } = recorded;
      appendUpTo(opened, recording, height);
      const snapshotStateHash = encodeBase58(chain.view.findStateHash(height) ?? new Uint8Array());
      shown.push({ ...stateOf(opened, recorded, recording.accounts), ...periodStartsOf(chain), snapshotStateHash });
      money.push(countMoney(chain, database));
    }
  });
  return { observed: shown, money, refusal };
}

/** Content of the recording, without the differences of the Go node. */
function expectedOf(recording: FinalityRecording): readonly ObservedHeight[] {
  const { heights } = recording;
  const finalized = finalizedByReference(heights);
  return heights.map((recorded, index) => {
    const { blockId, height, generators, stateHash, snapshotStateHash, periodStart, nextPeriodStart } = recorded;
    return {
      ...{ height, blockId, generators, stateHash, snapshotStateHash },
      finalizedHeight: finalized[index] as number,
      balances: balancesByReference(recorded, recording),
      ...(periodStart !== undefined && { periodStart }),
      ...(nextPeriodStart !== undefined && { nextPeriodStart }),
    };
  });
}

const aspects = [
  "blockId",
  "finalizedHeight",
  "periodStart",
  "nextPeriodStart",
  "generators",
  "balances",
  "stateHash",
  "snapshotStateHash",
] as const satisfies readonly (keyof ObservedHeight)[];

/** First to last height at which the condition holds. */
function rangeOf(heights: readonly RecordedHeight[], holds: (recorded: RecordedHeight) => boolean): string {
  const found = heights.filter(holds).map(({ height }) => height);
  if (found.length === 0) return "none";
  const [first, last] = [found[0] as number, found.at(-1) as number];
  return last - first + 1 === found.length ? `${first} to ${last}` : found.join(" ");
}

describe.each(recordingNames)("%s", (name) => {
  const recording = readFinalityRecording(name);
  const expected = expectedOf(recording);
  const { observed, money, refusal } = importWhole(recording);

  test("every block is appended", () => {
    expect(refusal).toBeUndefined();
    expect(observed).toHaveLength(recording.heights.length);
    expect(recording.blocks).toHaveLength(recording.heights.length - 1);
  });

  test.each(aspects)("%s: as recorded at every height", (aspect) => {
    const differences = expected
      .map((recorded, index) => ({ height: index + 1, recorded: recorded[aspect], shown: observed[index]?.[aspect] }))
      .filter((height) => !isDeepStrictEqual(height.recorded, height.shown));
    for (const { height, ...values } of differences.slice(0, 1))
      expect({ height, value: values.shown }).toEqual({ height, value: values.recorded });
    expect(differences.map(({ height }) => height)).toEqual([]);
  });

  test("supply, deposits and leases add up after every block, including burnt amounts", () => {
    for (const [index, { found, expected }] of money.entries())
      expect({ height: index + 1, lines: found }).toEqual({ height: index + 1, lines: expected });
  });
});

describe("differences of the Go node from the reference", () => {
  test.each([
    ["finality-a", "88 to 102"],
    ["finality-window", "none"],
    ["finality-late", "none"],
  ] as const)("%s: finalized heights, where a generator has two thirds alone and no voting: %s", (name, range) => {
    const { heights } = readFinalityRecording(name);
    const finalized = finalizedByReference(heights);
    expect(rangeOf(heights, ({ height, finalizedHeight }) => finalized[height - 1] !== finalizedHeight)).toBe(range);
  });

  test("finality-a: one deposit that is never returned, after a ban in the last block of a period", () => {
    const { heights, accounts } = readFinalityRecording("finality-a");
    const nameOf = new Map(accounts.map(({ name, address }) => [address, name]));
    expect(lostDeposits(heights).map(({ address, from }) => [nameOf.get(address), from])).toEqual([["g2", 67]]);
    for (const name of ["finality-window", "finality-late"] as const)
      expect(lostDeposits(readFinalityRecording(name).heights)).toEqual([]);
  });
});
