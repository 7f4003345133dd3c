import { expect, it } from "vitest";
import { BlockIdsRequest } from "../../../../durable/peer-hub/sync/block-ids-request.ts";
import type { BlockId } from "../../../../src/protocol/blocks/block.ts";
import { FakePeer } from "../../../support/fakes/fake-peer.ts";
import { FakeTimers } from "../../../support/fakes/fake-timers.ts";

const id = (byte: number) => new Uint8Array(32).fill(byte) as BlockId;

it("a response to a forgotten request is no response to a later request to the same peer", () => {
  const timers = new FakeTimers();
  const query = new BlockIdsRequest({ timers, timeoutMs: 60_000, isSlow: () => {}, isSilent: () => {} });
  const peer = new FakePeer({
    opened: () => {},
    received: () => {},
    knowsBlock: () => false,
    acceptsHeader: async () => true,
    expectsSnapshots: () => false,
    closed: () => {},
  });
  const from = { peer, score: 1n };
  query.send(query.begin(from), [id(2), id(1)]);
  query.forget();
  const request = query.begin(from);
  query.send(request, [id(4), id(3)]);
  expect(query.matchResponse(peer, [id(2), id(9)])).toBeUndefined();
  expect(query.current).toBe(request);
  expect(query.matchResponse(peer, [id(3), id(8)])).toBe(request);
});
