import { expect, it } from "vitest";
import type { Peer } from "../../../../durable/peer-hub/peer.ts";
import { ServedBytes, servedLimits } from "../../../../durable/peer-hub/sync/served-bytes.ts";

const at = (...ip: number[]) => ({ remote: { ip: Uint8Array.from(ip), port: 1 } }) as Peer;
const { ofHost, all, always } = servedLimits;

it("a host has its share of a minute, by the bytes of answers and by ids", () => {
  let nowMs = 0;
  const served = new ServedBytes(() => nowMs);
  served.count(at(10, 0, 0, 1), 0, ofHost);
  expect(served.isOver(at(10, 0, 0, 1))).toBe(false);
  served.count(at(10, 0, 0, 1), 1, 0);
  expect([served.isOver(at(10, 0, 0, 1)), served.isOver(at(10, 0, 0, 2))]).toEqual([true, false]);
  nowMs = 60_000;
  expect(served.isOver(at(10, 0, 0, 1))).toBe(false);
});

it("where all together have had too much, those wait that have had more than a little", () => {
  let nowMs = 0;
  const served = new ServedBytes(() => nowMs);
  for (let host = 1; host <= all / ofHost; host++) served.count(at(10, 0, 0, host), 0, ofHost);
  const [little, much] = [at(10, 0, 1, 1), at(10, 0, 1, 2)];
  served.count(little, 0, always);
  served.count(much, 0, always + 1);
  const states = () => [at(10, 0, 0, 1), little, much, at(10, 0, 1, 3)].map((peer) => served.isOver(peer));
  expect(states()).toEqual([true, false, true, false]);
  nowMs = 60_000;
  expect(states()).toEqual([false, false, false, false]);
});
