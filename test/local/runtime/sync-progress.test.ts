import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showSync } from "../../../local/runtime/sync-progress.ts";
import type { SyncProgress } from "../../../src/env.ts";

const second = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Node that gets ten blocks a second up to a hundred, and then follows. */
function watched(isTTY: boolean, progress: () => SyncProgress | undefined) {
  const written: string[] = [];
  const poll = vi.fn(async () => {
    const current = progress();
    if (current === undefined) throw new Error("the runtime is started again");
    return current;
  });
  const shown = showSync({ fetchProgress: poll, out: { isTTY, write: (text) => written.push(text) }, nowMs: Date.now });
  return { written, ask: poll, shown };
}

function catchingUp(): () => SyncProgress {
  const startedMs = Date.now();
  return () => {
    const height = Math.min(10 + Math.floor((Date.now() - startedMs) / 100), 350);
    return { height, blocksAhead: 350 - height, connectedPeers: 2 };
  };
}

test("a terminal has one line that changes, and one that stays", async () => {
  const { written } = watched(true, catchingUp());
  await vi.advanceTimersByTimeAsync(2 * second);
  expect(written).toEqual([
    "\r\x1b[2Kheight 10 of about 350, 2 peers",
    "\r\x1b[2Kheight 20 of about 350, 10 blocks/s, 33 s left, 2 peers",
    "\r\x1b[2Kheight 30 of about 350, 10 blocks/s, 32 s left, 2 peers",
  ]);
  await vi.advanceTimersByTimeAsync(60 * second);
  expect(written.slice(-2)).toEqual(["\r\x1b[2K", "caught up with the peers at height 350: 340 blocks in 34 s\n"]);
});

test("a file has a line each ten seconds, and the last one at once", async () => {
  const { written } = watched(false, catchingUp());
  await vi.advanceTimersByTimeAsync(60 * second);
  expect(written).toEqual([
    "height 10 of about 350, 2 peers\n",
    "height 110 of about 350, 10 blocks/s, 24 s left, 2 peers\n",
    "height 210 of about 350, 10 blocks/s, 14 s left, 2 peers\n",
    "height 310 of about 350, 10 blocks/s, 4 s left, 2 peers\n",
    "caught up with the peers at height 350: 340 blocks in 34 s\n",
  ]);
});

test("a node that keeps up is asked now and then, and nothing is said of it", async () => {
  const { written, ask } = watched(true, () => ({ height: 7, blocksAhead: 0, connectedPeers: 1 }));
  await vi.advanceTimersByTimeAsync(60 * second);
  const polls = ask.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60 * second);
  expect(ask.mock.calls.length - polls).toBe(6);
  expect(written).toEqual([]);
});

test("a runtime that does not answer is asked again", async () => {
  let current: SyncProgress | undefined = { height: 7, blocksAhead: 20, connectedPeers: 1 };
  const { written } = watched(true, () => current);
  await vi.advanceTimersByTimeAsync(0);
  current = undefined;
  await vi.advanceTimersByTimeAsync(5 * second);
  expect(written).toHaveLength(1);
  current = { height: 27, blocksAhead: 0, connectedPeers: 1 };
  await vi.advanceTimersByTimeAsync(second);
  expect(written.at(-1)).toBe("caught up with the peers at height 27: 20 blocks in 6 s\n");
});

test("the line makes room for others, and goes when the node ends", async () => {
  const { written, ask, shown } = watched(true, catchingUp());
  await vi.advanceTimersByTimeAsync(0);
  shown.clear();
  shown.clear();
  expect(written.slice(1)).toEqual(["\r\x1b[2K"]);
  await vi.advanceTimersByTimeAsync(second);
  shown.stop();
  expect(written.at(-1)).toBe("\r\x1b[2K");
  const polls = ask.mock.calls.length;
  await vi.advanceTimersByTimeAsync(10 * second);
  expect(ask.mock.calls.length).toBe(polls);
});
