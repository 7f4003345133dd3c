/**
 * `npm run fuzz:ride [-- FLAGS]`: evaluates random scripts of every library version. What this node's evaluator says is
 * held against the compiler's own facts, and, where REFERENCE_URL names a reference node of the private network (it gets
 * accounts and scripts), against that node's `/utils/script/evaluate`. `--help` lists the flags.
 */
import { parseArgs } from "node:util";
import { encodeBase58 } from "../src/crypto/base58.ts";
import { jsonText } from "../src/protocol/json.ts";
import { type ParsedObject, parseJson } from "../src/protocol/parse-json.ts";
import { libraryVersions } from "../src/protocol/transactions/library-versions.ts";
import { loadCompiler } from "../src/ride/compiler/load-compiler.ts";
import { UsageError } from "./cli/usage-error.ts";
import { SeededRandom } from "./tools/chain-maker/seeded-random.ts";
import { findDifference } from "./tools/compare-answers.ts";
import { callCases, caseJson, expressionCases, type FuzzCase } from "./tools/fuzz/fuzz-cases.ts";
import { type CallHost, type FuzzHosts, madeHosts, referenceHosts } from "./tools/fuzz/fuzz-hosts.ts";
import { ReferenceNode } from "./tools/fuzz/reference-world.ts";

const help = `npm run fuzz:ride [-- FLAGS]   random scripts, evaluated here and, where REFERENCE_URL is set, by that node

  --count N     cases to compare, default 2000
  --seconds N   stop after so long, default 600
  --seed N      other seeds make other cases, default 1
  --show N      differences that are printed, default 5
`;

const batchSize = 40;
/** A batch of expressions for each round of the versions, and a batch of calls for some. */
const callsChance = 0.4;
/** Requests to the reference at once. */
const lanes = 8;
const progressMs = 10_000;
/** Members that repeat the question, and what applying actions comes to. */
const skippedMembers = new Set(["expr", "call", "address", "stateChanges"]);

interface Flags {
  readonly count: number;
  readonly seconds: number;
  readonly seed: number;
  readonly show: number;
  readonly isHelp: boolean;
}

interface Outcome {
  compared: number;
  /** The reference applied actions, and refused them: nothing is known of the evaluation. */
  refusedActions: number;
  withoutReference: number;
  readonly differences: string[];
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
    say(help);
    return;
  }
  const endMs = performance.now() + flags.seconds * 1000;
  const random = new SeededRandom(`ride ${flags.seed}`);
  const compiler = await loadCompiler();
  const reference = referenceUrl === "" ? undefined : new ReferenceNode(referenceUrl, random);
  if (reference === undefined) say("REFERENCE_URL is not set: compared with the compiler alone");
  const facts = { compiler, random, seed: flags.seed, versions: libraryVersions };
  const hosts = reference === undefined ? madeHosts(facts) : await referenceHosts(facts, reference);
  const outcome: Outcome = { compared: 0, refusedActions: 0, withoutReference: 0, differences: [] };
  let nextReportMs = performance.now() + progressMs;
  while (outcome.compared < flags.count && performance.now() < endMs) {
    const cases = batch(random, compiler, hosts, flags.count - outcome.compared);
    await compareAll(cases, reference, outcome);
    if (performance.now() < nextReportMs) continue;
    nextReportMs = performance.now() + progressMs;
    say(`${outcome.compared} cases, ${outcome.differences.length} differences`);
  }
  report(outcome, flags);
}

function batch(
  random: SeededRandom,
  compiler: Awaited<ReturnType<typeof loadCompiler>>,
  hosts: FuzzHosts,
  wanted: number,
): readonly FuzzCase[] {
  const { world } = hosts;
  if (hosts.calls.length > 0 && random.chance(callsChance)) {
    const host: CallHost = random.pick(hosts.calls);
    return callCases(host, { source: host.source, calls: host.nextCalls(random, batchSize) }, world, host.bounds).slice(
      0,
      wanted,
    );
  }
  const version = random.pick(libraryVersions);
  const count = Math.min(batchSize, wanted);
  return expressionCases(random, version, count, { compiler, world, host: hosts.expressions.get(version) });
}

async function compareAll(
  cases: readonly FuzzCase[],
  reference: ReferenceNode | undefined,
  outcome: Outcome,
): Promise<void> {
  const waiting = [...cases];
  const lane = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await compare(next, reference, outcome);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function compare(fuzzCase: FuzzCase, reference: ReferenceNode | undefined, outcome: Outcome): Promise<void> {
  outcome.compared++;
  const { answer, bound, question } = fuzzCase;
  if (answer.kind === "value" && bound !== undefined && answer.complexity > Math.max(bound, 1)) {
    note(fuzzCase, `complexity ${answer.complexity} is above the estimate ${bound}`, outcome);
  }
  if (reference === undefined || question === undefined) {
    outcome.withoutReference++;
    return;
  }
  const expected = await reference.evaluate(question.address, jsonText(question.body));
  const message = String(expected["message"] ?? "");
  if (answer.kind === "value" && /^(FailedTransactionError|State check failed)/.test(message)) {
    outcome.refusedActions++;
    return;
  }
  const got = parseJson(jsonText(caseJson(fuzzCase))) as ParsedObject;
  const difference = findDifference(expected, got, skippedMembers);
  if (difference !== undefined) note(fuzzCase, difference, outcome);
}

function note({ libraryVersion, source, question }: FuzzCase, difference: string, outcome: Outcome): void {
  const place = question === undefined ? "" : ` at ${encodeBase58(question.address)}`;
  outcome.differences.push(`version ${libraryVersion}${place}: ${difference}\n${source}`);
}

function report({ compared, withoutReference, refusedActions, differences }: Outcome, { show, seed }: Flags): void {
  for (const difference of differences.slice(0, show)) say(`--- ${difference}`);
  const parts = [
    `seed ${seed}: ${compared} cases, ${differences.length} differences`,
    `${withoutReference} not asked of a reference`,
    `${refusedActions} with actions that it refused`,
  ];
  say(parts.join("; "));
  process.exitCode = differences.length === 0 ? 0 : 1;
}

/** @throws UsageError */
function parseFlags(): Flags {
  const values = readFlags();
  return {
    count: wholeNumber("count", values.count),
    seconds: wholeNumber("seconds", values.seconds),
    seed: wholeNumber("seed", values.seed),
    show: wholeNumber("show", values.show),
    isHelp: values.help,
  };
}

function readFlags() {
  try {
    return parseArgs({
      options: {
        count: { type: "string", default: "2000" },
        seconds: { type: "string", default: "600" },
        seed: { type: "string", default: "1" },
        show: { type: "string", default: "5" },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new UsageError(`--${flag} wants a whole number, but "${text}" was given.`);
  return Number(text);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
