import { expect, test } from "vitest";
import { outboundLimits } from "../../../../durable/peer-hub/sessions/outbound-queue.ts";
import { sessionLimits } from "../../../../durable/peer-hub/sessions/peer-sessions.ts";
import { ReceivedTransactions } from "../../../../durable/peer-hub/sessions/received-transactions.ts";
import { concatBytes, i32Bytes } from "../../../../src/crypto/bytes.ts";
import type { BlockId } from "../../../../src/protocol/blocks/block.ts";
import { type BlockSnapshot, encodeBlockSnapshot } from "../../../../src/protocol/messages/block-snapshot.ts";
import { encodeFrame } from "../../../../src/protocol/messages/frame.ts";
import { dataFrame } from "../../../support/builders/data-frame.ts";
import { testSessions } from "../../../support/builders/test-sessions.ts";
import { FakeTimers } from "../../../support/fakes/fake-timers.ts";
import { ipOf } from "../../../support/fakes/memory-network.ts";

const minute = 60_000;
const MiB = 1024 * 1024;
const head = (code: number, payloadBytes: number): Uint8Array =>
  concatBytes(i32Bytes(13 + payloadBytes), i32Bytes(0x12345678), new Uint8Array([code]), i32Bytes(payloadBytes));
const largeSnapshot: BlockSnapshot = {
  blockId: new Uint8Array(32) as Uint8Array as BlockId,
  snapshots: [new Uint8Array(400_000)],
};

/** Message that no handler reads. */
const frameOfSize = (code: number, sizeBytes: number): Uint8Array => new Uint8Array(sizeBytes).with(8, code);

test("of a thousand connections of one host three are accepted, and of as many hosts a hundred", async () => {
  const { peerAt, peers, sessions } = testSessions();
  for (let at = 0; at < 1_000; at++) await peerAt("10.0.0.2", { nonce: BigInt(at) });
  expect(peers).toHaveLength(3);
  for (let at = 0; at < 1_000; at++) await peerAt(`10.1.${at >> 8}.${at & 255}`);
  expect([peers.length, (await sessions.connected()).length, sessions.openPeers().length]).toEqual([100, 100, 100]);
  // The refused ones are not blacklisted.
  expect(await sessions.blacklisted()).toEqual([]);
});

test("of the addresses of an IPv6 network a few connections are accepted", async () => {
  const { peerAt, peers } = testSessions();
  for (let at = 1; at < 100; at++) await peerAt(`2001:db8:1:2::${at.toString(16)}`);
  expect(peers).toHaveLength(3);
  for (let at = 1; at < 100; at++) await peerAt(`2001:db8:1:${(at * 257).toString(16)}::1`);
  expect(peers).toHaveLength(5);
  await peerAt("2001:db8:2::1");
  expect(peers).toHaveLength(6);
});

test("silent connections occupy slots only until the handshake timeout", async () => {
  const { dialedBy, timers, peerAt, peers, reasons } = testSessions();
  const silent = Array.from({ length: 150 }, (_, at) => dialedBy(`10.1.0.${at}`));
  await timers.pass(0);
  expect(silent.filter(({ isClosed }) => !isClosed)).toHaveLength(100);
  expect((await peerAt("10.0.0.3")).isClosed).toBe(true);
  await timers.pass(30_000);
  expect([(await peerAt("10.0.0.3")).isClosed, peers.length, Object.keys(await reasons()).length]).toEqual([
    false,
    1,
    100,
  ]);
});

test("a host that is blacklisted is refused, until that is over or the owner clears it", async () => {
  const { peerAt, timers, sessions, peers, closed } = testSessions();
  await peerAt("10.0.0.2");
  expect(await sessions.blacklist("10.0.0.2")).toBe(true);
  expect([peers.length, closed.length]).toEqual([0, 1]);
  expect(await sessions.blacklisted()).toEqual([
    { host: "10.0.0.2", timestampMs: timers.nowMs(), reason: "Debug API request" },
  ]);
  // The same host as an IPv4-mapped IPv6 address.
  expect((await peerAt("::ffff:10.0.0.2")).isClosed).toBe(true);
  await timers.pass(15 * minute - 1);
  expect((await peerAt("10.0.0.2")).isClosed).toBe(true);
  await timers.pass(1);
  expect((await peerAt("10.0.0.2")).isClosed).toBe(false);
  await sessions.blacklist("10.0.0.2");
  await sessions.clearBlacklist();
  expect((await peerAt("10.0.0.2")).isClosed).toBe(false);
});

