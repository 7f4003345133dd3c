/** @see Waves 1.6: state/GenerationPeriod.scala and its tests; docs/protocol/consensus-and-finality.md 3.1 */
import { describe, expect, it } from "vitest";
import {
  type GenerationPeriod,
  generationPeriodAt,
  nextGenerationPeriod,
} from "../../../src/rules/finality/generation-period.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const viewWith = (activation: number | undefined, generationPeriodLength: number) =>
  new InMemoryState({
    features: new Map(activation === undefined ? [] : [[25, activation]]),
    functionality: { generationPeriodLength },
  });

/** Periods of the heights from 0 on, each once. */
function periodsUpTo(height: number, view: InMemoryState): readonly GenerationPeriod[] {
  const found = Array.from({ length: height + 1 }, (_, at) => generationPeriodAt(at, view)).filter(
    (period) => period !== undefined,
  );
  return found.filter(({ start }, index) => start !== found[index - 1]?.start);
}

describe("generation periods", () => {
  it.each([
    {
      activation: 3,
      length: 8,
      expected: [
        [3, 11],
        [12, 19],
        [20, 27],
      ],
    },
    {
      activation: 0,
      length: 2,
      expected: [
        [0, 2],
        [3, 4],
        [5, 6],
      ],
    },
    {
      activation: 1,
      length: 3,
      expected: [
        [1, 4],
        [5, 7],
        [8, 10],
      ],
    },
    // Recorded chains: finality-a, finality-window, finality-late.
    {
      activation: 6,
      length: 10,
      expected: [
        [6, 16],
        [17, 26],
        [27, 36],
      ],
    },
    {
      activation: 1,
      length: 5,
      expected: [
        [1, 6],
        [7, 11],
        [12, 16],
      ],
    },
    {
      activation: 1,
      length: 8,
      expected: [
        [1, 9],
        [10, 17],
        [18, 25],
      ],
    },
    {
      activation: 4,
      length: 1,
      expected: [
        [4, 5],
        [6, 6],
        [7, 7],
      ],
    },
  ])("of $length blocks from the activation at $activation on", ({ activation, length, expected }) => {
    const view = viewWith(activation, length);
    const [, , [, last] = [0, 0]] = expected;
    expect(periodsUpTo(last as number, view)).toEqual(expected.map(([start, end]) => ({ start, end })));
  });

  it("contain each height from the activation on, and none before it", () => {
    const view = viewWith(6, 10);
    expect([0, 5].map((height) => generationPeriodAt(height, view))).toEqual([undefined, undefined]);
    for (let height = 6; height <= 100; height++) {
      const { start, end } = generationPeriodAt(height, view) as GenerationPeriod;
      expect([start <= height, height <= end]).toEqual([true, true]);
    }
  });

  it("are none if the feature is undecided", () => {
    expect(generationPeriodAt(1_000, viewWith(undefined, 10))).toBeUndefined();
    expect(nextGenerationPeriod(1_000, viewWith(undefined, 10))).toBeUndefined();
  });

  it("follow each other: the next one is the same from the first to the last block of a period", () => {
    const view = viewWith(3, 8);
    const next = (height: number) => nextGenerationPeriod(height, view);
    expect(next(2)).toBeUndefined();
    expect([3, 11].map(next)).toEqual(Array(2).fill({ start: 12, end: 19 }));
    expect([12, 19].map(next)).toEqual(Array(2).fill({ start: 20, end: 27 }));
  });
});
