/**
 * `npm run simulate [-- FLAGS]`: networks of nodes within this process, with a clock that goes as fast as they do, and what a
 * seed draws between them: delays, cuts, partitions, ends at any instant. In the end all of a network must agree. Exit code 1
 * when something does not hold. `--help` lists the flags.
 */
import { parseSimulateFlags, type SimulateFlags, simulateHelp } from "./cli/simulate-flags.ts";
import { UsageError } from "./cli/usage-error.ts";
import type { NetworkRunReport } from "./tools/simulated-network/network-run.ts";

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
  const { seed, ...wish } = flags;
  // Not before the flags are known to be right: it loads a compiler.
  const { networkRun } = await import("./tools/simulated-network/network-run.ts");
  for (const each of seedsOf(flags)) {
    const startedMs = performance.now();
    const report = await networkRun({ ...wish, seed: each });
    if (seed !== undefined) for (const line of report.journal.lines) say(line);
    take(each, report, wish, performance.now() - startedMs);
  }
  summarize();
}

async function runCommittees(flags: SimulateFlags): Promise<void> {
  const { seed, blocks, isHostile } = flags;
  const { committeeRun } = await import("./tools/simulated-committee/committee-run.ts");
  for (const each of seedsOf(flags)) {
    const startedMs = performance.now();
    const report = committeeRun({ seed: each, blocks, isHostile });
    const { journal, differences, members, nodes, hostile, height, finalizedHeight, conflicts } = report;
    if (seed !== undefined) for (const line of journal.lines) say(line);
    totals.runs += 1;
    totals.faults += journal.faults;
    totals.rollbacks += report.rollbacks;
    totals.deepest = Math.max(totals.deepest, report.deepestRollback);
    for (const [kind, count] of journal.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
    const facts = [
      ...[
        `${members} generators on ${nodes} nodes, ${hostile} of them hostile`,
        `height ${height}, final ${finalizedHeight}`,
      ],
      ...[`${journal.faults} faults`, `${conflicts} excluded`, `${report.rollbacks} rollbacks`],
    ];
    sayOutcome(each, facts, differences, performance.now() - startedMs);
    if (differences.length > 0)
      say(
        `again, with all that happens: npm run simulate -- --committees --blocks ${blocks}${isHostile ? " --hostile" : ""} --seed ${each}`,
      );
  }
  summarize();
}

function sayOutcome(seed: string, facts: readonly string[], differences: readonly string[], tookMs: number): void {
  const found = differences.length === 0 ? "all agree" : `${differences.length} things do not hold`;
  say(`seed ${seed}: ${[...facts, found].join(", ")} (${(tookMs / 1_000).toFixed(1)} s)`);
  if (differences.length === 0) return;
  totals.failed += 1;
  for (const difference of differences) say(`--- ${difference}`);
}

function take(
  seed: string,
  report: NetworkRunReport,
  { nodes, blocks, isHostile }: Pick<SimulateFlags, "nodes" | "blocks" | "isHostile">,
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
  const facts = [
    ...[
      `${era} rules`,
      `${lightNodes} light`,
      `height ${height}`,
      `${transactions} transactions`,
      `${journal.faults} faults`,
    ],
    `${rollbacks} rollbacks, ${deepestRollback} blocks at most`,
  ];
  sayOutcome(seed, facts, differences, tookMs);
  if (differences.length === 0) return;
  const flags = `--nodes ${nodes} --blocks ${blocks}${isHostile ? " --hostile" : ""} --seed ${seed}`;
  say(`again, with all that happens: npm run simulate -- ${flags}`);
}

function summarize(): void {
  for (const [kind, count] of [...counts].sort(([left], [right]) => (left < right ? -1 : 1)))
    say(`${String(count).padStart(6)}  ${kind}`);
  const { runs, withLight, failed, faults, rollbacks, deepest, transactions } = totals;
  const facts = `${transactions} transactions, ${faults} faults, ${rollbacks} rollbacks, ${deepest} blocks at most`;
  say(`${runs} networks, ${withLight} with light nodes: ${facts}; ${failed === 0 ? "all agree" : `${failed} do not`}`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
