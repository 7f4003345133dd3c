/**
 * Rates by host: all addresses of one subscriber's network share a rate, and a wider network has a slightly higher one.
 */
import { expect, test } from "vitest";
import type { Peer } from "../../../../durable/peer-hub/peer.ts";
import { HostRateLimiter } from "../../../../durable/peer-hub/sync/host-rate-limiter.ts";
import { ipOf } from "../../../support/fakes/memory-network.ts";

const peerAt = (ip: string) => ({ remote: { ip: ipOf(ip), port: 6868 } }) as Peer;

test.each([
  ["64", (index: number) => `2001:db8:1:2::${index.toString(16)}`],
  ["56", (index: number) => `2001:db8:1:${index.toString(16)}::1`],
  ["48", (index: number) => `2001:db8:1:${index.toString(16)}00::1`],
])("another address in the same %s bits of IPv6 is the same host after too many violations", (_, addressAt) => {
  const rates = new HostRateLimiter({ limit: 10, perMs: 60_000, nowMs: () => 0 });
  const wereOver = Array.from({ length: 30 }, (__, index) => rates.count(peerAt(addressAt(index + 1))));
  expect(wereOver.indexOf(true)).toBeGreaterThanOrEqual(10);
  expect(wereOver.slice(19)).not.toContain(false);
  expect(rates.isOver(peerAt(addressAt(99)))).toBe(true);
  expect(rates.lately(peerAt(addressAt(99)))).toBe(30);
  expect(rates.isOver(peerAt("2001:db8:2::1"))).toBe(false);
});
