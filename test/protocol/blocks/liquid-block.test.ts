/** Micro-blocks: recorded from real nodes, and built here. */

import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { sign } from "../../../src/crypto/curve25519.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import type { BlockId, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { hasValidBlockSignature } from "../../../src/protocol/blocks/block-signature.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import {
  buildMicroBlock,
  extendLiquidBlock,
  hasValidMicroBlockSignature,
  type LiquidBlock,
  liquidBlock,
} from "../../../src/protocol/blocks/liquid-block.ts";
import { encodeBlock, parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { transactionsRoot } from "../../../src/protocol/blocks/transactions-root.ts";
import { validateBlockForm } from "../../../src/protocol/blocks/validate-block-form.ts";
import { RuleError, WireError } from "../../../src/protocol/errors.ts";
import { encodeBlockSnapshot, parseBlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import { encodeEndorsement, parseEndorsement } from "../../../src/protocol/messages/endorsement.ts";
import {
  encodeMicroBlock,
  isLegacyMicroBlock,
  microBlockSignedBytes,
  parseLegacyMicroBlock,
  parseMicroBlock,
} from "../../../src/protocol/messages/micro-block.ts";
import {
  buildMicroBlockInv,
  encodeMicroBlockInv,
  hasValidMicroBlockInvSignature,
  parseMicroBlockInv,
} from "../../../src/protocol/messages/micro-block-inv.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { chainId, keyBlock, privateKey, publicKey, transfersFor } from "../../support/builders/own-blocks.ts";
import { findSharedBytes } from "../../support/fixtures/recorded-blocks.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";

interface Message {
  readonly id: number;
  readonly payload: string;
}

interface Recording {
  readonly name: string;
  readonly chainId: number;
  /** Number of the recorded micro-blocks with a voting, and of those that name a block recorded before them. */
  readonly microBlocks: { readonly all: number; readonly votings: number; readonly extending: number };
  /** Undefined without the recordings, which are not in the repository. */
  readonly messages: readonly { readonly id: number; readonly payload: Uint8Array }[] | undefined;
}

const bytesOfHex = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));

/** Payloads of the frames that a node sent to its peer: after lengths, magic bytes, id and checksum. */
function sharedMessages(path: string): Recording["messages"] {
  const file = findSharedBytes(path);
  if (file === undefined) return undefined;
  return new TextDecoder()
    .decode(file)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number; dir: string; frame: string })
    .filter(({ dir }) => dir === "in")
    .map(({ id, frame }) => ({ id, payload: bytesOfHex(frame).subarray(17) }));
}

const recordings: readonly Recording[] = [
  {
    name: "finality-late",
    chainId: "Q".charCodeAt(0),
    microBlocks: { all: 223, votings: 20, extending: 214 },
    messages: recordedLines<Message>("finality-late/messages.jsonl.gz").map(({ id, payload }) => ({
      id,
      payload: bytesOfHex(payload),
    })),
  },
  {
    name: "finality-a (needs the recording beside the project)",
    chainId: "F".charCodeAt(0),
    microBlocks: { all: 872, votings: 78, extending: 872 },
    messages: sharedMessages("finality-a/p2p.jsonl"),
  },
  {
    name: "finality-window (needs the recording beside the project)",
    chainId: "P".charCodeAt(0),
    microBlocks: { all: 265, votings: 30, extending: 257 },
    messages: sharedMessages("finality-window/p2p.jsonl"),
  },
];

