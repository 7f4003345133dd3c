/**
 * `npm run conformance:reference [-- FLAGS]`: generates chains, imports them into a reference node with full
 * validation, and sends the same requests to it and to this node. REFERENCE_LIB names the folder of the reference's
 * jars. Writes into a temporary folder, which stays when something differs. `--help` lists the flags.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parsedArguments } from "../../local/cli/parsed-arguments.ts";
import { UsageError } from "../../local/cli/usage-error.ts";
import { wholeNumber } from "../../local/cli/whole-number.ts";
import { excludedCases } from "../chain-generator/coverage.ts";
import { type ChainVariant, referenceVariants } from "../chain-generator/generated-network.ts";
import { checkChain } from "./check-chain.ts";
import { knownDeviations } from "./known-deviations.ts";

const names = referenceVariants.join(", ");
const help = `REFERENCE_LIB=DIR npm run conformance:reference [-- FLAGS]   compare with a reference node, release 1.5

  --variant NAME   one of ${names}; default: all
  --seed N         the first seed, default 1
  --seeds N        how many, default 1
  --blocks N       height of each chain, default 220
  --challenges N   how many blocks of each challenge others, default 2
  --rollback N     by how many blocks both are rolled back at last, and asked again, default 20
  --keep           keep the chains and the reference's logs
`;

interface Flags {
  readonly variants: readonly ChainVariant[];
  readonly seeds: readonly number[];
  readonly blocks: number;
  readonly challenges: number;
  readonly rollback: number;
  readonly keepsFolder: boolean;
  readonly isHelp: boolean;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));
try {
  await run(parseFlags(), process.env["REFERENCE_LIB"]);
} catch (error) {
  const isExpected = error instanceof UsageError;
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`);
  process.exit(isExpected ? 2 : 1);
}

async function run(flags: Flags, library: string | undefined): Promise<void> {
  if (flags.isHelp) {
    process.stdout.write(help);
  } else if (library === undefined || library === "") {
    print("REFERENCE_LIB is not set (the folder with a reference node's jars): nothing to compare with, passed over.");
  } else if (existsSync(library)) {
    await checkAll(flags, path.resolve(library));
  } else {
    throw new UsageError(`REFERENCE_LIB names ${library}, which is not there.`);
  }
}

async function checkAll(
  { variants, seeds, blocks, challenges, rollback, keepsFolder }: Flags,
  library: string,
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "conformance-"));
  let responses = 0;
  let errors = 0;
  let unanswered = 0;
  for (const seed of seeds) {
    for (const variant of variants) {
      print(`--- ${variant}, seed ${seed}`);
      const target = path.join(folder, `${variant}-${seed}`);
      const options = { variant, seed, blocks, challenges };
      const result = await checkChain({ library, folder: target, chainOptions: options, rollback, log: print });
      responses += result.responses;
      errors += result.differences;
      unanswered += result.unanswered;
    }
  }
  if (errors === 0 && !keepsFolder) rmSync(folder, { recursive: true, force: true });
  else print(`chains and logs: ${folder}`);
  for (const text of excludedCases) print(`not covered: ${text}`);
  for (const text of knownDeviations) print(`not counted: ${text}`);
  if (unanswered > 0)
    print(`${unanswered} requests got no timely response, even after retries: compare them in another run`);
  print(`${responses} responses compared, ${errors} differences`);
  process.exitCode = errors === 0 ? 0 : 1;
}

/** @throws UsageError */
function parseFlags(): Flags {
  const values = readFlags();
  const variants = referenceVariants.filter((variant) => values.variant === undefined || variant === values.variant);
  if (variants.length === 0) throw new UsageError(`--variant expects ${names}, got "${values.variant}".`);
  const firstSeed = wholeNumber("seed", values.seed, { digits: 15 });
  return {
    variants,
    seeds: Array.from({ length: wholeNumber("seeds", values.seeds, { digits: 6 }) }, (_, index) => firstSeed + index),
    blocks: wholeNumber("blocks", values.blocks, { digits: 6 }),
    challenges: wholeNumber("challenges", values.challenges, { digits: 3 }),
    rollback: wholeNumber("rollback", values.rollback, { digits: 6 }),
    keepsFolder: values.keep,
    isHelp: values.help,
  };
}

function readFlags() {
  return parsedArguments({
    options: {
      variant: { type: "string" },
      seed: { type: "string", default: "1" },
      seeds: { type: "string", default: "1" },
      blocks: { type: "string", default: "220" },
      challenges: { type: "string", default: "2" },
      rollback: { type: "string", default: "20" },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  }).values;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
