/** Refused blocks and micro-blocks, and consequences for their sender. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sign } from "../../../../src/crypto/curve25519.ts";
import type { Digest, Signature } from "../../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../../src/crypto/random.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type {
  Block,
  BlockHeader,
  BlockId,
  FinalizationVoting,
  MicroBlock,
} from "../../../../src/protocol/blocks/block.ts";
import { buildBlock, signBlock } from "../../../../src/protocol/blocks/build-block.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { encodeMicroBlock, microBlockSignedBytes } from "../../../../src/protocol/messages/micro-block.ts";
import { buildTransaction } from "../../../../src/protocol/transactions/build-transaction.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import type { Unfinished, ValidationResult } from "../../../../src/rpc/chain-for-peers.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { type Follower, follower, receivedBlocks } from "../../../support/builders/follower.ts";
import { blockAt, copyOf, extend, nodeNamed, startMs, transfers } from "../../../support/builders/forked-nodes.ts";
import { poorKey, richKey, signedTransfer } from "../../../support/builders/signed-transfer.ts";

const { blockchain } = privateNetwork;
const { chainId } = blockchain;
const { privateKey } = richKey;
const random = secureRandomBytes;
const tables = [...stateTables.map(({ name }) => name), "undo", "meta", "branch_block", "pool", "outbox"];

const voting: FinalizationVoting = {
  endorserIndexes: [],
  finalizedHeight: 1,
  aggregatedEndorsementSignature: undefined,
  conflictEndorsements: [],
};

function damaged<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const copy = Uint8Array.from(bytes);
  copy[7] = (copy[7] as number) ^ 1;
  return copy as Uint8Array as Bytes;
}

/** Fourth block, with transfers, on a chain of three blocks. */
const next = ((): Block => {
  const forged = nodeNamed("forger");
  forged.mineTo(4);
  extend(forged, transfers.slice(0, 2));
  return blockAt(forged, 4);
})();
const forged = nodeNamed("forger");
forged.mineTo(3);
const nowMs = Number(next.header.timestamp) + 60_000;

/** Node at the third block of the chain. */
function atThree(settings = blockchain): Follower {
  const other = follower({ blockchain: settings, startMs: nowMs });
  for (const height of [2, 3]) other.node.append(blockAt(forged, height));
  return other;
}

const withHeader = (fields: Partial<BlockHeader>): Block =>
  signBlock({ header: { ...next.header, ...fields }, transactions: next.transactions, privateKey, chainId, random });
const withTransactions = (transactions: readonly Transaction[]): Block =>
  buildBlock({ header: next.header, transactions, privateKey, chainId, random });
const forgedTransfer = (): Transaction => {
  const transfer = signedTransfer({ timestamp: BigInt(startMs) + 9n });
  return buildTransaction({ ...transfer, proofs: [damaged(transfer.proofs[0] as Uint8Array)] });
};

interface Case {
  readonly what: string;
  readonly block: () => Block;
  /** Whether a peer that relays it is blacklisted. */
  readonly alone: boolean;
  /** Whether a peer that has it in an extension is blacklisted. */
  readonly inExtension: boolean;
  /** Whether the verdict holds for any block with that id. */
  readonly isPermanentForId: boolean;
  /** Text of the reason. */
  readonly reason: string;
}

const cases: readonly Case[] = [
  {
    what: "with another signature than its generator's",
    block: () => ({ ...next, signature: damaged(next.signature) }),
    ...{ alone: true, inExtension: true, isPermanentForId: false, reason: "has invalid signature" },
  },
  {
    what: "with a wrong state hash",
    block: () => withHeader({ stateHash: damaged(next.header.stateHash as Digest) }),
    ...{ alone: true, inExtension: true, isPermanentForId: true, reason: "State hash is" },
  },
  {
    what: "with other transactions than those of its header",
    block: () => ({ ...next, transactions: next.transactions.slice(1) }),
    ...{ alone: false, inExtension: true, isPermanentForId: false, reason: "Transactions root is" },
  },
  {
    what: "with a wrong base target",
    block: () => withHeader({ baseTarget: next.header.baseTarget + 1n }),
    ...{ alone: false, inExtension: true, isPermanentForId: true, reason: "Base target is" },
  },
  {
    what: "that is earlier than its generator may sign",
    block: () => withHeader({ timestamp: blockAt(forged, 3).header.timestamp + 1n }),
    ...{ alone: false, inExtension: true, isPermanentForId: true, reason: "is before" },
  },
  {
    what: "with a wrongly signed transaction",
    block: () => withTransactions([forgedTransfer()]),
    ...{ alone: false, inExtension: true, isPermanentForId: true, reason: "Proof doesn't validate as signature" },
  },
  {
    what: "from the future",
    block: () => withHeader({ timestamp: BigInt(nowMs) + 100n }),
    ...{ alone: false, inExtension: false, isPermanentForId: false, reason: "is from the future" },
  },
  {
    what: "with an invalid voting",
    block: () => withHeader({ finalizationVoting: voting }),
    ...{ alone: false, inExtension: true, isPermanentForId: true, reason: "Finalization voting is invalid" },
  },
  {
    what: "whose reference is unknown",
    block: () => withHeader({ reference: damaged(next.header.reference) }),
    ...{ alone: false, inExtension: false, isPermanentForId: false, reason: "which is not the tip" },
  },
];

