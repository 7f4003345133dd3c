import { describe, expect, test } from "vitest";
import { ChallengePortions } from "../../durable/challenge-portions.ts";
import { i32Bytes } from "../../src/crypto/bytes.ts";
import type { Block } from "../../src/protocol/blocks/block.ts";

/** Of a block its id is all that counts here. */
const blockOf = (number: number) => ({ id: i32Bytes(number) }) as unknown as Block;

/** Calls about blocks, of which none comes to its end; and how often each had to begin anew. */
class Calls {
  readonly #portions = new ChallengePortions();
  readonly begun = new Map<number, number>();

  make(...numbers: readonly number[]): void {
    for (const number of numbers) {
      const block = blockOf(number);
      this.#portions.justify(block, () => this.begun.set(number, (this.begun.get(number) ?? 0) + 1));
      this.#portions.placing(block, { verifySignatures: true });
    }
  }
}

describe("what is known of challenging blocks", () => {
  test("is kept of the one whose judgement goes on, however many others come between its calls", () => {
    const calls = new Calls();
    // Until it is its turn it waits behind others.
    calls.make(1, 101, 102, 103, 104);
    for (let turn = 0; turn < 50; turn++)
      calls.make(1, 1_000 + 4 * turn, 1_001 + 4 * turn, 1_002 + 4 * turn, 1_003 + 4 * turn);
    expect(calls.begun.get(1)).toBe(2);
  });

  test("is kept of two of them, as what is sent by itself and an extension may hold", () => {
    const calls = new Calls();
    calls.make(1, 2);
    for (let turn = 0; turn < 50; turn++) calls.make(1, 1_000 + 2 * turn, 2, 1_001 + 2 * turn);
    expect([calls.begun.get(1), calls.begun.get(2)]).toEqual([1, 1]);
  });

  test("is not kept of those with which nobody goes on any more", () => {
    const calls = new Calls();
    for (const left of [1, 2, 3, 4, 5]) calls.make(left, left, left);
    for (let turn = 0; turn < 50; turn++) calls.make(6, 1_000 + 3 * turn, 1_001 + 3 * turn, 1_002 + 3 * turn);
    expect(calls.begun.get(6)).toBeLessThanOrEqual(2);
  });
});
