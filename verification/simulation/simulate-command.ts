/**
 * `npm run simulate [-- FLAGS]`: networks of nodes within this process, on a simulated clock that never waits. A seed
 * draws delays, cuts, partitions and crashes at any instant. In the end all nodes must agree. Exit code 1 when a check
 * fails. `--help` lists the flags.
 */

import { UsageError } from "../../local/cli/usage-error.ts";
import type { NetworkRunReport } from "./network/network-run.ts";
import { parseSimulateFlags, type SimulateFlags, simulateHelp } from "./simulate-flags.ts";

const totals = { runs: 0, withLight: 0, failed: 0, faults: 0, rollbacks: 0, deepest: 0, transactions: 0 };
const counts = new Map<string, number>();

try {
  const flags = parseSimulateFlags(process.argv.slice(2));
  if (flags.isHelp) process.stdout.write(simulateHelp);
  else if (flags.isOfCommittees) await runCommittees(flags);
  else await runAll(flags);
} catch (error) {
  const isExpected = error instanceof UsageError;
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`);
  process.exit(isExpected ? 2 : 1);
}

function seedsOf({ seeds, first, name, seed }: SimulateFlags): readonly string[] {
  return seed === undefined ? Array.from({ length: seeds }, (_, index) => `${name}/${first + index}`) : [seed];
}

async function runAll(flags: SimulateFlags): Promise<void> {
  const { seed, ...options } = flags;
  // Imported after the flags are checked, because it loads a compiler.
  const { networkRun } = await import("./network/network-run.ts");
  for (const each of seedsOf(flags)) {
    const startedMs = performance.now();
    const report = await networkRun({ ...options, seed: each });
    if (seed !== undefined) for (const line of report.journal.lines) print(line);
    record(each, report, options, performance.now() - startedMs);
  }
  summarize();
}

async function runCommittees(flags: SimulateFlags): Promise<void> {
  const { seed, blocks, isHostile, isSlow } = flags;
  const { committeeRun } = await import("./committee/committee-run.ts");
  for (const each of seedsOf(flags)) {
    const startedMs = performance.now();
    const report = committeeRun({ seed: each, blocks, isHostile, isSlow });
    const { journal, differences, members, nodes, hostile, height, finalizedHeight, conflicts } = report;
    if (seed !== undefined) for (const line of journal.lines) print(line);
    totals.runs += 1;
    totals.faults += journal.faults;
    totals.rollbacks += report.rollbacks;
    totals.deepest = Math.max(totals.deepest, report.deepestRollback);
    for (const [kind, count] of journal.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
    const summary = [
      ...[
        `${members} generators on ${nodes} nodes, ${hostile} of them hostile`,
        `height ${height}, final ${finalizedHeight}`,
      ],
      ...[`${journal.faults} faults`, `${conflicts} excluded`, `${report.rollbacks} rollbacks`],
    ];
    printResult(each, summary, differences, performance.now() - startedMs);
    if (differences.length > 0)
      print(
        `again, with all that happens: npm run simulate -- --committees --blocks ${blocks}${isHostile ? " --hostile" : ""}${isSlow ? " --slow" : ""} --seed ${each}`,
      );
  }
  summarize();
}

function printResult(seed: string, summary: readonly string[], differences: readonly string[], tookMs: number): void {
  const found = differences.length === 0 ? "all agree" : `${differences.length} things do not hold`;
  print(`seed ${seed}: ${[...summary, found].join(", ")} (${(tookMs / 1_000).toFixed(1)} s)`);
  if (differences.length === 0) return;
  totals.failed += 1;
  for (const difference of differences) print(`--- ${difference}`);
}

function record(
  seed: string,
  report: NetworkRunReport,
  { nodes, blocks, isHostile, era: onlyEra }: Pick<SimulateFlags, "nodes" | "blocks" | "isHostile" | "era">,
  tookMs: number,
): void {
  const { journal, differences, height, era, lightNodes, transactions, rollbacks, deepestRollback } = report;
  totals.runs += 1;
  if (lightNodes > 0) totals.withLight += 1;
  totals.faults += journal.faults;
  totals.rollbacks += rollbacks;
  totals.transactions += transactions;
  totals.deepest = Math.max(totals.deepest, deepestRollback);
  for (const [kind, count] of journal.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
  const summary = [
    ...[
      `${era} rules`,
      `${lightNodes} light`,
      `height ${height}`,
      `${transactions} transactions`,
      `${journal.faults} faults`,
    ],
    `${rollbacks} rollbacks, ${deepestRollback} blocks at most`,
  ];
  printResult(seed, summary, differences, tookMs);
  if (differences.length === 0) return;
  const more = `${isHostile ? " --hostile" : ""}${onlyEra === undefined ? "" : ` --era ${onlyEra}`}`;
  const flags = `--nodes ${nodes} --blocks ${blocks}${more} --seed ${seed}`;
  print(`again, with all that happens: npm run simulate -- ${flags}`);
}

function summarize(): void {
  for (const [kind, count] of [...counts].sort(([left], [right]) => (left < right ? -1 : 1)))
    print(`${String(count).padStart(6)}  ${kind}`);
  const { runs, withLight, failed, faults, rollbacks, deepest, transactions } = totals;
  const summary = `${transactions} transactions, ${faults} faults, ${rollbacks} rollbacks, ${deepest} blocks at most`;
  print(
    `${runs} networks, ${withLight} with light nodes: ${summary}; ${failed === 0 ? "all agree" : `${failed} do not`}`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
