/**
 * The recorded chain private-a in ChainState's tables, published by its publisher: the recorded blocks, applied by this
 * node's own rules.
 */

import { join } from "node:path";
import type { Chain } from "../../durable/chain/open-chain.ts";
import { openChain } from "../../durable/chain/open-chain.ts";
import { d1Sink } from "../../durable/publish/read-model-sink.ts";
import { readRecording } from "../../scripts/tools/judge/recording.ts";
import { d1Double } from "../../scripts/tools/sqlite/d1-double.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { parseBlock } from "../../src/protocol/blocks/parse-block.ts";
import { genesisText } from "../../src/tables/chain.ts";
import { testPublisher } from "../durable/publish/test-publisher.ts";
import { testStore } from "../durable/test-store.ts";

const { network, blocks } = readRecording(join(import.meta.dirname, "..", "fixtures", "private-a"));
const { chainId } = network.blockchain;

/** Builds the tables and publishes them. @returns the read model */
export async function recordedReadModel(): Promise<D1Database> {
  return (await recordedChain()).readModel;
}

/** The chain on its own tables, and the read model published from them. */
export async function recordedChain(): Promise<{ readonly chain: Chain; readonly readModel: D1Database }> {
  const { store, database } = testStore();
  const chain = openChain({
    store,
    settings: network.blockchain,
    transaction: database.transaction,
    maxRollbackDepth: network.node.maxRollbackDepth,
    keeps: network.node,
  });
  chain.liquid.ensureGenesis(0);
  for (const recorded of blocks) {
    const block = parseBlock(recorded.bytes, chainId);
    const nowMs = Number(block.header.timestamp);
    chain.forks.appendBlock(block, { nowMs, verifySignatures: false });
  }
  const { d1 } = d1Double();
  const state = {
    version: `${encodeBase58(chain.stored.tip().id)}:0`,
    height: chain.view.height,
    finalizedHeight: chain.stored.finalizedHeight(),
  };
  const genesis = genesisText(network.blockchain);
  await testPublisher({ store, readModel: d1Sink(d1), state, genesis, chainId }).drain();
  return { chain, readModel: d1 };
}
