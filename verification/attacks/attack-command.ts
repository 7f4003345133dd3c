/**
 * `npm run attack [-- [NAME...] FLAGS]`: attacks a node started for this while clients read. Compares with the same
 * reads before the attack, and with as many honest requests of the same declared complexity. Exit code 1 when reads,
 * blocks or memory get worse. `--help` lists the flags.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { UsageError } from "../../local/cli/usage-error.ts";
import { SeededRandom } from "../chain-generator/seeded-random.ts";
import { freePort, startNode } from "../local-node.ts";
import { allAttacks } from "./all-attacks.ts";
import type { Load, ResultCounts } from "./attack.ts";
import { type AttackFlags, attackHelp, parseAttackFlags } from "./attack-flags.ts";
import { AttackedNode } from "./attacked-node.ts";
import {
  findMemoryRegressions,
  findRegressions,
  mebibytes,
  missedBlocks,
  quantile,
  type Reading,
} from "./compare-readings.ts";
import { MemoryWatch, type NodeMemory, type NodeWork, workOf } from "./process-memory.ts";
import { BLOCK_MS, read } from "./reader.ts";

/** Pause between two loads, in which the node recovers from the first. */
const SETTLE_MS = 3_000;
/** Wait for a block after the attack; block times are random. */
const WAIT_TIMEOUT_MS = 6 * BLOCK_MS;
const LOOK_MS = 200;

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

/** Runs an attack against a node of its own, so that no attack affects another. */
async function run(name: string, flags: AttackFlags): Promise<void> {
  const attack = allAttacks.find((each) => each.name === name);
  if (attack === undefined) throw new UsageError(`There is no attack "${name}".`);
  const random = new SeededRandom(`${name} ${flags.seed}`);
  const peerPort = await freePort();
  const folder = mkdtempSync(path.join(os.tmpdir(), "attack-"));
  const kind = attack.isDev ? ["--dev"] : ["--p2p-port", String(peerPort)];
  const started = await startNode(["--memory", ...kind, ...(attack.flags?.(folder) ?? [])]);
  const local = await started.ready();
  const { pid } = started.process;
  if (pid === undefined) throw new Error("the node has no process");
  try {
    const node = new AttackedNode({ url: local.url, peerPort, pid, folder, random, output: local.output });
    const { hostile, honest, findErrors } = await attack.prepare(node, random);
    const quiet = await underLoad(undefined, local.url, pid, flags);
    report(`${name}: nothing`, quiet);
    const attacked = await underLoad(hostile, local.url, pid, flags);
    report(`${name}: hostile`, attacked);
    const found = [
      ...findMemoryRegressions(quiet.memory, attacked.memory),
      ...((await findErrors?.(attacked.resultCounts)) ?? []),
    ];
    if (!(await makesBlock(local.url))) found.push("no block came after the attack");
    let usual: LoadMeasurement | undefined;
    if (honest !== undefined) {
      await wait(SETTLE_MS);
      usual = await underLoad(honest(attacked.resultCounts), local.url, pid, flags);
      report(`${name}: honest`, usual);
    }
    found.push(...findRegressions(attacked.reading, usual?.reading, quiet.reading));
    for (const error of found) print(`${name}: FAILED: ${error}`);
    if (found.length === 0) print(`${name}: passed`);
    else process.exitCode = 1;
  } finally {
    await local.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface LoadMeasurement {
  readonly reading: Reading;
  readonly resultCounts: ResultCounts;
  readonly memory: NodeMemory;
  /** Processor time of the node meanwhile. */
  readonly work: NodeWork;
}

/** Measures under load. @param load undefined: reads only */
async function underLoad(
  load: Load | undefined,
  url: string,
  pid: number,
  { connections, seconds }: AttackFlags,
): Promise<LoadMeasurement> {
  const end = new AbortController();
  const [memory, before] = [new MemoryWatch(pid), workOf(pid)];
  const [reading, outcomes] = [read(url, end.signal), load?.({ connections, signal: end.signal })];
  await wait(seconds * 1_000);
  end.abort();
  const after = workOf(pid);
  const work = { runtimeMs: after.runtimeMs - before.runtimeMs, runnerMs: after.runnerMs - before.runnerMs };
  return { reading: await reading, resultCounts: (await outcomes) ?? new Map(), memory: memory.stop(), work };
}

/** True if a new key block arrives. */
async function makesBlock(url: string): Promise<boolean> {
  const heightNow = async (): Promise<number> => {
    const response = await fetch(`${url}/blocks/height`, { signal: AbortSignal.timeout(WAIT_TIMEOUT_MS) });
    return ((await response.json()) as { readonly height: number }).height;
  };
  const from = await heightNow();
  for (const endMs = performance.now() + WAIT_TIMEOUT_MS; performance.now() < endMs; await wait(LOOK_MS))
    if ((await heightNow()) > from) return true;
  return false;
}

function report(label: string, { reading, resultCounts, memory, work }: LoadMeasurement): void {
  const { waitsMs, failed, latenessMs, longestSilenceMs } = reading;
  const counts = [...resultCounts].map(([outcome, count]) => `${outcome}: ${count}`).join(", ");
  const times = [0.5, 0.99, 1].map((share) => Math.round(quantile(waitsMs, share))).join(" / ");
  print(counts === "" ? label : `${label}: ${counts}`);
  print(`  ${waitsMs.length} reads, ${times} ms (p50 / p99 / longest), ${failed} failed`);
  print(`  ${latenessMs.length} blocks, ${missedBlocks(reading)} missed; health: ${Math.round(longestSilenceMs)} ms`);
  print(`  processor: runtime ${work.runtimeMs} ms, front server ${work.runnerMs} ms`);
  print(`  memory: runtime ${mebibytes(memory.runtimeBytes)} MiB, front server ${mebibytes(memory.runnerBytes)} MiB`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
