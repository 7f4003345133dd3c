/** All recorded traffic between nodes is parsed, and encoded to the same bytes again. */
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { decodeHex, encodeHex } from "../../../src/crypto/hex.ts";
import { encodeFrame, type Frame, FrameReader } from "../../../src/protocol/messages/frame.ts";
import { encodeHandshake, HandshakeReader } from "../../../src/protocol/messages/handshake.ts";
import {
  frameOf,
  type MessageContext,
  type MessageKind,
  maxPayloadBytes,
  parseMessage,
} from "../../../src/protocol/messages/message-table.ts";
import { asItIs } from "../../../src/protocol/transactions/transaction-source.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { recordedLines, sharedBytes } from "../../support/fixtures/recorded-lines.ts";

const source = { writtenScript: asItIs, ignoresChainId: false, isRecord: false };
const contextOf = (scheme: string): MessageContext => ({ chainId: scheme.charCodeAt(0), source });

interface RecordedFrame {
  readonly dir: "in" | "out";
  readonly note?: string;
  readonly frame: string;
}

/** Chunks as a connection delivers them: some tiny, some with several frames. */
function* chunksOf(bytes: Uint8Array, random: SeededRandom): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const sizeBytes = random.pick([1, 3, 40, 1_000, 70_000]);
    yield bytes.subarray(at, at + sizeBytes);
    at += sizeBytes;
  }
}

/** The Go node writes a score without the leading zero before a set first bit; both nodes accept either form. */
function written({ payload, ...frame }: Frame, context: MessageContext): Frame {
  const message = parseMessage({ ...frame, payload }, context);
  const again = frameOf(message, context);
  const isShorter = message.kind === "score" && again.payload.length === payload.length + 1;
  return isShorter ? { ...again, payload: again.payload.subarray(1) } : again;
}

/** Reads one direction of a connection to its end. @returns the number of messages of each kind */
function readSide(lines: readonly RecordedFrame[], context: MessageContext, seed: string): Map<MessageKind, number> {
  const handshakes = new HandshakeReader();
  const frames = new FrameReader(maxPayloadBytes);
  const counts = new Map<MessageKind, number>();
  const encoded: Uint8Array[] = [];
  let isGreeted = false;
  const read = (chunk: Uint8Array): void => {
    if (!isGreeted) {
      const greeting = handshakes.read(chunk);
      if (greeting === undefined) return;
      isGreeted = true;
      encoded.push(encodeHandshake(greeting.handshake));
      read(greeting.rest);
      return;
    }
    for (const frame of frames.read(chunk)) {
      const { kind } = parseMessage(frame, context);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      encoded.push(encodeFrame(written(frame, context)));
    }
  };
  const sent = concatBytes(...lines.map(({ frame }) => decodeHex(frame)));
  for (const chunk of chunksOf(sent, new SeededRandom(seed))) read(chunk);
  // One line reports the first difference, instead of a comparison of megabytes of text.
  expect(encodeHex(concatBytes(...encoded)) === encodeHex(sent)).toBe(true);
  return counts;
}

describe.each([
  ["finality-a", "F"],
  ["finality-late", "Q"],
  ["finality-window", "P"],
])("the connection of %s", (name, scheme) => {
  test.for(["p2p.jsonl", "p2p-sync.jsonl"])("%s", (file, { skip }) => {
    const bytes = sharedBytes(`${name}/${file}`);
    if (bytes === undefined) return skip("the recording is not beside the project");
    const lines = bytes
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as RecordedFrame);
    for (const direction of ["in", "out"] as const) {
      const side = lines.filter(({ dir }) => dir === direction);
      const counts = readSide(side, contextOf(scheme), `${name} ${file} ${direction}`);
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      expect(total).toBe(side.filter(({ note }) => note !== "handshake").length);
    }
  });
});

test("messages of a node with endorsements, kept with the project", () => {
  const context = contextOf("Q");
  const kinds = new Set<MessageKind>();
  for (const { id, payload } of recordedLines<{ id: number; payload: string }>("finality-late/messages.jsonl.gz")) {
    const message = parseMessage({ code: id, payload: decodeHex(payload) }, context);
    kinds.add(message.kind);
    expect(encodeHex(frameOf(message, context).payload)).toBe(payload);
  }
  expect(kinds).toEqual(new Set(["microBlockInv", "block", "microBlock", "blockSnapshot", "endorsement"]));
});
