/**
 * `npx node verification/chain-generator/make-chain.ts`: generates a chain for testing nodes. Reads nothing; writes
 * `network.json`, `blocks.bin` and `coverage.json` into a folder. `--help` lists the flags. The same seed gives the
 * same files, byte for byte.
 */
import { parseArgs } from "node:util";
import { type ChainVariant, chainVariants } from "./generated-network.ts";
import { writeChain } from "./write-chain.ts";

const help = `npx node verification/chain-generator/make-chain.ts [FLAGS]   make a chain to test nodes with

  --variant NAME   ${chainVariants.join(" or ")}, default ${chainVariants[0]}
  --seed N         default 1
  --blocks N       height of the chain, default 220
  --out DIR        folder to write into, default .data/made-chain
`;

const { values } = parseArgs({
  options: {
    variant: { type: "string", default: chainVariants[0] },
    seed: { type: "string", default: "1" },
    blocks: { type: "string", default: "220" },
    out: { type: "string", default: ".data/made-chain" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(help);
else make();

function make(): void {
  const options = { variant: variantOf(values.variant), seed: Number(values.seed), blocks: Number(values.blocks) };
  const { cases, missing, transactions, chain } = writeChain(values.out, options);
  for (const [name, count] of Object.entries(cases)) process.stdout.write(`${String(count).padStart(6)}  ${name}\n`);
  if (missing.length > 0) process.stdout.write(`missing: ${missing.join(", ")}\n`);
  process.stdout.write(
    `${options.blocks} blocks with ${transactions} transactions in ${values.out}; ` +
      `${chain.microBlocks} micro-blocks, ${chain.discarded} transactions dropped once\n`,
  );
}

function variantOf(name: string): ChainVariant {
  const variant = chainVariants.find((known) => known === name);
  if (variant !== undefined) return variant;
  process.stderr.write(`There is no variant "${name}": ${chainVariants.join(" or ")} expected.\n`);
  process.exit(2);
}
