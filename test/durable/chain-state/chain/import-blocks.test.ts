import { beforeAll, describe, expect, test } from "vitest";
import { type ImportedBlocks, importBlocks } from "../../../../durable/chain-state/chain/import-blocks.ts";
import { concatBytes, equalBytes } from "../../../../src/crypto/bytes.ts";
import type { Signature } from "../../../../src/crypto/identities.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../../src/protocol/blocks/block-file.ts";
import { buildBlock } from "../../../../src/protocol/blocks/build-block.ts";
import { encodeBlock, parseBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { encodeProtobuf } from "../../../../src/protocol/transactions/encode-for-block.ts";
import { encodeFlags, verifiedSignatures } from "../../../../src/rules/blocks/verified-signatures.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { RandomChain } from "../../../support/builders/random-chain.ts";

const random = new RandomChain("active", 2);
const { chainId } = random.settings.blockchain;
const nowMs = Date.UTC(2030, 0);
let blocks: Block[];

beforeAll(() => {
  const { chain } = random.node;
  for (let round = 0; chain.view.height < 9; round++) {
    random.run({ kind: "transactions", count: 6 });
    random.run({ kind: "microBlock" });
    random.run({ kind: "keyBlock", generator: round % 3, dropped: 0 });
  }
  blocks = Array.from({ length: chain.view.height - 1 }, (_, index) => chain.stored.findBlock(index + 2) as Block);
  expect(blocks.flatMap(({ transactions }) => transactions).length).toBeGreaterThan(10);
});

const fileOf = (records: readonly Block[]) =>
  concatBytes(...records.map((block) => encodeBlockRecord(encodeBlock(block, chainId))));
const flagsOf = (records: readonly Block[]) =>
  records.flatMap((block) => [...verifiedSignatures(parseBlock(encodeBlock(block, chainId), chainId), chainId)]);

function imported(node: SimulatedNode, file: Uint8Array, verified?: string): ImportedBlocks {
  return importBlocks(node.chain, file, { toHeight: undefined, nowMs, ...(verified && { verified }) });
}

/** Changes the last bits of a signature, to another value each time. */
function damagedSignature(signature: Uint8Array): Signature {
  const copy = Uint8Array.from(signature);
  copy[40] = (copy[40] as number) ^ 1;
  return copy as Uint8Array as Signature;
}

/** Block with a wrong signature of its own, or, correctly signed, with a wrong one of its first transaction. */
function damaged(block: Block, part: "block" | "transaction"): Block {
  if (part === "block") return { ...block, signature: damagedSignature(block.signature) };
  const bytes = encodeBlock(block, chainId);
  const transaction = block.transactions.find((tx) => "proofs" in tx && tx.proofs.length === 1);
  const proof = transaction && "proofs" in transaction ? (transaction.proofs[0] as Uint8Array) : new Uint8Array();
  const at = Buffer.from(bytes).indexOf(proof);
  bytes.set(damagedSignature(proof), at);
  const { header, transactions } = parseBlock(bytes, chainId);
  const generator = random.accounts.generators.find(({ publicKey }) => equalBytes(publicKey, header.generator));
  if (generator === undefined) throw new Error("one of the generators made it");
  const { privateKey } = generator;
  return buildBlock({ header, transactions, privateKey, chainId, random: (length) => new Uint8Array(length) });
}

test("an import in which every signature was verified beforehand leaves the same chain", () => {
  const [plain, spared] = [random.emptyNode(), random.emptyNode()];
  const flags = flagsOf(blocks);
  expect(flags.every(Boolean)).toBe(true);
  const file = fileOf(blocks);
  expect(imported(spared, file, encodeFlags(flags))).toEqual(imported(plain, file));
  expect(spared.chain.stored.tip()).toEqual(plain.chain.stored.tip());
});

/**
 * Bytes with another chain id, which is the first field of the first one, after tag and length. In wallets'
 * transactions it is signed.
 */
function naming(chain: number, bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x0a) return bytes;
  const copy = Uint8Array.from(bytes);
  const tagAt = copy.findIndex((byte, index) => index > 0 && byte === 0x08 && copy[index + 1] === chainId);
  expect([2, 3, 4]).toContain(tagAt);
  copy[tagAt + 1] = chain;
  return copy;
}

test.each([0, "T".charCodeAt(0)])("a file whose blocks and transactions name chain %i is of this network", (chain) => {
  const foreign = blocks.map((block) => ({
    ...block,
    transactions: block.transactions.map((tx) => ({ ...tx, chainId: chain, bytes: naming(chain, encodeProtobuf(tx)) })),
  }));
  const file = concatBytes(...foreign.map((block) => encodeBlockRecord(encodeBlock(block as Block, chain))));
  const node = random.emptyNode();
  expect(imported(node, file)).toEqual(imported(random.emptyNode(), fileOf(blocks)));
  expect(node.chain.stored.tip()).toEqual(random.node.chain.stored.tip());
});