describe.for(recordings)("recorded messages of $name", ({ chainId, microBlocks, messages }) => {
  const payloads = (id: number) =>
    (messages ?? []).filter((message) => message.id === id).map(({ payload }) => payload);

  test.skipIf(messages === undefined).each([
    [26, "announcement", (bytes: Uint8Array) => encodeMicroBlockInv(parseMicroBlockInv(bytes))],
    [29, "key block", (bytes: Uint8Array) => encodeBlock(parseBlock(bytes, chainId), chainId)],
    [30, "micro-block", (bytes: Uint8Array) => encodeMicroBlock(parseMicroBlock(bytes, chainId))],
    [36, "snapshot of a block", (bytes: Uint8Array) => encodeBlockSnapshot(parseBlockSnapshot(bytes))],
    [38, "endorsement", (bytes: Uint8Array) => encodeEndorsement(parseEndorsement(bytes))],
  ])("message %i: each %s is encoded to the bytes that it was read from", (id, _, readAndEncode) => {
    expect(payloads(id).length).toBeGreaterThan(15);
    for (const bytes of payloads(id)) expect(equalBytes(readAndEncode(bytes), bytes)).toBe(true);
  });

  test.skipIf(messages === undefined)("announcements are signed by their senders", () => {
    for (const bytes of payloads(26)) {
      expect(hasValidMicroBlockInvSignature(parseMicroBlockInv(bytes), chainId)).toBe(true);
    }
  });

  test.skipIf(messages === undefined)("each micro-block makes the liquid block that it names", () => {
    const liquidById = new Map<string, LiquidBlock>();
    const found = { all: 0, votings: 0, extending: 0 };
    for (const { id, payload } of messages ?? []) {
      if (id === 29) {
        const block = parseBlock(payload, chainId);
        liquidById.set(encodeBase58(block.id), liquidBlock(block));
      }
      if (id !== 30) continue;
      const microBlock = parseMicroBlock(payload, chainId);
      expect(hasValidMicroBlockSignature(microBlock)).toBe(true);
      found.all++;
      if (microBlock.finalizationVoting !== undefined) found.votings++;
      const before = liquidById.get(encodeBase58(microBlock.reference));
      if (before === undefined) continue;
      found.extending++;
      const after = extendLiquidBlock(before, microBlock, chainId);
      expect(encodeBase58(after.block.id)).toBe(encodeBase58(microBlock.totalBlockId));
      expect(hasValidBlockSignature(after.block, chainId)).toBe(true);
      validateBlockForm(after.block);
      liquidById.set(encodeBase58(after.block.id), after);
    }
    expect(found).toEqual(microBlocks);
  });
});

