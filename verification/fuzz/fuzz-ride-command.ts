/**
 * `npm run fuzz:ride [-- FLAGS]`: evaluates random scripts of every library version, or the hostile cases of a family.
 * Compares this node's evaluator with the compiler's constant results. If REFERENCE_URL names a reference node of the
 * private network (which gets accounts and scripts), also with its `/utils/script/evaluate`; if EVALUATOR_URL names an
 * evaluator without a node (`verification/fuzz/lang-evaluator.ts`), with that. `--help` lists the flags.
 */

import { parsedArguments } from "../../local/cli/parsed-arguments.ts";
import { UsageError } from "../../local/cli/usage-error.ts";
import { wholeNumber } from "../../local/cli/whole-number.ts";
import { libraryVersions } from "../../src/protocol/transactions/library-versions.ts";
import { loadCompiler } from "../../src/ride/compiler/load-compiler.ts";
import { SeededRandom } from "../chain-generator/seeded-random.ts";
import { type ComparisonResult, type ComparisonTargets, compareAll, newComparisonResult } from "./compare-cases.ts";
import { compareRequests } from "./compare-requests.ts";
import { allFamilies } from "./families/all-families.ts";
import type { FuzzFamily, RequestFamily } from "./families/family.ts";
import { familyCases } from "./family-cases.ts";
import { callCases, expressionCases, type FuzzCase } from "./fuzz-cases.ts";
import { type CallHost, type FuzzHosts, generateHosts, referenceHosts } from "./fuzz-hosts.ts";
import { LangEvaluator } from "./lang-evaluator.ts";
import { ReferenceNode } from "./reference-world.ts";

const help = `npm run fuzz:ride [-- FLAGS]   random scripts, evaluated here and, where REFERENCE_URL is set, by that node;
                  where EVALUATOR_URL is set, by that evaluator

  --family NAME cases of a family in place of random scripts:
${allFamilies.map(({ name, summary }) => `                  ${name.padEnd(12)}${summary}`).join("\n")}
                  families of requests want a running node of the private network in NODE_URL, too
  --library N   of that version of the library alone
  --count N     cases to compare, default 2000
  --seconds N   stop after so long, default 600
  --seed N      other seeds make other cases, default 1
  --show N      differences that are printed, default 5
`;

const batchSize = 40;
/** Probability that a round adds a batch of calls to its batch of expressions for each version. */
const callsProbability = 0.4;
const progressMs = 10_000;

interface Flags {
  readonly family: FuzzFamily | RequestFamily | undefined;
  readonly versions: readonly number[];
  readonly count: number;
  readonly seconds: number;
  readonly seed: number;
  readonly show: number;
  readonly isHelp: boolean;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));