test("another address of an IPv6 subscriber that is blacklisted is refused", async () => {
  const { peerAt, sessions, peers } = testSessions();
  await peerAt("2001:db8:1:2::1");
  expect(await sessions.blacklist("2001:db8:1:2::7")).toBe(true);
  expect(peers).toHaveLength(0);
  expect((await peerAt("2001:db8:1:2:ffff::1")).isClosed).toBe(true);
  expect((await peerAt("2001:db8:1:3::1")).isClosed).toBe(false);
  expect(await sessions.blacklisted()).toMatchObject([{ host: "2001:db8:1:2:0:0:0:0" }]);
});

test("a node with a disabled blacklist closes the connection all the same", async () => {
  const { peerAt, timers, sessions } = testSessions({ settings: { enableBlacklisting: false } });
  const stranger = await peerAt("10.0.0.2");
  stranger.write(new Uint8Array(20));
  await timers.pass(0);
  expect([stranger.isClosed, await sessions.blacklisted()]).toEqual([true, []]);
  expect((await peerAt("10.0.0.2")).isClosed).toBe(false);
});

test("information about connected peers", async () => {
  const { peerAt, sessions } = testSessions();
  await peerAt("10.0.0.2", { declaredAddress: { ip: ipOf("1.2.3.4"), port: 6863 } });
  expect(await sessions.connected()).toEqual([
    {
      address: "10.0.0.2:50000",
      declaredAddress: "1.2.3.4:6863",
      name: "stranger",
      nonce: 1_000n,
      applicationName: "wavesR",
      applicationVersion: "1.5.7",
    },
  ]);
});

test("a hundred frames that are announced and do not come take hardly any memory", async () => {
  const { peerAt, timers, peers, sessions } = testSessions();
  const strangers = await Promise.all(Array.from({ length: 100 }, (_, at) => peerAt(`10.1.0.${at}`)));
  for (const stranger of strangers) stranger.write(concatBytes(head(28, 32 * MiB), new Uint8Array(1_000)));
  await timers.pass(0);
  expect(peers).toHaveLength(100);
  expect(sessions.memory.held).toBe(100 * 1_000);
  await timers.pass(5 * minute);
  expect([peers.length, sessions.memory.held]).toEqual([0, 0]);
});

test("endless frames are held up to a sum, and an honest peer's block comes through", async () => {
  const { peerAt, timers, closed, sessions, received, reasons } = testSessions();
  const chunk = new Uint8Array(256 * 1024);
  const hostile = await Promise.all(Array.from({ length: 60 }, (_, at) => peerAt(`10.1.0.${at}`)));
  for (const stranger of hostile) stranger.write(head(23, 18_000_000));
  let most = 0;
  for (let at = 0; at < 8; at++)
    for (const stranger of hostile) {
      stranger.write(chunk);
      await timers.pass(0);
      most = Math.max(most, sessions.memory.held);
    }
  expect(most).toBeLessThanOrEqual(sessionLimits.held);
  expect(closed.length).toBeGreaterThan(40);
  const honest = await peerAt("10.0.0.2");
  const score = encodeFrame({ code: 24, payload: new Uint8Array([5]) });
  const unknown = encodeFrame({ code: 29, payload: new Uint8Array(1_000_000).fill(255) });
  honest.write(score, unknown);
  await timers.pass(0);
  expect(received).toEqual([{ kind: "score", value: 5n }]);
  // It came whole, and was handled: here it is no block.
  expect(await reasons()).toEqual({ "10.0.0.2": expect.stringMatching(/^Invalid message/) });
});

