/**
 * Headers with no other limit than the size of a message: the reference accepts them, and no row can hold them as hex.
 */
import { describe, expect, test } from "vitest";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { signBlock } from "../../../src/protocol/blocks/build-block.ts";
import { encodeBlock, parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { columnsOf, type ResultRow } from "../../../src/read-model/columns.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import { type BlockRow, blockTable } from "../../../src/tables/blocks.ts";
import { rowText } from "../../../src/tables/schema/row-text.ts";
import { BlockForger } from "../../../verification/chain-generator/block-forger.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { networkOf } from "../../support/builders/next-block.ts";
import { richKey, walletKey } from "../../support/builders/signed-transfer.ts";

const blocks = new BlockForger(secureRandomBytes);
const [challenger, challenged] = [walletKey(1), walletKey(2)];
const { chainId, genesis } = privateNetwork.blockchain;
const startMs = Number(genesis.blockTimestampMs);
/** A little less than the longest message of a block. */
const LONG_BYTES = 1_085_000;

/** Node at height 3, late enough for every account to be allowed to forge. */
function nodeAtThree(): SimulatedNode {
  const amount = 40_000_000n * 100_000_000n;
  const network = networkOf(
    Feature.BoostBlockReward,
    [challenger, challenged].map((key) => ({ key, amount })),
  );
  const functionality = { ...network.functionality, generationBalanceDepthFrom50To1000AfterHeight: 1_000_000 };
  const node = new SimulatedNode({ blockchain: { ...network, functionality }, startMs });
  node.mineTo(3);
  node.nowMs = Number(headerAt(node.chain.view, 3).header.timestamp) + 1_000_000_000;
  return node;
}

function violationOf(run: () => unknown): RuleError["violation"] | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error.violation;
    throw error;
  }
}

/** Header from the read model, after its row arrived as the publisher sends it. */
async function publishedHeader(row: BlockRow): Promise<Uint8Array> {
  const { d1 } = d1Double();
  await d1
    .prepare(blockTable.publishSql)
    .bind(`[${rowText(blockTable, row)}]`)
    .run();
  const columns = columnsOf(blockTable, ["header"]);
  const { results } = await d1.prepare(`SELECT ${columns.sql} FROM block`).run<ResultRow>();
  return columns.read(results[0] as ResultRow).header;
}

describe("a challenged state hash as long as a message", () => {
  const node = nodeAtThree();
  const stateHash = new Uint8Array(LONG_BYTES).fill(0xa7) as Uint8Array as Digest;
  const original = blocks.wrong(node.chain, { key: challenged, stateHash });

  test("is reported by its length, since base58 of it takes long", () => {
    expect(violationOf(() => node.append(original))).toMatchObject({
      code: "stateHashWrong",
      got: `${LONG_BYTES} bytes`,
    });
  });

  test("is stored, rolled back, and shown", async () => {
    const challenging = blocks.challenging(node.chain, original, { key: challenger });
    node.append(parseBlock(encodeBlock(challenging, chainId), chainId));
    const found = node.chain.stored.findBlock(4);
    expect(found?.id).toEqual(challenging.id);
    expect(equalBytes(found?.header.challengedHeader?.stateHash ?? new Uint8Array(0), stateHash)).toBe(true);
    const row = node.chain.stored.tip();
    expect(equalBytes(await publishedHeader(row), row.header)).toBe(true);
    node.chain.forks.revertTo(3);
    expect(node.height).toBe(3);
  });
});

test("votes below zero, which may take three bytes in a message and have five in the canonical form, fit into a row", async () => {
  const node = new SimulatedNode({ startMs });
  node.mineTo(2);
  const made = node.chain.stored.findBlock(2) as Block;
  const block = signBlock({
    header: { ...made.header, featureVotes: Array.from({ length: LONG_BYTES / 3 }, (_, index) => -1 - (index % 9)) },
    transactions: made.transactions,
    privateKey: richKey.privateKey,
    chainId,
    random: secureRandomBytes,
  });
  node.chain.forks.revertTo(1);
  node.append(block);
  const found = node.chain.stored.findBlock(2);
  expect(found?.id).toEqual(block.id);
  expect(found?.header.featureVotes.join()).toBe(block.header.featureVotes.join());
  const row = node.chain.stored.tip();
  expect(row.header.length).toBeLessThan(LONG_BYTES + 1_000);
  expect(equalBytes(await publishedHeader(row), row.header)).toBe(true);
  // Relayed, it fits into a message, as it came. The size in the REST interface is the reference's.
  expect(encodeBlock(block, chainId).length).toBeLessThan(LONG_BYTES + 1_000);
  expect(row.sizeBytes).toBeGreaterThan((5 / 3) * LONG_BYTES);
});
