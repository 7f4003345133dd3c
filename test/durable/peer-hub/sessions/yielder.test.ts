import { expect, test } from "vitest";
import { Yielder } from "../../../../durable/peer-hub/sessions/yielder.ts";
import { concatBytes } from "../../../../src/crypto/bytes.ts";
import { encodeFrame } from "../../../../src/protocol/messages/frame.ts";
import { messageTable } from "../../../../src/protocol/messages/message-table.ts";
import { testSessions } from "../../../support/builders/test-sessions.ts";
import { FakeTimers } from "../../../support/fakes/fake-timers.ts";

test("of a flood of small messages a limited number is handled before other events run", async () => {
  let inOneTurn = 0;
  let most = 0;
  const { peerAt, timers, received } = testSessions({
    received: () => {
      inOneTurn += 1;
      most = Math.max(most, inOneTurn);
      setImmediate(() => {
        inOneTurn = 0;
      });
    },
  });
  const strangers = [await peerAt("10.0.0.2"), await peerAt("10.0.0.3")];
  const flood = encodeFrame({ code: messageTable.score.code, payload: Uint8Array.of(1) });
  for (const stranger of strangers) stranger.write(concatBytes(...Array<Uint8Array>(500).fill(flood)));
  await timers.pass(0);
  expect(received.length).toBe(1_000);
  expect(most).toBeLessThan(100);
});

test("large messages count as much as many small ones", async () => {
  const timers = new FakeTimers();
  const breaks = new Yielder(timers);
  await breaks.yieldIfDue(1_000_000);
  let isOver = false;
  void breaks.yieldIfDue(0).then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect([isOver, timers.pending]).toEqual([false, 1]);
  await timers.pass(0);
  expect(isOver).toBe(true);
});
