/**
 * `npm run conformance:network [-- FLAGS]`: runs this node among reference and Go nodes in private networks with short
 * blocks, on loopback. REFERENCE_LIB names the folder of the reference's jars, GOWAVES_NODE the binary of the Go node;
 * a scenario without its nodes is skipped. Writes into a temporary folder, which stays after a failure. `--help` lists
 * the scenarios and flags.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parsedArguments } from "../../../local/cli/parsed-arguments.ts";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { wholeNumber } from "../../../local/cli/whole-number.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { Programs } from "./node-group.ts";
import { fullSizes, quickSizes, type Scenario, type Sizes } from "./scenario.ts";
import { challenge } from "./scenarios/challenge.ts";
import { edges } from "./scenarios/edges.ts";
import { finality } from "./scenarios/finality.ts";
import { goHeal, goMine, goSync, others, othersHeal, three } from "./scenarios/go.ts";
import { heal } from "./scenarios/heal.ts";
import { kill, killGo, killHeal, killSync, killThree } from "./scenarios/kill.ts";
import { latency } from "./scenarios/latency.ts";
import { mine } from "./scenarios/mine.ts";
import { edgesAddresses, edgesLiquid } from "./scenarios/script-edges.ts";
import { light, ownLight, sync } from "./scenarios/sync.ts";

const scenarios: readonly Scenario[] = [
  sync,
  light,
  ownLight,
  mine,
  heal,
  kill,
  killSync,
  killHeal,
  challenge,
  edges,
  edgesLiquid,
  edgesAddresses,
  goSync,
  goMine,
  goHeal,
  killGo,
  three,
  killThree,
  latency,
  finality,
  others,
  othersHeal,
];
const sizeFlags: Readonly<Record<keyof Sizes, string>> = {
  syncBlocks: "sync-blocks",
  mineBlocks: "mine-blocks",
  cuts: "cuts",
  cutBlocks: "cut-blocks",
  threeBlocks: "three-blocks",
  kills: "kills",
  endorsedBlocks: "endorsed-blocks",
  timedBlocks: "timed-blocks",
};
const sizeNames = Object.keys(sizeFlags) as (keyof Sizes)[];

const help = `REFERENCE_LIB=DIR GOWAVES_NODE=FILE npm run conformance:network [-- FLAGS]   this node among others

${scenarios.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join("\n")}

  --only NAME[,NAME]   these scenarios; default: all
  --finality           as --only finality
  --seed N             of transactions and instants, default 1
  --full               the numbers behind the slash
${sizeNames.map((name) => `  --${`${sizeFlags[name]} N`.padEnd(18)} default ${quickSizes[name]} / ${fullSizes[name]}`).join("\n")}
  --keep               keep folders and logs
`;

interface Flags {
  readonly chosen: readonly Scenario[];
  readonly seed: number;
  readonly sizes: Sizes;
  readonly keepsFolder: boolean;
  readonly isHelp: boolean;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));
try {
  const flags = parseFlags();
  if (flags.isHelp) process.stdout.write(help);
  else await playAll(flags);
} catch (error) {
  const isExpected = error instanceof UsageError;
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`);
  process.exit(isExpected ? 2 : 1);
}

async function playAll({ chosen, seed, sizes, keepsFolder }: Flags): Promise<void> {
  const programs: Programs = {
    library: findProgram("REFERENCE_LIB", "the folder with a reference node's jars"),
    goNode: findProgram("GOWAVES_NODE", "the binary of a Go node"),
  };
  const folder = mkdtempSync(path.join(os.tmpdir(), "conformance-network-"));
  let played = 0;
  let errors = 0;
  for (const scenario of chosen) {
    const missing = scenario.needs.filter((kind) => programs[kind === "go" ? "goNode" : "library"] === undefined);
    if (missing.length > 0) {
      print(`--- ${scenario.name}: passed over, there is no ${missing.join(" and no ")} node`);
      continue;
    }
    print(`--- ${scenario.name}: ${scenario.about}`);
    played++;
    const found = await playOne(scenario, { programs, folder, seed, sizes });
    for (const error of found) print(`  ERROR ${error}`);
    errors += found.length;
  }
  if (errors === 0 && !keepsFolder) rmSync(folder, { recursive: true, force: true });
  else print(`folders and logs: ${folder}`);
  print(`${played} of ${chosen.length} scenarios played, ${errors} errors`);
  process.exitCode = errors === 0 ? 0 : 1;
}

/** Runs one scenario. An exception counts as its error; the next scenario runs all the same. */
async function playOne(
  scenario: Scenario,
  options: { programs: Programs; folder: string; seed: number; sizes: Sizes },
): Promise<string[]> {
  const folder = path.join(options.folder, scenario.name);
  mkdirSync(folder, { recursive: true });
  const random = new SeededRandom(`${scenario.name}/${options.seed}`);
  const { programs, seed, sizes } = options;
  try {
    return await scenario.play({ programs, folder, seed, sizes, random, log: print });
  } catch (error) {
    return [String((error as Error).stack), ...causesOf(error as Error)];
  }
}

function causesOf({ cause }: Error): string[] {
  return cause instanceof Error ? [`because ${cause.message}`, ...causesOf(cause)] : [];
}

/** @returns undefined when the variable is not set @throws UsageError when the program does not exist */
function findProgram(variable: string, meaning: string): string | undefined {
  const file = process.env[variable];
  if (file === undefined || file === "") {
    print(`${variable} is not set (${meaning}).`);
    return undefined;
  }
  if (!existsSync(file)) throw new UsageError(`${variable} names ${file}, which is not there.`);
  return path.resolve(file);
}

/** @throws UsageError */
function parseFlags(): Flags {
  const values = readFlags();
  if (values.finality && values.only !== undefined) throw new UsageError("--finality and --only exclude each other.");
  const only = values.finality ? finality.name : values.only;
  const names = only?.split(",") ?? scenarios.map(({ name }) => name);
  const chosen = names.map((name) => {
    const scenario = scenarios.find((each) => each.name === name);
    if (scenario !== undefined) return scenario;
    throw new UsageError(`--only expects ${scenarios.map((each) => each.name).join(", ")}, got "${name}".`);
  });
  const sizes = { ...(values.full ? fullSizes : quickSizes) } as Record<keyof Sizes, number>;
  for (const name of sizeNames) {
    const text = values[sizeFlags[name]];
    if (typeof text === "string") sizes[name] = wholeNumber(sizeFlags[name], text, { digits: 6 });
  }
  return {
    chosen,
    seed: wholeNumber("seed", values.seed, { digits: 15 }),
    sizes,
    keepsFolder: values.keep,
    isHelp: values.help,
  };
}

function readFlags() {
  const sizes = Object.fromEntries(Object.values(sizeFlags).map((flag) => [flag, { type: "string" as const }]));
  return parsedArguments({
    options: {
      ...sizes,
      only: { type: "string" },
      finality: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
      full: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  }).values as {
    only?: string;
    finality: boolean;
    seed: string;
    full: boolean;
    keep: boolean;
    help: boolean;
  } & Record<string, unknown>;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
