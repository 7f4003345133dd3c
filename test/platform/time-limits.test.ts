import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LOOK_EVERY_MS, late, TimeLimits } from "../../src/platform/time-limits.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const limitMs = 20_000;

function arrange() {
  const limits = new TimeLimits(Date.now);
  const looks: Promise<unknown>[] = [];
  const request = { waitUntil: (work: Promise<unknown>) => void looks.push(work) };
  return {
    looks,
    wait: <Value>(work: Promise<Value>, ms = limitMs) => limits.within(work, ms, request),
  };
}
const never = () => new Promise<never>(() => {});

/** What came of it so far. */
function watched<Value>(work: Promise<Value>) {
  const seen: { value?: Value; error?: unknown } = {};
  work.then(
    (value) => {
      seen.value = value;
    },
    (error: unknown) => {
      seen.error = error;
    },
  );
  return seen;
}

test("what comes within the time is given as it comes", async () => {
  const { wait } = arrange();
  expect(await wait(Promise.resolve(1))).toBe(1);
  const work = Promise.withResolvers<string>();
  const waiting = wait(work.promise);
  await vi.advanceTimersByTimeAsync(limitMs - 1);
  work.resolve("in time");
  expect(await waiting).toBe("in time");
});

test("what fails fails as it does", async () => {
  const { wait } = arrange();
  await expect(wait(Promise.reject(new Error("its own")))).rejects.toThrow("its own");
});

test("what does not come is late, not before its limit and at most a look behind it", async () => {
  const { wait } = arrange();
  void wait(never(), 3 * limitMs);
  await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS / 2);
  const seen = watched(wait(never()));
  await vi.advanceTimersByTimeAsync(limitMs - 1);
  expect(seen).toEqual({});
  await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS);
  expect(seen).toEqual({ value: late });
});

test("each has its own limit", async () => {
  const { wait } = arrange();
  const [short, long] = [watched(wait(never(), 2_000)), watched(wait(never(), 5_000))];
  await vi.advanceTimersByTimeAsync(2_000);
  expect([short, long]).toEqual([{ value: late }, {}]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(long).toEqual({ value: late });
});

test("an error that comes too late is nobody's", async () => {
  const { wait } = arrange();
  const work = Promise.withResolvers<never>();
  const seen = watched(wait(work.promise, 1_000));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toEqual({ value: late });
  work.reject(new Error("too late"));
  await vi.advanceTimersByTimeAsync(0);
});

test("one timer a second is set for all, and none once nobody waits", async () => {
  const { wait, looks } = arrange();
  for (let number = 0; number < 100; number++) await wait(Promise.resolve(number));
  expect(looks).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(1);
  void wait(never());
  await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS);
  expect(looks).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(limitMs);
  await Promise.all(looks);
  expect(vi.getTimerCount()).toBe(0);
});

test("where whoever looked is no more, another one looks", async () => {
  const { wait, looks } = arrange();
  void wait(never());
  // Its request has gone, and its timer with it.
  vi.clearAllTimers();
  vi.setSystemTime(Date.now() + 2 * LOOK_EVERY_MS);
  const seen = watched(wait(never(), 1_000));
  expect(looks).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(LOOK_EVERY_MS);
  expect(seen).toEqual({ value: late });
});

test("a clock that is put back keeps nobody from looking", async () => {
  const { wait } = arrange();
  void wait(never());
  vi.setSystemTime(Date.now() - 3_600_000);
  const seen = watched(wait(never(), 1_000));
  await vi.advanceTimersByTimeAsync(2 * LOOK_EVERY_MS);
  expect(seen).toEqual({ value: late });
});
