import { describe, expect, test, vi } from "vitest";
import type { Chain } from "../../src/read-model/chain.ts";
import { LatestState, MAX_AGE_MS, type SeenState } from "../../src/read-model/latest-state.ts";

const stateAt = (sequence: number, identity = "genesis/drawn"): SeenState => {
  const chain: Chain = { version: `tip:${sequence}`, epoch: 0, height: 9, finalizedHeight: 1, identity, sequence };
  return { chain, bookmark: `b-${sequence}` };
};

function arrange() {
  const clock = { nowMs: 1_000_000 };
  const latest = new LatestState(() => clock.nowMs);
  const see = (seen: SeenState) => latest.beginReading()(seen);
  return { clock, latest, see };
}

describe("what is known", () => {
  test("is what was shown last, for its time from the moment the database was asked", () => {
    const { clock, latest } = arrange();
    expect(latest.known()).toBeUndefined();
    const tell = latest.beginReading();
    clock.nowMs += MAX_AGE_MS - 1;
    tell(stateAt(1));
    expect(latest.known()).toEqual(stateAt(1));
    clock.nowMs += 1;
    expect(latest.known()).toBeUndefined();
    expect(latest.known(1_000)).toEqual(stateAt(1));
    expect(latest.newest).toEqual(stateAt(1));
  });

  test("is never an earlier state than one that was shown", () => {
    const { clock, latest, see } = arrange();
    const slow = latest.beginReading();
    see(stateAt(2));
    slow(stateAt(1));
    expect(latest.known()).toEqual(stateAt(2));
    clock.nowMs += MAX_AGE_MS;
    see(stateAt(1));
    expect(latest.known()).toBeUndefined();
    expect(latest.newest).toEqual(stateAt(2));
  });

  test("is another read model's state, whatever its number, once that was asked for later", () => {
    const { clock, latest, see } = arrange();
    const slow = latest.beginReading();
    clock.nowMs += 1;
    see(stateAt(7));
    slow(stateAt(9, "genesis/earlier"));
    expect(latest.known()).toEqual(stateAt(7));
    clock.nowMs += 1;
    see(stateAt(1, "genesis/anew"));
    expect(latest.known()).toEqual(stateAt(1, "genesis/anew"));
  });

  test("is nothing after a write, until the database was asked after it", () => {
    const { latest, see } = arrange();
    see(stateAt(1));
    const during = latest.beginReading();
    latest.outdate();
    expect(latest.known()).toBeUndefined();
    during(stateAt(1));
    expect(latest.known()).toBeUndefined();
    see(stateAt(2));
    expect(latest.known()).toEqual(stateAt(2));
  });

  test("is nothing when the clock was put back behind it", () => {
    const { clock, latest, see } = arrange();
    see(stateAt(1));
    clock.nowMs -= 1;
    expect(latest.known()).toBeUndefined();
  });
});

test("a clock that was put back makes nothing unknown for longer than a question takes", () => {
  const { clock, latest, see } = arrange();
  see(stateAt(1));
  clock.nowMs -= 3_600_000;
  see(stateAt(2));
  expect(latest.known()).toEqual(stateAt(2));
  // A reading before the clock was set back no longer counts.
  clock.nowMs += 3_600_000;
  expect(latest.known()).toBeUndefined();
});

describe("the current state", () => {
  /** A database that responds on command. */
  function database(latest: LatestState) {
    const asked: ((seen: SeenState) => void)[] = [];
    const failures: ((error: Error) => void)[] = [];
    const read = () => {
      const tell = latest.beginReading();
      return new Promise<void>((resolve, reject) => {
        asked.push((seen) => {
          tell(seen);
          resolve();
        });
        failures.push(reject);
      });
    };
    return { asked, failures, current: () => latest.current(read, () => {}) };
  }

  test("is asked for once by all that wait, and not while it is known", async () => {
    const { latest } = arrange();
    const { asked, current } = database(latest);
    const waiting = [current(), current(), current()];
    expect(asked).toHaveLength(1);
    asked[0]?.(stateAt(1));
    expect(await Promise.all(waiting)).toEqual([stateAt(1), stateAt(1), stateAt(1)]);
    expect(await current()).toEqual(stateAt(1));
    expect(asked).toHaveLength(1);
  });

  test("is known to those who wait for it, however long the database takes", async () => {
    const { clock, latest } = arrange();
    const { asked, current } = database(latest);
    const early = current();
    clock.nowMs += MAX_AGE_MS - 1;
    const late = current();
    clock.nowMs += 1_000;
    asked[0]?.(stateAt(1));
    expect(await Promise.all([early, late])).toEqual([stateAt(1), stateAt(1)]);
    expect(asked).toHaveLength(1);
    expect(latest.known()).toBeUndefined();
  });

  test("is asked for again by those who come when a slow database was asked too long ago", async () => {
    const { clock, latest } = arrange();
    const { asked, current } = database(latest);
    const early = current();
    clock.nowMs += MAX_AGE_MS;
    const late = current();
    expect(asked).toHaveLength(2);
    asked[0]?.(stateAt(1));
    asked[1]?.(stateAt(2));
    expect(await early).toBeDefined();
    expect(await late).toEqual(stateAt(2));
  });

  test("is requested again after a write, also by requests that came during the read", async () => {
    const { latest } = arrange();
    const { asked, current } = database(latest);
    const before = current();
    latest.outdate();
    const after = current();
    expect(asked).toHaveLength(2);
    asked[0]?.(stateAt(1));
    // It need not show the write.
    expect(await before).toBeUndefined();
    asked[1]?.(stateAt(2));
    expect(await after).toEqual(stateAt(2));
  });

  test("is unknown where the database fails, and asked for again by the next", async () => {
    const { latest } = arrange();
    const { asked, failures, current } = database(latest);
    const failed = current();
    failures[0]?.(new Error("down"));
    expect(await failed).toBeUndefined();
    const next = current();
    asked[1]?.(stateAt(1));
    expect(await next).toEqual(stateAt(1));
  });

  test("is waited for no longer than for two seconds: the request that asked may have gone", async () => {
    vi.useFakeTimers();
    try {
      const { latest } = arrange();
      const { current } = database(latest);
      const stranded = current();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await stranded).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});
