import { describe, expect, test } from "vitest";
import { concatBytes, equalBytes, i32Bytes } from "../../../../src/crypto/bytes.ts";
import { joinProtobufBlock } from "../../../../src/protocol/blocks/protobuf-block.ts";
import { encodeFrame } from "../../../../src/protocol/messages/frame.ts";
import { maxPayloadBytes } from "../../../../src/protocol/messages/message-table.ts";
import { chainId, genesis } from "../../../support/builders/test-block.ts";
import { testSessions } from "../../../support/builders/test-sessions.ts";

const score = encodeFrame({ code: 24, payload: new Uint8Array([5]) });
const message = (code: number, ...bytes: number[]): Uint8Array =>
  encodeFrame({ code, payload: Uint8Array.from(bytes) });
const invalid = "Invalid message.";
/** Header of a frame that is as large as it announces. */
const head = (code: number, payloadBytes: number): Uint8Array =>
  concatBytes(i32Bytes(13 + payloadBytes), i32Bytes(0x12345678), new Uint8Array([code]), i32Bytes(payloadBytes));
const tooLong =
  "Corrupted message frame: io.netty.handler.codec.TooLongFrameException: Adjusted frame length exceeds 104857600:";
const malformed = "Malformed network message: java.lang.IllegalArgumentException: requirement failed:";
const minute = 60_000;

describe("a peer is blacklisted that sends", () => {
  test.each<[string, Uint8Array, string]>([
    ["another magic number", score.with(4, 0), `${malformed} invalid magic number`],
    ["a message that there is none of", score.with(8, 99), `${malformed} Unexpected message code 99`],
    ["one of a code from 128 on", score.with(8, 200), `${malformed} Unexpected message code -56`],
    ["a score of 65 bytes", head(24, 65), `${malformed} Score message length 65 exceeds 64`],
    ["an invalid request", head(1, 1), `${malformed} GetPeers message length 1 exceeds 0`],
    ["a list of 1,001 peers", head(2, 8_012), `${malformed} Peers message length 8012 exceeds 8004`],
    ["a block of 19 MB", head(23, 19_000_000), `${malformed} Block message length 19000000 exceeds 18432271`],
    [
      "a micro-block of 2 GB",
      head(30, 2 ** 31 - 14),
      `${malformed} PBMicroBlock message length 2147483634 exceeds 1086350`,
    ],
    ["less than nothing", head(24, -5), "Malformed network message: java.lang.NegativeArraySizeException: -5"],
    ["another checksum", score.with(13, (score[13] as number) ^ 1), `${malformed} invalid checksum`],
    ["bytes after the payload", score.with(3, 99), `${malformed} invalid magic number`],
    [
      "less than the payload is long",
      score.with(3, 11),
      "Malformed network message: java.lang.IndexOutOfBoundsException: 14 bytes expected, got 11",
    ],
    ["a frame of 2 GB", score.with(0, 127), `${tooLong} 2130706450 - discarded`],
    ["a frame of 4 GB", score.with(0, 255), `${tooLong} 4278190098 - discarded`],
    [
      "a list whose count is not its length",
      encodeFrame({ code: 2, payload: i32Bytes(1) }),
      "Invalid message. assertion failed: Invalid KnownPeers message length 4, expecting 12 for 1 peers",
    ],
    ["a list without a count", message(33), "Invalid message. array too small: 0 < 4"],
    [
      "a list of less than no ids",
      message(33, 255, 255, 255, 255),
      `${invalid} requirement failed: Data does not match length`,
    ],
    [
      "fewer signatures than announced",
      message(20, 0, 0, 0, 1),
      `${invalid} assertion failed: Data does not match length`,
    ],
    ["an id of one byte", message(22, 1), `${invalid} requirement failed: Data does not match length`],
    ["another one", message(34, 1), `${invalid} requirement failed: Data does not match length`],
    ["an announcement of one byte", message(26, 1), `${invalid} 1 (of class java.lang.Integer)`],
    [
      "a peer at a port that there is none of",
      encodeFrame({ code: 2, payload: concatBytes(i32Bytes(1), i32Bytes(1), i32Bytes(70_000)) }),
      "Invalid message. port out of range:70000",
    ],
  ])("%s", async (_, bytes, reason) => {
    const { peerAt, timers, peers, closed, received, reasons } = testSessions();
    const stranger = await peerAt("10.0.0.2");
    stranger.write(bytes);
    await timers.pass(0);
    expect([stranger.isClosed, peers.length, closed.length, received]).toEqual([true, 0, 1, []]);
    expect(await reasons()).toEqual({ "10.0.0.2": reason });
  });

  test.each([
    ["a transaction of the older form", 25],
    ["a transaction", 31],
    ["a block", 29],
    ["a micro-block", 30],
    ["a block of the older form", 23],
  ])("%s that is invalid", async (_, code) => {
    const { peerAt, timers, received, reasons } = testSessions();
    (await peerAt("10.0.0.2")).write(encodeFrame({ code, payload: new Uint8Array([255, 1, 2, 3]) }));
    await timers.pass(0);
    expect(received).toEqual([]);
    expect(await reasons()).toEqual({ "10.0.0.2": expect.stringMatching(/^Invalid message\. ./) });
  });
});

