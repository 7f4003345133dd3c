import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BufferedLog } from "../../../local/runtime/buffered-log.ts";
import { startWakeTimer } from "../../../local/runtime/wake-timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watchedNode() {
  const messages: string[] = [];
  const state = {
    wakes: 0,
    isOverdue: false,
    error: undefined as Error | undefined,
    fault: undefined as string | undefined,
  };
  const log = new BufferedLog((text) => messages.push(text));
  const awake = startWakeTimer({
    log,
    chain: {
      wake: async () => {
        state.wakes++;
        if (state.error !== undefined) throw state.error;
        return { wasOverdue: state.isOverdue };
      },
    },
    findError: () => state.fault,
    notify: (message) => messages.push(message),
  });
  const complain = (text: string): void => {
    awake.expedite();
    log.add(text);
  };
  return { kept: awake, state, said: messages, complain };
}

test("a node whose alarm the runtime has given up is woken within a minute", async () => {
  const { kept, state, said } = watchedNode();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(state.wakes).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.wakes).toBe(2);
  expect(said).toEqual([]);
  kept.stop();
});

test("a node whose alarm waits for its next try is woken every three seconds until it rings again", async () => {
  const { kept, state, said } = watchedNode();
  state.isOverdue = true;
  await vi.advanceTimersByTimeAsync(60_000 + 15_000);
  expect(state.wakes).toBe(6);
  state.isOverdue = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(state.wakes).toBe(7);
  expect(said).toEqual([]);
  kept.stop();
});

test("a full disk is told of once, in the place of the runtime's complaints, and so is its end", async () => {
  const { kept, state, said, complain } = watchedNode();
  state.error = new Error("POST /operator/wake was answered with 500");
  state.fault = "there is no room left on the disk that holds /data";
  complain("SQLITE_FULL");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(said).toEqual([`The node cannot work: ${state.fault}. It goes on by itself once it can.`]);
  for (let count = 0; count < 10; count++) {
    complain("SQLITE_FULL");
    await vi.advanceTimersByTimeAsync(3_000);
  }
  expect(said).toHaveLength(1);
  state.error = state.fault = undefined;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(said.slice(1)).toEqual(["The node works again."]);
  kept.stop();
});

test("complaints of a node that works are shown within three seconds, and cost one look", async () => {
  const { kept, state, said, complain } = watchedNode();
  for (let count = 0; count < 30; count++) {
    complain(`line ${count}`);
    await vi.advanceTimersByTimeAsync(99);
  }
  await vi.advanceTimersByTimeAsync(100);
  expect(state.wakes).toBe(1);
  expect(said).toEqual(Array.from({ length: 30 }, (_, count) => `line ${count}`));
  kept.stop();
});

test("an unexpected error of the node is shown in full", async () => {
  const { kept, state, said, complain } = watchedNode();
  state.error = new Error("the object is broken");
  complain("a line of the runtime");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(said).toEqual([expect.stringContaining("the object is broken"), "a line of the runtime"]);
  kept.stop();
});

test("a node that is stopped while it is woken is no node that cannot work", async () => {
  const { kept, state, said } = watchedNode();
  state.error = new Error("socket hang up");
  vi.advanceTimersByTime(60_000);
  kept.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state.wakes).toBe(1);
  expect(said).toEqual([]);
});
