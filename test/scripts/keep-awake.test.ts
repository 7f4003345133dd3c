import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepAwake } from "../../scripts/runner/keep-awake.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function keptNode() {
  const said: string[] = [];
  const state = { wakes: 0, error: undefined as Error | undefined, fault: undefined as string | undefined };
  const kept = keepAwake({
    chain: {
      wake: async () => {
        state.wakes++;
        if (state.error !== undefined) throw state.error;
      },
    },
    findFault: () => state.fault,
    say: (sentence) => said.push(sentence),
  });
  return { kept, state, said };
}

test("a node whose alarm the runtime has given up is woken within a minute", async () => {
  const { kept, state, said } = keptNode();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(state.wakes).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.wakes).toBe(2);
  expect(said).toEqual([]);
  kept.stop();
});

test("a full disk is told of once, soon after the first complaint, and so is its end", async () => {
  const { kept, state, said } = keptNode();
  state.error = new Error("POST /operator/wake was answered with 500");
  state.fault = "there is no room left on the disk that holds /data";
  kept.complained();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(said).toEqual([`The node cannot work: ${state.fault}. It goes on by itself once it can.`]);
  for (let count = 0; count < 10; count++) {
    kept.complained();
    await vi.advanceTimersByTimeAsync(3_000);
  }
  expect(said).toHaveLength(1);
  state.error = state.fault = undefined;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(said.slice(1)).toEqual(["The node works again."]);
  kept.stop();
});

test("complaints of a node that works cost one look in three seconds, and nothing is said", async () => {
  const { kept, state, said } = keptNode();
  for (let count = 0; count < 30; count++) {
    kept.complained();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(state.wakes).toBe(1);
  expect(said).toEqual([]);
  kept.stop();
});
