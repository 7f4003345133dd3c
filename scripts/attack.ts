/**
 * `npm run attack [-- [NAME...] FLAGS]`: attacks a node that is started for this, while a client reads, and compares with as
 * many honest requests of the same declared complexity. Exit code 1 when reads or blocks fare worse. `--help` lists the flags.
 */
import { setTimeout as wait } from "node:timers/promises";
import { allAttacks } from "./attack/all-attacks.ts";
import type { Load, Outcomes } from "./attack/attack.ts";
import { AttackedNode } from "./attack/attacked-node.ts";
import { faultsOf, missedBlocks, quantile, type Reading } from "./attack/compare-readings.ts";
import { read } from "./attack/reader.ts";
import { type AttackFlags, attackHelp, parseAttackFlags } from "./cli/attack-flags.ts";
import { UsageError } from "./cli/usage-error.ts";
import { SeededRandom } from "./tools/chain-maker/seeded-random.ts";
import { readyNode } from "./tools/local-node.ts";

/** Between two loads, for what the first one left behind. */
const REST_MS = 10_000;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));
try {
  const names = allAttacks.map(({ name }) => name);
  const flags = parseAttackFlags(process.argv.slice(2), names);
  if (flags.isHelp) process.stdout.write(attackHelp(allAttacks));
  else for (const name of flags.names) await run(name, flags);
} catch (error) {
  const isExpected = error instanceof UsageError;
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`);
  process.exit(isExpected ? 2 : 1);
}

/** Each attack has a node of its own: none finds what another one left. */
async function run(name: string, flags: AttackFlags): Promise<void> {
  const attack = allAttacks.find((each) => each.name === name);
  if (attack === undefined) throw new UsageError(`There is no attack "${name}".`);
  const random = new SeededRandom(`${name} ${flags.seed}`);
  const local = await readyNode(["--memory"]);
  try {
    const { hostile, honest } = await attack.prepare(new AttackedNode(local.url, random), random);
    const attacked = await underLoad(hostile, local.url, flags);
    report(`${name}: hostile`, attacked);
    await wait(REST_MS);
    const usual = await underLoad(honest(attacked.outcomes), local.url, flags);
    report(`${name}: honest`, usual);
    const faults = faultsOf(attacked.reading, usual.reading);
    for (const fault of faults) say(`${name}: ${fault}`);
    if (faults.length === 0) say(`${name}: reads and blocks fare as well as under honest requests`);
    else process.exitCode = 1;
  } finally {
    await local.stop();
  }
}

interface Loaded {
  readonly reading: Reading;
  readonly outcomes: Outcomes;
}

async function underLoad(load: Load, url: string, { connections, seconds }: AttackFlags): Promise<Loaded> {
  const end = new AbortController();
  const [reading, outcomes] = [read(url, end.signal), load({ connections, signal: end.signal })];
  await wait(seconds * 1_000);
  end.abort();
  return { reading: await reading, outcomes: await outcomes };
}

function report(what: string, { reading, outcomes }: Loaded): void {
  const { waitsMs, failed, latenessMs } = reading;
  const answers = [...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).join(", ");
  const times = [0.5, 0.99, 1].map((part) => Math.round(quantile(waitsMs, part))).join(" / ");
  say(`${what}: ${answers || "no answers"}`);
  say(`  ${waitsMs.length} reads, ${times} ms (p50 / p99 / longest), ${failed} failed`);
  say(`  ${latenessMs.length} blocks, ${missedBlocks(reading)} missed`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