test("bytes after the handshake in the same chunk are read, and messages come in their order", async () => {
  const { dialedBy, timers, received } = testSessions();
  const more = encodeFrame({ code: 24, payload: new Uint8Array([6]) });
  dialedBy("10.0.0.2")
    .greet()
    .write(concatBytes(score, more.subarray(0, 9)), more.subarray(9));
  await timers.pass(0);
  expect(received).toEqual([
    { kind: "score", value: 5n },
    { kind: "score", value: 6n },
  ]);
});

test("messages for light nodes are skipped, whatever their content", async () => {
  const { sessions, peerAt, timers, received, peers } = testSessions();
  const nonsense = new Uint8Array([255, 255]);
  const large = encodeFrame({ code: 36, payload: new Uint8Array(1_000_000) });
  const peer = await peerAt("10.0.0.2");
  peer.write(
    encodeFrame({ code: 36, payload: nonsense }),
    encodeFrame({ code: 37, payload: nonsense }),
    score,
    large.subarray(0, -1),
  );
  await timers.pass(0);
  expect([received.length, peers.length]).toEqual([1, 1]);
  expect(sessions.memory.held).toBe(0);
  peer.write(large.subarray(-1), score);
  await timers.pass(0);
  expect([received.length, peers.length]).toEqual([2, 1]);
});

test("a peer that sends nothing for five minutes is closed, and not blacklisted", async () => {
  const { peerAt, timers, reasons, sessions } = testSessions();
  const stranger = await peerAt("10.0.0.2");
  await timers.pass(4 * minute);
  stranger.write(score);
  await timers.pass(5 * minute - 1);
  expect(stranger.isClosed).toBe(false);
  await timers.pass(1);
  expect([stranger.isClosed, await reasons(), await sessions.suspended()]).toEqual([true, {}, []]);
});

test("a frame has five minutes: a byte a minute keeps no connection open", async () => {
  const { peerAt, timers, received } = testSessions();
  const stranger = await peerAt("10.0.0.2");
  await timers.pass(4 * minute);
  for (const byte of score.subarray(0, 5)) {
    expect(stranger.isClosed).toBe(false);
    stranger.write(new Uint8Array([byte]));
    await timers.pass(minute);
  }
  expect([stranger.isClosed, received]).toEqual([true, []]);
});

test("the next message is read when the last one was handled, and a peer is not idle meanwhile", async () => {
  let finish = (): void => undefined;
  const { peerAt, timers, received, peers } = testSessions({
    received: () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  });
  const stranger = await peerAt("10.0.0.2");
  stranger.write(score, score);
  await timers.pass(60 * minute);
  expect([received.length, peers.length]).toEqual([1, 1]);
  finish();
  await timers.pass(0);
  expect(received).toHaveLength(2);
});

test("an internal error of this node closes the connection, and blacklists no peer", async () => {
  const { peerAt, timers, closed, reasons, sessions } = testSessions({
    received: async () => {
      throw new Error("the chain is not there");
    },
  });
  (await peerAt("10.0.0.2")).write(score);
  await timers.pass(0);
  expect([closed.length, await reasons(), await sessions.suspended()]).toEqual([1, {}, []]);
});

test("every message has a limit that is the reference's or less", () => {
  const largest = Array.from({ length: 256 }, (_, code) => maxPayloadBytes(code) ?? 0);
  expect(Math.max(...largest)).toBe(32 * 1024 * 1024);
});

const invalidMessage = { "10.0.0.2": expect.stringMatching(/^Invalid message/) };
test.each([
  ["is known", true, true, {}],
  ["does not fit", false, false, {}],
  ["may fit", false, true, invalidMessage],
])("whether the transactions of a large block are read if it %s", async (_, isKnown, isTaken, reasonsThen) => {
  const { peerAt, timers, received, reasons } = testSessions({
    knowsBlock: (_, id) => isKnown && equalBytes(id, genesis.id),
    acceptsHeader: async (_, { id }) => isTaken && equalBytes(id, genesis.id),
  });
  const payload = joinProtobufBlock({ head: genesis, transactions: [new Uint8Array(20_000)] }, chainId);
  (await peerAt("10.0.0.2")).write(encodeFrame({ code: 29, payload }), score);
  await timers.pass(0);
  expect(await reasons()).toEqual(reasonsThen);
  expect(received.map(({ kind }) => kind)).toEqual(reasonsThen === invalidMessage ? [] : ["score"]);
});
