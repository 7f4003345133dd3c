/**
 * Chains of transactions of all kinds, applied by the snapshots of the node that forged them: none is refused, and the
 * state is the same.
 */
import { describe, expect, test } from "vitest";
import { importBlocks } from "../../../durable/chain-state/chain/import-blocks.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { encodeSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { forgeChain, type GeneratedChain } from "../../../verification/chain-generator/forge-chain.ts";
import type { ChainVariant } from "../../../verification/chain-generator/generated-network.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";

const BLOCKS = 40;
const CHALLENGES = 4;
/** Tables with data that only the execution gives: `tx` has values and costs of calls. */
const unlike: ReadonlySet<string> = new Set(["tx", "tx_address", "micro_block"]);
const tables = stateTables.map(({ name }) => name).filter((name) => !unlike.has(name));

function emptyNode({ network, node }: GeneratedChain): SimulatedNode {
  const { blockchain, node: settings } = network.settings;
  const made = new SimulatedNode({ blockchain, startMs: node.nowMs, node: { ...settings, storeSnapshots: true } });
  return made;
}

function imported(node: SimulatedNode, blocks: readonly Block[], snapshots?: Uint8Array): SimulatedNode {
  const { chainId } = node.chain.view.settings;
  const file = concatBytes(...blocks.map((block) => encodeBlockRecord(encodeBlock(block, chainId))));
  const { fault } = importBlocks(node.chain, file, { nowMs: node.nowMs, snapshots });
  expect(fault).toBeUndefined();
  return node;
}

describe.each<readonly [ChainVariant, number]>([
  ["active", 1],
  // With names of assets that are not valid text.
  ["staged", 1],
  ["halfway", 2],
  ["committed", 1],
])("a generated chain, %s, seed %i", (variant, seed) => {
  const made = forgeChain({ variant, seed, blocks: BLOCKS, challenges: CHALLENGES });
  const full = imported(emptyNode(made), made.blocks);
  const { stored } = full.chain;
  const heights = made.blocks.map((_, index) => index + 2);
  const sent = heights.map((height) => stored.findStateSnapshots(height, 0, Number.MAX_SAFE_INTEGER) ?? []);
  const file = concatBytes(...sent.map((changeSets) => encodeBlockRecord(encodeSnapshotRecord(changeSets))));
  const light = imported(emptyNode(made), made.blocks, file);

  test("has the same state after a light import", () => {
    expect(light.chain.stored.tip()).toEqual(full.chain.stored.tip());
    expect(light.database.dump(tables)).toBe(full.database.dump(tables));
  });

  test("stores the snapshots as they came", () => {
    for (const [index, height] of heights.entries())
      expect(light.chain.stored.findStateSnapshots(height, 0, Number.MAX_SAFE_INTEGER)).toEqual(sent[index]);
  });

  test("has the same transactions with the same statuses", () => {
    const query = "SELECT id, height, position, type, status FROM tx ORDER BY height, position";
    expect(light.node.store.rows(query)).toEqual(full.node.store.rows(query));
  });
});
