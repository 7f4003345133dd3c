/** Blocks of a dev chain are valid: a node that receives only them, and verifies all, has the same state. */
import { expect, test } from "vitest";
import { Node } from "../../../durable/chain-state/node.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { testDatabase } from "../../../verification/sqlite/test-database.ts";
import { poorKey, signedTransfer } from "../../support/builders/signed-transfer.ts";
import { SimulatedDevChain } from "../../support/builders/simulated-dev-chain.ts";

/**
 * Tables that depend on the blocks alone: not on the time of arrival, nor on micro-blocks, which are missing in blocks
 * imported whole.
 */
const ofBlocksAlone = stateTables.map(({ name }) => name).filter((name) => name !== "micro_block");

test("a node with the same settings takes them all, and its tables are the same", async () => {
  const chain = new SimulatedDevChain();
  let amount = 1n;
  const transfer = () => signedTransfer({ timestamp: BigInt(chain.wallMs), to: poorKey, amount: ++amount });
  await chain.broadcast(transfer(), transfer(), transfer());
  await chain.broadcast(signedTransfer({ timestamp: 1n, amount: 10n ** 18n }));
  await chain.dev.mine(110, 0);
  await chain.dev.increaseTime(86_400_000);
  await chain.broadcast(transfer());
  await chain.dev.setTime(chain.wallMs + 10 * 365 * 86_400_000);
  await chain.dev.setMiningMode({ automine: false });
  await chain.broadcast(transfer(), transfer());
  await chain.dev.mine(3, 3_600_000);
  const { chainId } = chain.settings.blockchain;
  const records = Array.from({ length: chain.height - 1 }, (_, at) =>
    encodeBlockRecord(encodeBlock(chain.node.chain.stored.findBlock(at + 2) as Block, chainId)),
  );
  const database = testDatabase();
  const nowMs = chain.clock.nowMs();
  const importing = new Node({
    settings: chain.settings,
    walletSeed: undefined,
    database,
    readModel: { batch: async (statements) => statements.map(() => []) },
    nowMs: () => nowMs,
    random: (sizeBytes) => new Uint8Array(sizeBytes),
    wakeAt: async () => {},
    connectedPeers: () => 0,
  });
  expect(importing.chain.stored.tip().id).toEqual(chain.node.chain.stored.rowAt(1).id);
  const imported = await importing.importBlocks(Buffer.concat(records));
  expect(imported).toEqual({ height: chain.height, applied: chain.height - 1, fault: undefined });
  expect(database.dump(ofBlocksAlone)).toBe(chain.database.dump(ofBlocksAlone));
  // No record of a dev chain; the record of the chain itself remains.
  expect(database.dump(["meta"])).not.toMatch(/^dev/m);
});
