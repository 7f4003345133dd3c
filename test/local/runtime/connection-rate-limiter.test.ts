import { expect, test } from "vitest";
import { ConnectionRateLimiter } from "../../../local/runtime/connection-rate-limiter.ts";

function rateOf(ofAddress: number, ofAll: number) {
  const clock = { nowMs: 0 };
  const rate = new ConnectionRateLimiter({
    ofAddress: { burst: ofAddress, perSecond: 1 },
    ofAll: { burst: ofAll, perSecond: 10 },
    nowMs: () => clock.nowMs,
  });
  const taken = (address: string, count: number) =>
    Array.from({ length: count }, () => rate.tryAcquire(address)).filter(Boolean).length;
  return { clock, taken };
}

test("an address may make so many connections at once, then so many a second", () => {
  const { clock, taken } = rateOf(3, 100);
  expect([taken("a", 10), taken("b", 2)]).toEqual([3, 2]);
  clock.nowMs = 2_500;
  expect([taken("a", 10), taken("b", 10)]).toEqual([2, 3]);
  clock.nowMs = 1_000_000;
  expect(taken("a", 10)).toBe(3);
});

test("all addresses together are bounded, and a refused one costs the others nothing", () => {
  const { clock, taken } = rateOf(3, 5);
  expect([taken("a", 100), taken("b", 100), taken("c", 100)]).toEqual([3, 2, 0]);
  clock.nowMs = 200;
  expect(taken("c", 100)).toBe(2);
});

test("addresses of one IPv6 network make less than half of all, and less than half a second", () => {
  const { clock, taken } = rateOf(50, 200);
  const flood = (): number => {
    let count = 0;
    for (let index = 0; index < 1_000; index++)
      count += taken(`2001:db8:1:${(index * 61).toString(16)}::${(index + 1).toString(16)}`, 1);
    return count;
  };
  expect(flood()).toBe(90);
  clock.nowMs = 10_000;
  expect(flood()).toBeLessThan(50);
  expect(taken("2001:db8:2::1", 1)).toBe(1);
});

test("addresses that came longest ago are forgotten", () => {
  const { taken } = rateOf(1, 1_000_000);
  expect(taken("first", 2)).toBe(1);
  for (let index = 0; index < 10_000; index++) taken(`${index}`, 1);
  expect(taken("first", 2)).toBe(1);
});