describe("a block", () => {
  let other: Follower;
  let before: string;

  beforeEach(() => {
    other = atThree();
    before = other.node.database.dump(tables);
  });

  function expectRefused(
    verdict: ValidationResult | "more" | Unfinished,
    { isInvalid, id }: { isInvalid: boolean; id?: BlockId },
    reason: string,
  ) {
    expect(verdict).toEqual({
      kind: "refused",
      reason: expect.stringContaining(reason),
      isInvalid,
      ...(id && { blockId: id }),
    });
    expect(other.node.database.dump(tables)).toBe(before);
  }

  test.each(cases.map((one) => [one.what, one] as const))("%s is refused", async (_, { block: make, ...one }) => {
    const block = make();
    const bytes = encodeBlock(block, chainId);
    expectRefused(await other.calls.applyBlock(receivedBlocks([bytes])), { isInvalid: one.alone }, one.reason);
    const extension = { ...receivedBlocks([bytes]), name: "x", isLast: true };
    expectRefused(
      await other.calls.applyExtension(extension),
      { isInvalid: one.inExtension, ...(one.isPermanentForId && { id: block.id }) },
      one.reason,
    );
    // The refused one has left no damage.
    const applied = await other.calls.applyBlock(receivedBlocks([encodeBlock(next, chainId)]));
    expect(applied).toEqual({ kind: "applied", tip: other.node.node.chainTip() });
    expect(other.node.chain.stored.tip().id).toEqual(next.id);
  });

  const ofHead = ["base target", "earlier than its generator", "from the future", "reference is unknown"];
  test.each(cases.map((one) => [one.what, one] as const))(
    "%s is refused by its head, or by no head",
    async (what, one) => {
      const refusal = other.calls.findHeaderError(encodeBlock({ ...one.block(), transactions: [] }, chainId));
      const isOfHead = ofHead.some((part) => what.includes(part));
      expect(await refusal).toEqual(isOfHead ? expect.stringContaining(one.reason) : undefined);
      expect(other.node.database.dump(tables)).toBe(before);
    },
  );

  test("of a generator that owns too little is refused by its head, on the tip and beside it", async () => {
    const { privateKey: poorPrivateKey, publicKey: generator } = poorKey;
    const tip = blockAt(forged, 3);
    for (const fields of [{}, { reference: tip.header.reference, timestamp: tip.header.timestamp - 1n }]) {
      const header = { ...next.header, generator, ...fields };
      const block = signBlock({ header, transactions: [], privateKey: poorPrivateKey, chainId, random });
      expect(await other.calls.findHeaderError(encodeBlock(block, chainId))).toMatch(/balance|VRF|proof/i);
    }
    expect(await other.calls.findHeaderError(encodeBlock({ ...next, transactions: [] }, chainId))).toBeUndefined();
  });

  test("that the chain has is not new, by itself and in an extension", async () => {
    const blocks = [2, 3].map((height) => encodeBlock(blockAt(forged, height), chainId));
    for (const block of blocks)
      expect(await other.calls.applyBlock(receivedBlocks([block]))).toEqual({ kind: "known" });
    const extension = { ...receivedBlocks(blocks), name: "x", isLast: true };
    expect(await other.calls.applyExtension(extension)).toEqual({ kind: "known" });
    expect(other.node.database.dump(tables)).toBe(before);
  });

  test.each([
    ["of no form", [new Uint8Array([10, 200, 1])]],
    ["of no bytes", []],
    ["of two blocks", [encodeBlock(next, chainId), encodeBlock(next, chainId)]],
  ])("%s gets its sender blacklisted", async (_, blocks) => {
    expectRefused(await other.calls.applyBlock(receivedBlocks(blocks)), { isInvalid: true }, "it cannot be read");
  });

  test("that is later than the competing one is refused, and an earlier one replaces it", async () => {
    const [early, late] = [next.header.timestamp, next.header.timestamp + 1n].map((timestamp) => {
      const rival = nodeNamed(String(timestamp));
      for (const height of [2, 3]) rival.append(blockAt(forged, height));
      rival.nowMs = nowMs;
      return rival.miner.makeKeyBlock(Number(timestamp), nowMs) as Block;
    }) as [Block, Block];
    await other.calls.applyBlock(receivedBlocks([encodeBlock(late, chainId)]));
    expect(await other.calls.applyBlock(receivedBlocks([encodeBlock(early, chainId)]))).toMatchObject({
      kind: "applied",
    });
    before = other.node.database.dump(tables);
    const again = await other.calls.applyBlock(receivedBlocks([encodeBlock(late, chainId)]));
    expectRefused(again, { isInvalid: false }, "only an earlier one does");
  });

  test("causes no blacklisting once the chain has reached rules missing in this release", async () => {
    const preActivatedFeatures = new Map(blockchain.functionality.preActivatedFeatures);
    preActivatedFeatures.set(76, 4);
    other = atThree({ ...blockchain, functionality: { ...blockchain.functionality, preActivatedFeatures } });
    before = other.node.database.dump(tables);
    const extension = { ...receivedBlocks([encodeBlock(next, chainId)]), name: "x", isLast: true };
    expectRefused(await other.calls.applyExtension(extension), { isInvalid: false }, "UNIMPLEMENTED FEATURE 76");
  });
});

