/** Writes a generated chain as files: `network.json`, `blocks.bin` and `coverage.json` in a folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { BlockId } from "../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../src/protocol/blocks/block-file.ts";
import { genesisBlock } from "../../src/protocol/blocks/genesis-block.ts";
import { encodeBlock } from "../../src/protocol/blocks/parse-block.ts";
import { jsonText } from "../../src/protocol/json.ts";
import { type Coverage, coverageOf, excludedCases, expectedCases } from "./coverage.ts";
import { type ChainOptions, forgeChain, type GeneratedChain } from "./forge-chain.ts";

export interface WrittenChain {
  readonly chain: GeneratedChain;
  /** Ids from height 1 on. */
  readonly blockIds: readonly BlockId[];
  readonly transactions: number;
  readonly cases: Coverage;
  /** Expected cases that the chain happens to lack. */
  readonly missing: readonly string[];
}

export function writeChain(folder: string, options: ChainOptions): WrittenChain {
  const chain = forgeChain(options);
  const { network, blocks, microBlocks, discarded, refused } = chain;
  const { blockchain } = network.settings;
  const cases = coverageOf(blocks, chain.node.chain.view);
  const missing = expectedCases[options.variant].filter((name) => cases[name] === undefined);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "network.json"), jsonText(network.json));
  const records = blocks.map((block) => encodeBlockRecord(encodeBlock(block, blockchain.chainId)));
  writeFileSync(path.join(folder, "blocks.bin"), Buffer.concat(records));
  const coverage = { ...options, microBlocks, discarded, cases, missing, leftOut: excludedCases, refused };
  writeFileSync(path.join(folder, "coverage.json"), JSON.stringify(coverage, undefined, 2));
  return {
    chain,
    blockIds: [genesisBlock(blockchain), ...blocks].map(({ id }) => id),
    transactions: blocks.reduce((sum, { transactions }) => sum + transactions.length, 0),
    cases,
    missing,
  };
}