try {
  await run(parseFlags(), process.env["REFERENCE_URL"] ?? "");
} catch (error) {
  const isExpected = error instanceof UsageError;
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`);
  process.exit(isExpected ? 2 : 1);
}

async function run(flags: Flags, referenceUrl: string): Promise<void> {
  if (flags.isHelp) {
    print(help);
    return;
  }
  const endMs = performance.now() + flags.seconds * 1000;
  const random = new SeededRandom(`${flags.family?.name ?? "ride"} ${flags.seed}`);
  const reference = referenceUrl === "" ? undefined : new ReferenceNode(referenceUrl, random);
  const evaluatorUrl = process.env["EVALUATOR_URL"] ?? "";
  const evaluator = evaluatorUrl === "" ? undefined : new LangEvaluator(evaluatorUrl);
  if (reference === undefined && evaluator === undefined) {
    print("neither REFERENCE_URL nor EVALUATOR_URL is set: compared with the compiler only");
  }
  const result = newComparisonResult();
  const { family } = flags;
  if (family === undefined) await compareScripts(random, flags, { reference, evaluator, result: result, endMs });
  else if ("requests" in family) {
    const node = process.env["NODE_URL"] ?? "";
    if (node === "" || referenceUrl === "") throw new UsageError("Both NODE_URL and REFERENCE_URL have to be set.");
    const requests = await family.requests(random, flags.count);
    await compareRequests(untilEnd(requests, endMs, result), { reference: referenceUrl, node }, result);
  } else {
    const cases = await familyCases({ family, random, count: flags.count, reference });
    await compareAll(untilEnd(cases, endMs, result), { reference, evaluator }, result);
  }
  report(result, flags);
}

interface ComparisonOptions extends ComparisonTargets {
  readonly result: ComparisonResult;
  readonly endMs: number;
}

async function compareScripts(
  random: SeededRandom,
  { seed, count, versions }: Flags,
  { reference, evaluator, result, endMs }: ComparisonOptions,
): Promise<void> {
  const compiler = await loadCompiler();
  const options = { compiler, random, seed, versions };
  const hosts = reference === undefined ? generateHosts(options) : await referenceHosts(options, reference);
  await evaluator?.setWorld(hosts.world);
  function* cases(): Iterable<FuzzCase> {
    while (result.compared < count) {
      yield* batch(random, { compiler, hosts, versions, requested: count - result.compared });
    }
  }
  await compareAll(untilEnd(cases(), endMs, result), { reference, evaluator }, result);
}

/** Prints progress from time to time. */
function* untilEnd<Case>(cases: Iterable<Case>, endMs: number, result: ComparisonResult): Iterable<Case> {
  let nextReportMs = performance.now() + progressMs;
  for (const next of cases) {
    if (performance.now() > endMs) return;
    yield next;
    if (performance.now() < nextReportMs) continue;
    nextReportMs = performance.now() + progressMs;
    print(`${result.compared} cases, ${result.differences.length} differences`);
  }
}

function batch(
  random: SeededRandom,
  {
    compiler,
    hosts,
    versions,
    requested,
  }: {
    readonly compiler: Awaited<ReturnType<typeof loadCompiler>>;
    readonly hosts: FuzzHosts;
    readonly versions: readonly number[];
    readonly requested: number;
  },
): readonly FuzzCase[] {
  const { world } = hosts;
  if (hosts.calls.length > 0 && random.boolean(callsProbability)) {
    const host: CallHost = random.pick(hosts.calls);
    return callCases(host, { source: host.source, calls: host.nextCalls(random, batchSize) }, world, host.bounds).slice(
      0,
      requested,
    );
  }
  const version = random.pick(versions);
  const count = Math.min(batchSize, requested);
  return expressionCases(random, version, count, { compiler, world, host: hosts.expressions.get(version) });
}

function report(
  { compared, withoutReference, refusedActions, differences }: ComparisonResult,
  { show, seed }: Flags,
): void {
  for (const difference of differences.slice(0, show)) print(`--- ${difference}`);
  const parts = [
    `seed ${seed}: ${compared} cases, ${differences.length} differences`,
    `${withoutReference} not compared with a reference`,
    `${refusedActions} with actions that it refused`,
  ];
  print(parts.join("; "));
  process.exitCode = differences.length === 0 ? 0 : 1;
}

/** @throws UsageError */
function parseFlags(): Flags {
  const values = readFlags();
  return {
    family: familyOf(values.family),
    versions: values.library === undefined ? libraryVersions : [wholeNumber("library", values.library, { digits: 1 })],
    count: wholeNumber("count", values.count, { digits: 7 }),
    seconds: wholeNumber("seconds", values.seconds, { digits: 7 }),
    seed: wholeNumber("seed", values.seed, { digits: 7 }),
    show: wholeNumber("show", values.show, { digits: 7 }),
    isHelp: values.help,
  };
}

function readFlags() {
  return parsedArguments({
    options: {
      family: { type: "string" },
      library: { type: "string" },
      count: { type: "string", default: "2000" },
      seconds: { type: "string", default: "600" },
      seed: { type: "string", default: "1" },
      show: { type: "string", default: "5" },
      help: { type: "boolean", default: false },
    },
  }).values;
}

function familyOf(name: string | undefined): Flags["family"] {
  const family = allFamilies.find((each) => each.name === name);
  if (name === undefined || family !== undefined) return family;
  const names = allFamilies.map((each) => each.name).join(", ");
  throw new UsageError(`There is no family "${name}": the families are ${names}.`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