describe("an extension", () => {
  const extensionOf = (blocks: readonly Block[]) => ({
    ...receivedBlocks(blocks.map((block) => encodeBlock(block, chainId))),
    name: "x",
    isLast: true,
  });

  test("that fails at its last block leaves the chain as it was, on the tip and in competition with other blocks", async () => {
    const rival = nodeNamed("rival");
    rival.mineTo(6);
    const blocks = [2, 3, 4, 5, 6].map((height) => blockAt(rival, height));
    const last = blocks[4] as Block;
    const wrong = { ...blocks[4], signature: damaged(last.signature) } as Block;
    for (const other of [atThree(), follower({ startMs: nowMs })]) {
      other.node.nowMs = Math.max(nowMs, rival.nowMs);
      other.node.broadcast(signedTransfer({ timestamp: BigInt(other.node.nowMs) }));
      const before = other.node.database.dump(tables);
      const verdict = await other.calls.applyExtension(extensionOf([...blocks.slice(0, 4), wrong]));
      expect(verdict).toMatchObject({ kind: "refused", isInvalid: true });
      expect(other.node.database.dump(tables)).toBe(before);
      expect([...other.node.pool.all()]).toHaveLength(1);
      expect(await other.calls.applyExtension(extensionOf(blocks))).toMatchObject({ kind: "applied" });
      expect(other.node.chain.stored.tip()).toEqual(rival.chain.stored.tip());
    }
  });

  test("that weighs no more than the blocks it would replace is refused, and its sender is not blacklisted", async () => {
    const rival = nodeNamed("rival");
    rival.mineTo(3);
    const verdict = await atThree().calls.applyExtension(extensionOf([2, 3].map((height) => blockAt(rival, height))));
    expect(verdict).toEqual({
      kind: "refused",
      reason: expect.stringContaining("only a greater score does"),
      isInvalid: false,
      isLighter: true,
    });
  });

  test("that begins below a finalized height reached since the request causes no blacklisting", async () => {
    const node = nodeNamed("first");
    node.mineTo(3);
    const rival = copyOf(node, 3, "second");
    node.mineTo(104);
    rival.mineTo(4);
    const other = follower({ startMs: Math.max(node.nowMs, rival.nowMs), database: node.database });
    const deep = await other.calls.applyExtension(extensionOf([blockAt(rival, 4)]));
    expect(deep).toEqual({
      kind: "refused",
      reason: expect.stringContaining("the lowest that can be reached is 4"),
      isInvalid: false,
    });
  });

  test("with missing chunks does not blame the sender of the blocks", async () => {
    const rival = nodeNamed("rival");
    rival.mineTo(5);
    const other = follower({ startMs: rival.nowMs });
    const part = extensionOf([2, 3].map((height) => blockAt(rival, height)));
    expect(await other.calls.applyExtension({ ...part, isLast: false })).toBe("more");
    const rest = { ...extensionOf([4, 5].map((height) => blockAt(rival, height))), name: "y" };
    expect(await other.calls.applyExtension(rest)).toMatchObject({ kind: "refused", isInvalid: false });
    expect(other.node.height).toBe(1);
  });

  test("with more bytes than are held is refused, and its sender is not blacklisted", async () => {
    const other = atThree();
    const part = { blocks: new Uint8Array(17 * 1024 * 1024), verified: "", name: "x", isLast: false };
    const results: unknown[] = [];
    for (let count = 0; count < 4; count++) results.push(await other.calls.applyExtension(part));
    expect(results.slice(0, 3)).toEqual(["more", "more", "more"]);
    expect(results[3]).toMatchObject({ kind: "refused", isInvalid: false });
    expect(await other.calls.applyExtension(extensionOf([next]))).toMatchObject({ kind: "applied" });
  });
});