test("large messages are handled a few at a time, and those of peers whose connections were closed not at all", async () => {
  let inProgress = 0;
  let most = 0;
  const finish: (() => void)[] = [];
  const { peerAt, timers, received, sessions } = testSessions({
    received: async () => {
      most = Math.max(most, ++inProgress);
      await new Promise<void>((resolve) => finish.push(resolve));
      inProgress--;
    },
  });
  const strangers = await Promise.all(Array.from({ length: 60 }, (_, at) => peerAt(`10.1.0.${at}`)));
  for (const [at, stranger] of strangers.entries()) stranger.write(dataFrame(at, 4));
  await timers.pass(0);
  const atOnce = Math.floor(sessionLimits.inHand / dataFrame(0, 4).length);
  expect(received.length).toBe(atOnce);
  expect(sessions.memory.inHand).toBeLessThanOrEqual(sessionLimits.inHand);
  // Messages in progress are not counted.
  const waiting = sessions.memory.held / (60 - atOnce);
  expect([waiting > 128_000, waiting < dataFrame(0, 4).length]).toEqual([true, true]);
  for (const at of strangers.keys()) if (at >= 40) await sessions.blacklist(`10.1.0.${at}`);
  while (finish.length > 0) {
    finish.shift()?.();
    await timers.pass(0);
  }
  expect([received.length, most, sessions.memory]).toEqual([40, atOnce, { held: 0, inHand: 0, waiting: 0 }]);
});

test("a peer that reads nothing is closed once too much waits for it, and notifications are omitted before", async () => {
  const { dialedBy, timers, peers, closed, sessions } = testSessions();
  dialedBy("10.0.0.2", { reads: false }).greet();
  await timers.pass(0);
  const [peer] = peers;
  for (let at = 0; at < 10_000; at++) peer?.sendFrame(frameOfSize(31, 1_000));
  await timers.pass(0);
  expect(sessions.memory.waiting).toBeLessThan(outboundLimits.newsBytes + 2_000);
  expect(closed).toEqual([]);
  for (let at = 0; at < 4; at++) peer?.sendFrame(frameOfSize(29, MiB));
  expect(closed).toEqual([peer]);
  expect(sessions.memory.waiting).toBe(0);
});

test("of the omitted scores a peer gets the last one when it has read the waiting frames", async () => {
  const { dialedBy, timers, peers } = testSessions();
  const stranger = dialedBy("10.0.0.2", { reads: false }).greet();
  await timers.pass(0);
  const [peer] = peers;
  peer?.sendFrame(encodeFrame({ code: 36, payload: encodeBlockSnapshot(largeSnapshot) }));
  for (const value of [5n, 6n, 7n]) peer?.send({ kind: "score", value });
  void stranger.read();
  await timers.pass(0);
  expect(stranger.kinds).toEqual(["getPeers", "blockSnapshot", "score"]);
  expect(stranger.messages.at(-1)).toEqual({ kind: "score", value: 7n });
  peer?.send({ kind: "score", value: 8n });
  await timers.pass(0);
  expect(stranger.messages.slice(3)).toEqual([{ kind: "score", value: 8n }]);
});

test("a peer that reads nothing for five minutes is closed, however much it sends", async () => {
  const { dialedBy, timers, peers, closed } = testSessions();
  const stranger = dialedBy("10.0.0.2", { reads: false }).greet();
  await timers.pass(0);
  peers[0]?.sendFrame(frameOfSize(29, MiB));
  for (let at = 0; at < 5; at++) {
    expect(closed).toEqual([]);
    stranger.send({ kind: "score", value: 1n });
    await timers.pass(minute);
  }
  expect(closed).toHaveLength(1);
});

test("a single frame may be larger than the limit for several, and what a peer reads makes room", async () => {
  const { dialedBy, timers, peers } = testSessions();
  const stranger = dialedBy("10.0.0.2", { reads: false }).greet();
  await timers.pass(0);
  const [peer] = peers;
  const isDrained = { yet: false };
  // The request for peers was written already.
  await peer?.drained();
  peer?.sendFrame(encodeFrame({ code: 30, payload: new Uint8Array(1_000_000) }));
  void peer?.drained().then(() => {
    isDrained.yet = true;
  });
  await timers.pass(0);
  expect(isDrained.yet).toBe(false);
  const reading = stranger.read().catch(() => undefined);
  await timers.pass(0);
  expect([isDrained.yet, peers.length]).toEqual([true, 1]);
  stranger.connection.close();
  await reading;
});

