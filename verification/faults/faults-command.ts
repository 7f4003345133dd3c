/**
 * `npm run faults [-- FLAGS]`: injects faults drawn from a seed into nodes under load, and after each run compares
 * ChainState, the read model and a replay of the chain. Writes only temporary folders. Exit code 1 when something
 * differs. `--help` lists the flags.
 */

import { UsageError } from "../../local/cli/usage-error.ts";
import { type FaultFlags, faultHelp, type Layer, parseFaultFlags } from "./fault-flags.ts";
import type { FaultRunReport } from "./fault-run.ts";

const totals = { faults: 0, runs: 0, differing: 0 };
const counts = new Map<string, number>();
const types = new Set<number>();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));
try {
  const flags = parseFaultFlags(process.argv.slice(2));
  if (flags.isHelp) process.stdout.write(faultHelp);
  else await runAll(flags);
} catch (error) {
  const isExpected = error instanceof UsageError;
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`);
  process.exit(isExpected ? 2 : 1);
}

async function runAll(flags: FaultFlags): Promise<void> {
  const { seed, seconds, only, run } = flags;
  // Imported after the flags are checked, because they load a compiler.
  const { seededRun } = await import("./seeded-run.ts");
  const { startedRun } = await import("./started-run.ts");
  const { generatedTypes } = await import("../chain-generator/coverage.ts");
  print(`seed ${seed}`);
  if (run !== undefined) {
    const report = await seededRun(seed, run);
    for (const line of report.journal.lines) print(line);
    record("simulated", run, seed, report);
  } else {
    const share = only === undefined ? seconds / 2 : seconds;
    if (only !== "started") await runLayer("simulated", flags, share, (number) => seededRun(seed, number));
    if (only !== "simulated") await runLayer("started", flags, share, (number) => startedRun(seed, number));
  }
  summarize(generatedTypes);
}

async function runLayer(
  layer: Layer,
  { seed, faults }: FaultFlags,
  seconds: number,
  runOne: (number: number) => Promise<FaultRunReport>,
): Promise<void> {
  const endMs = performance.now() + seconds * 1_000;
  for (let number = 1; performance.now() < endMs && totals.faults < faults; number++)
    record(layer, number, seed, await runOne(number));
}

function record(layer: Layer, number: number, seed: number, report: FaultRunReport): void {
  const { journal, differences, height, transactions } = report;
  totals.faults += journal.faults;
  totals.runs += 1;
  for (const [kind, count] of journal.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
  for (const type of report.types) types.add(type);
  const found = differences.length === 0 ? "no difference" : `${differences.length} differences`;
  const summary = `${journal.faults} faults, height ${height}, ${transactions} transactions accepted, ${found}`;
  print(`${layer} run ${number}: ${summary}; ${totals.faults} faults so far`);
  if (differences.length === 0) return;
  totals.differing += 1;
  for (const line of journal.lines) if (/ (FAULT|DIFFERENCE) /.test(line)) print(line);
  for (const difference of differences) print(`--- ${difference}`);
  if (layer === "simulated") print(`to replay with details: npm run faults -- --seed ${seed} --run ${number}`);
}

/** @param expected transaction types that the chains should contain */
function summarize(expected: readonly number[]): void {
  for (const [kind, count] of [...counts].sort(([left], [right]) => (left < right ? -1 : 1)))
    print(`${String(count).padStart(6)}  ${kind}`);
  const missing = expected.filter((type) => !types.has(type));
  if (missing.length > 0) print(`types of transactions that no chain holds: ${missing.join(", ")}`);
  const outcome = totals.differing === 0 ? "no difference" : `${totals.differing} runs with differences`;
  print(`${totals.faults} faults in ${totals.runs} runs: ${outcome}`);
  process.exitCode = totals.differing === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
