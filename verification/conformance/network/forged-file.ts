/** Block file with a chain of a short network that lies in the past. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { forgeOn } from "../../chain-generator/forge-chain.ts";
import type { TransactionGenerator } from "../../chain-generator/transaction-generator.ts";
import type { Stage } from "./scenario.ts";
import { averageBlockDelayMs, firstBusyHeight, makeShortNetwork, type ShortNetwork } from "./short-network.ts";

export interface ForgedFile {
  readonly network: ShortNetwork;
  readonly file: string;
}

/** Allowance for blocks slower than average. */
const slack = 5;
/** Additional blocks: from feature 22 on the reference does not store the last block of a file. */
const moreBlocks = 1;

export interface ForgedFileOptions {
  /** Generators of its transactions; by default of all kinds. */
  readonly transactionGenerators?: readonly TransactionGenerator[];
  /** Number of blocks that challenge others. */
  readonly challenges?: number;
}

export function forgeFile(
  { folder, seed, random, log }: Stage,
  blocks: number,
  { transactionGenerators, challenges }: ForgedFileOptions = {},
): ForgedFile {
  const genesisMs = Date.now() - blocks * averageBlockDelayMs * slack;
  const network = makeShortNetwork(seed, genesisMs);
  const forged = forgeOn({
    network,
    accounts: network.accounts,
    random,
    blocks: blocks + moreBlocks,
    busyFrom: firstBusyHeight,
    transactionGenerators,
    challenges,
  });
  const { chainId } = network.settings.blockchain;
  const file = path.join(folder, "blocks.bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, Buffer.concat(forged.blocks.map((block) => encodeBlockRecord(encodeBlock(block, chainId)))));
  const transactions = forged.blocks.reduce((sum, block) => sum + block.transactions.length, 0);
  log(`forged ${blocks + moreBlocks} blocks with ${transactions} transactions and ${forged.challenges} challenges`);
  return { network, file };
}
