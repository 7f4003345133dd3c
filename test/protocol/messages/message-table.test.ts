import { describe, expect, test } from "vitest";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import {
  frameOf,
  type MessageContext,
  maxPayloadBytes,
  messageTable,
  type PeerMessage,
  parseMessage,
} from "../../../src/protocol/messages/message-table.ts";
import { asItIs } from "../../../src/protocol/transactions/transaction-source.ts";

const context: MessageContext = {
  chainId: "R".charCodeAt(0),
  source: { writtenScript: asItIs, ignoresChainId: false, isRecord: false },
};
const id = (sizeBytes: number, byte: number) => new Uint8Array(sizeBytes).fill(byte) as BlockId;

test("no two messages have the same code", () => {
  const codes = Object.values(messageTable).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
});

test.each<PeerMessage>([
  { kind: "getPeers", value: undefined },
  { kind: "peers", value: [{ ip: new Uint8Array([10, 0, 0, 1]), port: 6868 }] },
  { kind: "peers", value: [] },
  { kind: "getBlock", value: id(64, 1) },
  { kind: "getBlockIds", value: [id(64, 1), id(32, 2)] },
  { kind: "blockIds", value: [] },
  { kind: "score", value: 0n },
  { kind: "score", value: 127n },
  { kind: "score", value: 128n },
  { kind: "score", value: 2n ** 200n - 1n },
  { kind: "getMicroBlockSnapshot", value: id(32, 3) },
])("%o is read as it was written", (message) => {
  const frame = frameOf(message, context);
  expect(frame.payload.length).toBeLessThanOrEqual(maxPayloadBytes(frame.code) ?? -1);
  expect(parseMessage(frame, context)).toEqual(message);
});

test("a number whose first bit is set gets a zero before it, as the reference writes it", () => {
  expect(frameOf({ kind: "score", value: 128n }, context).payload).toEqual(new Uint8Array([0, 128]));
  expect(frameOf({ kind: "score", value: 0n }, context).payload).toEqual(new Uint8Array([0]));
});

describe("refused:", () => {
  test.each<[string, number, readonly number[]]>([
    ["a question for peers that says something", 1, [0]],
    ["more peers than there are bytes", 2, [0, 0, 0, 2, 1, 2, 3, 4, 0, 0, 0, 1]],
    ["more peers than a list may have", 2, [0, 0, 4, 0]],
    ["an id of another size", 22, new Array(33).fill(0)],
    ["a list with an id of another size", 32, [0, 0, 0, 1, 1, 7]],
    ["a list with bytes behind it", 33, [0, 0, 0, 0, 9]],
    ["a count below zero", 33, [255, 255, 255, 255]],
    ["signatures that are too few", 20, [0, 0, 0, 1, 1]],
    ["a micro-block's announcement of another size", 26, [1]],
    ["an endorsement that is none", 38, [255]],
    ["a block that is none", 29, [1]],
  ])("%s", (_, code, bytes) => {
    expect(() => parseMessage({ code, payload: new Uint8Array(bytes) }, context)).toThrow(WireError);
  });
});

test("a code that there is none of has no size", () => {
  for (const code of [0, 3, 19, 39, 101, 255]) expect(maxPayloadBytes(code)).toBeUndefined();
});