describe("our own micro-blocks", () => {
  test.each([3, 4, 5])("version %i: two on a key block are read again and make the same liquid block", (version) => {
    const transfers = transfersFor(version);
    expect(transfers).toHaveLength(6);
    const read = version === BlockVersion.Protobuf ? parseMicroBlock : parseLegacyMicroBlock;
    let built = liquidBlock(keyBlock(version));
    let received = liquidBlock(parseBlock(encodeBlock(built.block, chainId), chainId));
    for (const part of [transfers.slice(0, 1), transfers.slice(1)]) {
      const extension = { transactions: part, stateHash: undefined, finalizationVoting: undefined };
      const next = buildMicroBlock({ liquid: built, extension, privateKey, chainId, random: secureRandomBytes });
      const microBlock = read(encodeMicroBlock(next.microBlock), chainId);
      expect(microBlock).toEqual(next.microBlock);
      expect(hasValidMicroBlockSignature(microBlock)).toBe(true);
      expect(microBlock.reference).toEqual(received.block.id);
      received = extendLiquidBlock(received, microBlock, chainId);
      built = next.liquid;
      expect(received.block).toEqual(built.block);
      expect(received.block.id).toEqual(microBlock.totalBlockId);
    }
    validateBlockForm(received.block);
    expect(hasValidBlockSignature(received.block, chainId)).toBe(true);
    expect(parseBlock(encodeBlock(received.block, chainId), chainId)).toEqual(received.block);
  });

  test("the same transactions on another liquid block make another tree", () => {
    const [first, ...rest] = transfersFor(BlockVersion.Protobuf) as [Transaction, ...Transaction[]];
    const extended = (liquid: LiquidBlock, transactions: readonly Transaction[]) =>
      buildMicroBlock({
        ...{ liquid, privateKey, chainId, random: secureRandomBytes },
        extension: { transactions, stateHash: undefined, finalizationVoting: undefined },
      }).liquid;
    const empty = liquidBlock(keyBlock(BlockVersion.Protobuf));
    const afterOne = extended(empty, [first]);
    const rootOf = (liquid: LiquidBlock) => extended(liquid, rest).block.header.transactionsRoot;
    for (const [liquid, transactions] of [
      [empty, rest],
      [afterOne, [first, ...rest]],
      [empty, rest],
    ] as const)
      expect(rootOf(liquid)).toEqual(transactionsRoot(transactions));
  });

  test.each([32, 64])("an announcement with ids of %i bytes is read again", (idSize) => {
    const ids = { totalBlockId: new Uint8Array(idSize).fill(1), reference: new Uint8Array(idSize).fill(2) };
    const inv = buildMicroBlockInv(
      ids as unknown as { totalBlockId: BlockId; reference: BlockId },
      { publicKey, privateKey },
      secureRandomBytes,
      chainId,
    );
    expect(parseMicroBlockInv(encodeMicroBlockInv(inv))).toEqual(inv);
    expect(hasValidMicroBlockInvSignature(inv, chainId)).toBe(true);
    expect(hasValidMicroBlockInvSignature(inv, chainId + 1)).toBe(false);
  });

  test("an announcement of another size is refused", () => {
    expect(() => parseMicroBlockInv(new Uint8Array(161))).toThrow(WireError);
  });

  const microBlockOn = (blockVersion: number, transactions: readonly Transaction[]): MicroBlock =>
    buildMicroBlock({
      liquid: liquidBlock(keyBlock(blockVersion)),
      extension: { transactions, stateHash: undefined, finalizationVoting: undefined },
      ...{ privateKey, chainId, random: secureRandomBytes },
    }).microBlock;

  test.each([0, 501])("in protobuf it may have any number of transactions: %i are read", (count) => {
    const [one] = transfersFor(BlockVersion.Protobuf) as [Transaction];
    const microBlock = microBlockOn(BlockVersion.Protobuf, Array(count).fill(one));
    const read = parseMicroBlock(encodeMicroBlock(microBlock), chainId);
    expect(read).toEqual(microBlock);
    expect(hasValidMicroBlockSignature(read)).toBe(true);
  });

  test("in the older form it has 1 to 500 transactions", () => {
    const [one] = transfersFor(BlockVersion.Reward) as [Transaction];
    const read = (count: number) =>
      parseLegacyMicroBlock(encodeMicroBlock(microBlockOn(BlockVersion.Reward, Array(count).fill(one))), chainId);
    expect(read(500).transactions).toHaveLength(500);
    expect(() => read(0)).toThrow(RuleError);
    expect(() => read(501)).toThrow(WireError);
  });

  test.each([4, 1, 0, -1])("version %i on a block of version 5 goes in protobuf, whatever it signs", (version) => {
    const [one] = transfersFor(BlockVersion.Reward) as [Transaction];
    const unsigned = { ...microBlockOn(BlockVersion.Protobuf, Array(130).fill(one)), version };
    const signature = sign(privateKey, microBlockSignedBytes(unsigned), secureRandomBytes(64));
    const payload = encodeMicroBlock({ ...unsigned, signature });
    expect(isLegacyMicroBlock(payload)).toBe(false);
    const read = parseMicroBlock(payload, chainId);
    expect(read).toMatchObject({ version, transactions: { length: 130 } });
    expect(hasValidMicroBlockSignature(read)).toBe(true);
  });

  test.each([0, -1])("version %i on a block of an older version is read in the older form", (version) => {
    const [one] = transfersFor(BlockVersion.Ng) as [Transaction];
    const microBlock = { ...microBlockOn(BlockVersion.Ng, [one, one]), version };
    const payload = encodeMicroBlock(microBlock);
    expect(isLegacyMicroBlock(payload)).toBe(true);
    expect(parseLegacyMicroBlock(payload, chainId)).toEqual(microBlock);
  });

  test("no version after 5 is read", () => {
    const payload = encodeMicroBlock({ ...microBlockOn(BlockVersion.Protobuf, []), version: 6 });
    expect(() => parseMicroBlock(payload, chainId)).toThrow(RuleError);
  });
});
