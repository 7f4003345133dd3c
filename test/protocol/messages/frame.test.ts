import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { blake2b256 } from "../../../src/crypto/hash.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import { encodeFrame, type Frame, FrameReader } from "../../../src/protocol/messages/frame.ts";

const maxBytes = (code: number) => (code === 9 ? undefined : 100);
const readAll = (...chunks: readonly Uint8Array[]): Frame[] => {
  const reader = new FrameReader(maxBytes);
  return chunks.flatMap((chunk) => [...reader.read(chunk)].map(({ code, payload }) => ({ code, payload })));
};
const payload = new Uint8Array([1, 2, 3]);

test("frames are read whole, however the connection cuts them", () => {
  const frame = fc.record({ code: fc.integer({ min: 10, max: 255 }), payload: fc.uint8Array({ maxLength: 100 }) });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 5 }), fc.array(fc.nat(40), { maxLength: 30 }), (frames, cuts) => {
      const bytes = concatBytes(...frames.map(encodeFrame));
      const chunks: Uint8Array[] = [];
      let at = 0;
      for (const cut of cuts) {
        chunks.push(bytes.subarray(at, at + cut));
        at += cut;
      }
      expect(readAll(...chunks, bytes.subarray(at))).toEqual(frames);
    }),
  );
});

describe("what is no frame ends the connection:", () => {
  const good = encodeFrame({ code: 24, payload });
  const changed = (at: number, byte: number): Uint8Array => good.with(at, byte);
  test.each<[string, Uint8Array, string]>([
    ["another magic number", changed(4, 0), "frame.magic"],
    ["a message that there is none of", changed(8, 9), "frame.code"],
    ["a payload that is too large", changed(11, 1), "frame.payload"],
    ["a payload of less than nothing", changed(9, 0xff), "frame.payload"],
    ["a length that is not the payload's", changed(3, 0), "frame.length"],
    ["another checksum", changed(13, (good[13] as number) ^ 1), "frame.checksum"],
    ["another payload", changed(19, 0), "frame.checksum"],
  ])("%s", (_, bytes, field) => {
    expect(() => readAll(bytes)).toThrow(expect.objectContaining({ name: "WireError", field }));
  });

  test("one that is too large is refused before any of its payload came", () => {
    const head = encodeFrame({ code: 24, payload: new Uint8Array(101) }).subarray(0, 13);
    expect(() => readAll(head)).toThrow(WireError);
  });
});

test("a frame that stops in the middle gives nothing, and what came before it stays", () => {
  const good = encodeFrame({ code: 24, payload });
  expect(readAll(good, good.subarray(0, good.length - 1))).toEqual([{ code: 24, payload }]);
});

test("no payload has no checksum", () => {
  expect(encodeFrame({ code: 1, payload: new Uint8Array() })).toEqual(
    new Uint8Array([0, 0, 0, 9, 0x12, 0x34, 0x56, 0x78, 1, 0, 0, 0, 0]),
  );
});

test("room is made for what comes, not for what is announced", () => {
  const reader = new FrameReader(() => 1_000_000);
  const bytes = encodeFrame({ code: 24, payload: new Uint8Array(900_000) });
  expect([...reader.read(bytes.subarray(0, 13))]).toEqual([]);
  expect([reader.isInFrame, reader.bufferedBytes]).toEqual([true, 0]);
  for (let at = 13; at < bytes.length - 1; at += 1_000) {
    const chunk = bytes.subarray(at, Math.min(at + 1_000, bytes.length - 1));
    expect([...reader.read(chunk)]).toEqual([]);
    const came = at + chunk.length - 13;
    expect(reader.bufferedBytes).toBeGreaterThanOrEqual(came);
    expect(reader.bufferedBytes).toBeLessThanOrEqual(2 * came);
  }
  expect([...reader.read(bytes.subarray(-1))]).toHaveLength(1);
  expect([reader.isInFrame, reader.bufferedBytes]).toEqual([false, 0]);
});

test("an ignored message takes no memory, and the frame after it is read", () => {
  const reader = new FrameReader(
    () => 1_000_000,
    (code) => code === 36,
  );
  const bytes = encodeFrame({ code: 36, payload: new Uint8Array(900_000) });
  for (let at = 0; at < bytes.length - 1; at += 50_000) {
    expect([...reader.read(bytes.subarray(at, Math.min(at + 50_000, bytes.length - 1)))]).toEqual([]);
    expect([reader.isInFrame, reader.bufferedBytes]).toEqual([true, 0]);
  }
  const following = encodeFrame({ code: 24, payload });
  const frames = [...reader.read(concatBytes(bytes.subarray(-1), following))];
  expect(frames.map(({ code, payload: { length } }) => [code, length])).toEqual([
    [36, 0],
    [24, 3],
  ]);
});

test("a frame says the hash of its payload", () => {
  const [frame] = new FrameReader(maxBytes).read(encodeFrame({ code: 24, payload }));
  expect(frame?.payloadHash).toEqual(blake2b256(payload));
});