describe.each(["block", "transaction"] as const)("a wrong signature of a %s", (part) => {
  const number = 5;
  const file = () => blocks.map((block, index) => (index === number ? damaged(block, part) : block));

  test("is the violation of the block", () => {
    const message = { block: "has invalid signature", transaction: "Proof doesn't validate as signature" }[part];
    expect(imported(random.emptyNode(), fileOf(file())).fault).toContain(message);
  });

  test("stops the import at its block with the same message, whether or not signatures were verified beforehand", () => {
    const [plain, spared] = [random.emptyNode(), random.emptyNode()];
    const flags = flagsOf(file());
    expect(flags.filter((flag) => !flag)).toHaveLength(1);
    const refused = imported(plain, fileOf(file()));
    expect(refused).toMatchObject({ height: number + 1, applied: number });
    expect(refused.fault).toContain(`the block for height ${number + 2} is refused`);
    expect(imported(spared, fileOf(file()), encodeFlags(flags))).toEqual(refused);
  });

  test("is found where the flags end before it", () => {
    const node = random.emptyNode();
    const flags = flagsOf(blocks.slice(0, number));
    expect(imported(node, fileOf(file()), encodeFlags(flags))).toMatchObject({ height: number + 1, applied: number });
  });
});

test("a block that cannot be read stops the import after the blocks before it", () => {
  const node = random.emptyNode();
  const records = blocks.map((block) => encodeBlockRecord(encodeBlock(block, chainId)));
  records[4] = encodeBlockRecord(Uint8Array.of(9, 9, 9));
  const { height, applied, fault } = imported(node, concatBytes(...records));
  expect({ height, applied }).toEqual({ height: 5, applied: 4 });
  expect(fault).toContain("the block for height 6 is refused: it cannot be read");
});

test("a file of more blocks than are parsed ahead is imported up to the one that cannot be read", () => {
  const startMs = Number(privateNetwork.blockchain.genesis.blockTimestampMs);
  const maker = new SimulatedNode({ startMs });
  maker.mineTo(132);
  const { chainId: chain } = privateNetwork.blockchain;
  const records = maker.keyBlocks.map((block) => encodeBlockRecord(encodeBlock(block, chain)));
  expect(records).toHaveLength(131);
  records[130] = encodeBlockRecord(Uint8Array.of(9));
  const node = new SimulatedNode({ startMs: maker.nowMs });
  const { height, applied, fault } = imported(node, concatBytes(...records), undefined);
  expect({ height, applied }).toEqual({ height: 131, applied: 130 });
  expect(fault).toContain("the block for height 132 is refused: it cannot be read");
});

test("an error that is not a block's stops the import with its own message, and keeps the blocks before", () => {
  const node = random.emptyNode();
  const { chain } = node;
  const forks = Object.create(chain.forks, {
    appendBlock: {
      value: (...given: Parameters<typeof chain.forks.appendBlock>) => {
        if (chain.view.height === 3) throw new TypeError("broken");
        return chain.forks.appendBlock(...given);
      },
    },
    inBatch: { value: <T>(run: () => T) => chain.forks.inBatch(run) },
    prefetch: { value: (...given: Parameters<typeof chain.forks.prefetch>) => chain.forks.prefetch(...given) },
  }) as typeof chain.forks;
  const broken = { ...chain, forks };
  expect(() => importBlocks(broken, fileOf(blocks), { toHeight: undefined, nowMs })).toThrow(new TypeError("broken"));
  expect(chain.view.height).toBe(3);
});

test("a file that is imported again changes nothing, and the blocks after it are appended", () => {
  const node = random.emptyNode();
  expect(imported(node, fileOf(blocks.slice(0, 4)))).toEqual({ height: 5, applied: 4, fault: undefined });
  expect(imported(node, fileOf(blocks.slice(0, 4)))).toEqual({ height: 5, applied: 0, fault: undefined });
  expect(imported(node, fileOf(blocks))).toEqual({ height: 9, applied: 4, fault: undefined });
});

test("a block whose parent the chain does not have is refused", () => {
  const node = random.emptyNode();
  const { height, applied, fault } = imported(node, fileOf([blocks[0] as Block, blocks[2] as Block]));
  expect({ height, applied }).toEqual({ height: 2, applied: 1 });
  expect(fault).toContain("the block for height 3 is refused");
});

test("an unreadable block stops the import below the requested height", () => {
  const file = concatBytes(fileOf(blocks.slice(0, 2)), encodeBlockRecord(Uint8Array.of(9)));
  const { height, fault } = importBlocks(random.emptyNode().chain, file, { toHeight: 5, nowMs });
  expect(height).toBe(3);
  expect(fault).toContain("the block for height 4 is refused: it cannot be read");
});

test("an import ends at the requested height, even if more blocks follow", () => {
  const node = random.emptyNode();
  const file = concatBytes(fileOf(blocks.slice(0, 4)), encodeBlockRecord(Uint8Array.of(9)));
  const outcome = importBlocks(node.chain, file, { toHeight: 5, nowMs });
  expect(outcome).toEqual({ height: 5, applied: 4, fault: undefined });
  const whole = random.emptyNode();
  for (const toHeight of [3, 3, 6])
    expect(importBlocks(whole.chain, fileOf(blocks), { toHeight, nowMs })).toMatchObject({ height: toHeight });
});