describe("a micro-block", () => {
  let microBlocks: readonly MicroBlock[];
  let keyBlock: Block;
  let other: Follower;

  beforeAll(() => {
    const node = nodeNamed("micro");
    node.mineTo(2);
    keyBlock = blockAt(node, 2);
    microBlocks = extend(node, transfers);
  });

  beforeEach(() => {
    other = follower({ startMs: nowMs });
    other.node.append(keyBlock);
    // On a node that makes blocks, a wrong state hash ends the block.
    other.node.node.mine(false);
  });

  function signedAnew(fields: Partial<MicroBlock>, key = richKey): MicroBlock {
    const changed = { ...(microBlocks[0] as MicroBlock), ...fields };
    return { ...changed, signature: sign(key.privateKey, microBlockSignedBytes(changed), random(64)) };
  }

  const first = (): MicroBlock => microBlocks[0] as MicroBlock;
  const wrong: readonly (readonly [what: string, make: () => MicroBlock, isInvalid: boolean, reason: string])[] = [
    [
      "that is wrongly signed",
      () => ({ ...first(), signature: damaged(first().signature) }),
      true,
      "invalid signature",
    ],
    [
      "that is wrongly signed, on another block",
      () => ({ ...first(), reference: damaged(first().reference) }),
      true,
      "invalid signature",
    ],
    [
      "with a wrong state hash",
      () => extending({ stateHash: damaged(first().stateHash as Digest) }),
      true,
      "State hash is",
    ],
    ["of another account", () => signedAnew({ sender: poorKey.publicKey }, poorKey), false, "generated by another"],
    ["on another block", () => signedAnew({ reference: damaged(first().reference) }), false, "it references"],
    ["that comes too soon", () => microBlocks[1] as MicroBlock, false, "it references"],
    [
      "whose resulting block is wrongly signed",
      () => signedAnew({ totalBlockSignature: damaged(first().totalBlockSignature) }),
      false,
      "the signature of the whole block",
    ],
    [
      "with an invalid voting",
      () => extending({ finalizationVoting: voting }),
      false,
      "Finalization voting is invalid",
    ],
  ];

  /** Micro-block signed by the generator, including the resulting block. */
  function extending(fields: Partial<Pick<MicroBlock, "stateHash" | "finalizationVoting">>): MicroBlock {
    const { transactions, stateHash } = first();
    const header = { ...keyBlock.header, stateHash, ...fields };
    const { signature } = buildBlock({ header, transactions, privateKey, chainId, random });
    return signedAnew({ ...fields, totalBlockSignature: signature as Signature });
  }

  test.each(wrong)("%s is refused", async (_, make, isInvalid, reason) => {
    const before = other.node.database.dump(tables);
    const verdict = await other.calls.applyMicroBlock(encodeMicroBlock(make()));
    expect(verdict).toEqual({ kind: "refused", reason: expect.stringContaining(reason), isInvalid });
    expect(other.node.database.dump(tables)).toBe(before);
    for (const microBlock of microBlocks)
      expect(await other.calls.applyMicroBlock(encodeMicroBlock(microBlock))).toEqual({
        kind: "applied",
        tip: other.node.node.chainTip(),
      });
  });

  test("that the tip has is not new", async () => {
    const [bytes, second] = microBlocks.map(encodeMicroBlock) as [Uint8Array, Uint8Array];
    for (const one of [bytes, second]) await other.calls.applyMicroBlock(one);
    await other.node.node.published();
    const before = other.node.database.dump(tables);
    for (const one of [bytes, second]) expect(await other.calls.applyMicroBlock(one)).toEqual({ kind: "known" });
    expect(other.node.database.dump(tables)).toBe(before);
  });

  test("in no valid format gets its sender blacklisted", async () => {
    const verdict = await other.calls.applyMicroBlock(new Uint8Array([10, 200, 1]));
    expect(verdict).toMatchObject({ kind: "refused", isInvalid: true });
  });
});
