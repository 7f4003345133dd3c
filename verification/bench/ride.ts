/**
 * `npm run bench -- ride`: contract calls per second in one isolate, next to the reference's `/utils/script/evaluate`
 * if REFERENCE_URL names a node of the private network; then the native functions that take longest for their
 * complexity.
 */
import os from "node:os";
import { decodeBase58, encodeBase58 } from "../../src/crypto/base58.ts";
import { loadCompiler } from "../../src/ride/compiler/load-compiler.ts";
import { cachedProgram } from "../../src/ride/evaluator/dapp-program.ts";
import type { Environment } from "../../src/ride/evaluator/environment.ts";
import { type Invocation, knownId } from "../../src/ride/objects/invocation.ts";
import { pureEnvironment } from "../../test/support/fakes/pure-environment.ts";
import { SeededRandom } from "../chain-generator/seeded-random.ts";
import { ReferenceNode } from "../fuzz/reference-world.ts";
import { measureNatives } from "./parts/native-costs.ts";
import { type BenchContract, benchContracts, benchFunction, benchKeys } from "./parts/ride-contracts.ts";

const complexityLimit = 52_000;
const warmUpMs = 1_000;
const measuredMs = 3_000;
const referenceMs = 5_000;
const referenceLanes = 16;
const maxPrintedNatives = 12;
/** Random argument lists per native function. */
const nativeDraws = 60;
/** Copies of a script that differ in a number; the fastest counts. */
const freshScripts = 5;
const chainId = "R".charCodeAt(0);

const linkOptions = { libraryVersion: 6, content: "dApp", guards: "account", chainId, hasLexicalScope: true } as const;
const rules = {
  isNewMode: true,
  hasFixedThrownError: true,
  checksConstructorArguments: true,
  hasSynchronousCallFixes: true,
};
const self = decodeBase58("3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF");
const invocation: Invocation = {
  caller: self,
  callerPublicKey: new Uint8Array(32),
  originCaller: self,
  originCallerPublicKey: new Uint8Array(32),
  transactionId: knownId(new Uint8Array(32)),
  feeWavelets: 500_000n,
  feeAssetId: null,
  payments: [],
};
const entries = new Map(benchKeys.map((key, index) => [key, BigInt(index)]));
const environment: Environment = {
  ...pureEnvironment({ chainId, self }),
  transactionId: () => new Uint8Array(32),
  findData: (_, key) => entries.get(key),
};

interface Row {
  readonly name: string;
  readonly complexity: number;
  readonly callsPerSecond: number;
  readonly coldMs: number;
  readonly referencePerSecond: number | undefined;
}

const compiler = await loadCompiler();
const referenceUrl = process.env["REFERENCE_URL"] ?? "";
const scripts = benchContracts.map(compiled);
const references =
  referenceUrl === "" ? [] : await referenceRates(new ReferenceNode(referenceUrl, new SeededRandom("bench")));
const rows = scripts.map((script, index) => measure(benchContracts[index] as BenchContract, script, references[index]));
print(rows);
printNatives();

function compiled({ source }: BenchContract): Uint8Array {
  const outcome = compiler.compile(source, 3, false, false, {});
  if (outcome.result === undefined) throw new Error(outcome.error);
  return new Uint8Array(outcome.result);
}

function callOnce(script: Uint8Array): number {
  const program = cachedProgram(script, linkOptions);
  const { value, unusedComplexity } =
    program?.invoke(benchFunction, [], invocation, { environment, rules, complexityLimit }) ?? {};
  if (value === undefined || unusedComplexity === undefined) throw new Error("the contract came to no value");
  return complexityLimit - unusedComplexity;
}

function measure(contract: BenchContract, script: Uint8Array, referencePerSecond: number | undefined): Row {
  const complexity = callOnce(script);
  run(script, warmUpMs);
  const coldMs = Math.min(...Array.from({ length: freshScripts }, (_, salt) => firstCallMs(contract, salt)));
  return { name: contract.name, complexity, coldMs, callsPerSecond: run(script, measuredMs), referencePerSecond };
}

/** Processor time from the bytes of a new script to its value. */
function firstCallMs(contract: BenchContract, salt: number): number {
  const source = contract.source.replace(/(?<=ACCOUNT #-}\n)/, `let salt = ${salt}\n`);
  const script = compiled({ ...contract, source });
  const before = process.cpuUsage();
  callOnce(script);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** @returns calls per second of processor time, which excludes other work on the machine */
function run(script: Uint8Array, timeMs: number): number {
  const before = process.cpuUsage();
  let calls = 0;
  for (const endMs = performance.now() + timeMs; performance.now() < endMs; calls++) callOnce(script);
  const { user, system } = process.cpuUsage(before);
  return (calls * 1e6) / (user + system);
}

async function referenceRates(reference: ReferenceNode): Promise<readonly number[]> {
  const accounts = reference.accounts("bench", scripts.length);
  await reference.equip(accounts, entries);
  await reference.setScripts(accounts.map((account, index) => ({ account, script: scripts[index] as Uint8Array })));
  const rates: number[] = [];
  for (const { address } of accounts) rates.push(await referenceRate(reference, address));
  return rates;
}

async function referenceRate(reference: ReferenceNode, address: Uint8Array): Promise<number> {
  const body = JSON.stringify({ call: { function: benchFunction, args: [] } });
  const first = await reference.evaluate(address, body, { hasTrace: false });
  if (!first.includes('"result"')) throw new Error(`the reference at ${encodeBase58(address)}: ${first}`);
  let calls = 0;
  const endMs = performance.now() + referenceMs;
  const lane = async (): Promise<void> => {
    while (performance.now() < endMs) {
      await reference.evaluate(address, body, { hasTrace: false });
      calls++;
    }
  };
  await Promise.all(Array.from({ length: referenceLanes }, lane));
  return (calls * 1_000) / referenceMs;
}

function print(measured: readonly Row[]): void {
  const header = ["contract", "complexity", "calls/s", "ns/unit", "cold ms", "reference/s"];
  const lines = measured.map(({ name, complexity, callsPerSecond, coldMs, referencePerSecond }) => [
    name,
    String(complexity),
    callsPerSecond.toFixed(0),
    (1e9 / callsPerSecond / complexity).toFixed(0),
    coldMs.toFixed(1),
    referencePerSecond === undefined ? "-" : referencePerSecond.toFixed(0),
  ]);
  table([header, ...lines]);
  process.stdout.write(`
calls/s      of processor time, warm, one isolate: the evaluator with the entries at hand
cold ms      processor time of the first call of a script that the isolate has not seen: bytes to tree, and the call
reference/s  its answers over HTTP, ${referenceLanes} connections, by the clock
load of the machine ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores

`);
}

function printNatives(): void {
  const slowest = measureNatives({ draws: nativeDraws }).slice(0, maxPrintedNatives);
  table([
    ["native function", "complexity", "\u00b5s", "\u00b5s/unit"],
    ...slowest.map(({ name, complexity, microseconds }) => [
      name.slice(0, 70),
      String(complexity),
      microseconds.toFixed(0),
      (microseconds / complexity).toFixed(2),
    ]),
  ]);
}

function table(lines: readonly (readonly string[])[]): void {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  for (const line of lines) {
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
  }
}