test("a frame for many peers is stored once, and the sum over all of them is bounded", async () => {
  const { dialedBy, timers, peers, closed, sessions } = testSessions();
  for (let at = 0; at < 30; at++) dialedBy(`10.1.0.${at}`, { reads: false }).greet();
  await timers.pass(0);
  const shared = frameOfSize(29, MiB);
  for (const peer of [...peers]) peer.sendFrame(shared);
  expect([sessions.memory.waiting, peers.length]).toEqual([shared.length, 30]);
  for (const peer of [...peers]) peer.sendFrame(frameOfSize(29, MiB));
  expect(sessions.memory.waiting).toBeLessThanOrEqual(sessionLimits.waiting);
  // In addition to the first frame of each.
  expect(peers.length).toBe(Math.floor(sessionLimits.waiting / shared.length) - 1);
  expect(closed.length).toBe(30 - peers.length);
  sessions.stop();
  expect(sessions.memory.waiting).toBe(0);
});

test("a repeated transaction is not read again for three minutes from the same peer, for ten seconds from others", async () => {
  const { peerAt, timers, received } = testSessions();
  const both = [await peerAt("10.0.0.2"), await peerAt("10.0.0.3")] as const;
  const send = async (frame: Uint8Array, ...by: readonly (typeof both)[number][]): Promise<number> => {
    for (const stranger of by) stranger.write(frame, frame);
    await timers.pass(0);
    return received.length;
  };
  expect([await send(dataFrame(1), ...both), await send(dataFrame(2), ...both)]).toEqual([1, 2]);
  await timers.pass(9_999);
  expect(await send(dataFrame(1), both[1])).toBe(2);
  await timers.pass(1);
  expect(await send(dataFrame(1), ...both)).toBe(3);
  await timers.pass(3 * minute - 10_001);
  expect(await send(dataFrame(2), both[0])).toBe(3);
  await timers.pass(1);
  expect(await send(dataFrame(2), both[0])).toBe(4);
});

test("a transaction for which there was no room is read when another peer sends it", async () => {
  const room = { isThere: false };
  const { peerAt, timers, received, closed } = testSessions({
    received: () => (room.isThere ? undefined : false),
  });
  const both = [await peerAt("10.0.0.2"), await peerAt("10.0.0.3")];
  both[0]?.write(dataFrame(1));
  await timers.pass(0);
  room.isThere = true;
  both[1]?.write(dataFrame(1));
  await timers.pass(0);
  expect([received.length, closed.length]).toEqual([2, 0]);
});

test("a transaction whose handling failed is read when it comes again", async () => {
  const failure = { isThere: true };
  const { peerAt, timers, received, closed } = testSessions({
    received: () => {
      if (failure.isThere) throw new Error("the chain is not there");
    },
  });
  const both = [await peerAt("10.0.0.2"), await peerAt("10.0.0.3")];
  both[0]?.write(dataFrame(1));
  await timers.pass(0);
  failure.isThere = false;
  both[1]?.write(dataFrame(1));
  await timers.pass(0);
  expect([received.length, closed.length]).toEqual([2, 1]);
});

test("a limited number of transactions is remembered", () => {
  const timers = new FakeTimers();
  const received = new ReceivedTransactions(3 * minute, () => timers.nowMs());
  const hash = (number: number): Uint8Array => Uint8Array.from(String(number).padStart(32), Number);
  const added = Array.from({ length: 40_000 }, (_, number) => received.add(hash(number), 1));
  expect([added.includes(false), received.size]).toEqual([false, 30_000]);
  expect([received.add(hash(39_999), 1), received.add(hash(0), 1)]).toEqual([false, true]);
});
