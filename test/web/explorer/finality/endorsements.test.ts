import { expect, it } from "vitest";
import { endorsementsOf } from "../../../../web/explorer/finality/endorsements.ts";
import { shareText } from "../../../../web/explorer/text/share-text.ts";

const generator = (address: string, balance: bigint) => ({ address, transactionId: `of ${address}`, balance });
const generators = [generator("poor", 0n), generator("miner", 3n), generator("large", 4n), generator("silent", 2n)];

it("who endorses is found by the place among the generators, and the block's generator with them", () => {
  const { endorsers, ...rest } = endorsementsOf({ endorserIndexes: [2n], finalizedHeight: 7n }, generators, "miner");
  expect(endorsers).toEqual([{ address: "large", weight: 4n }]);
  expect(rest).toMatchObject({ generator: { address: "miner", weight: 3n }, weight: 7n, total: 9n, isEnough: true });
});

it("two thirds are enough, and nothing below them", () => {
  const isEnough = (weights: readonly bigint[]) =>
    endorsementsOf(
      { endorserIndexes: [1n] },
      weights.map((weight, at) => generator(String(at), weight)),
      "0",
    ).isEnough;
  expect(isEnough([4n, 2n, 3n])).toBe(true);
  expect(isEnough([4n, 3n, 4n])).toBe(false);
  expect(isEnough([])).toBe(false);
});

it("a conflicting endorser is named with its finalized block", () => {
  const conflict = { endorserIndex: 3n, finalizedHeight: 5n, finalizedBlockId: "another" };
  const unknown = { ...conflict, endorserIndex: 9n };
  const {
    contradictions,
    endorsers,
    generator: own,
  } = endorsementsOf({ conflictEndorsements: [conflict, unknown] }, generators, "a generator without a commitment");
  expect(endorsers).toEqual([]);
  expect(own).toBeUndefined();
  expect(contradictions).toEqual([
    { address: "silent", height: 5n, blockId: "another" },
    { address: undefined, height: 5n, blockId: "another" },
  ]);
});

it.each([
  [1n, 3n, "33.3 %"],
  [2n, 3n, "66.6 %"],
  [3n, 3n, "100.0 %"],
  [1n, 10_000n, "0.0 %"],
])("%s of %s is %s", (part, whole, text) => {
  expect(shareText(part, whole)).toBe(text);
});
