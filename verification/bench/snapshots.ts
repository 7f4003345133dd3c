/**
 * `npm run bench -- snapshots [--rounds N] [--transfers N]`: time that a dev chain takes for a snapshot, a revert and a
 * reset, from request to response, with N transfers in between. Each round is one test of a suite.
 */
import { once } from "node:events";
import { parseArgs } from "node:util";
import { transfer } from "@waves/waves-transactions";
import { startNode } from "../local-node.ts";
import { percentile } from "./parts/percentile.ts";
import { printTable } from "./parts/print-table.ts";

const { values: flags } = parseArgs({
  options: { rounds: { type: "string", default: "20" }, transfers: { type: "string", default: "10" } },
});
const rounds = Number(flags.rounds);
const transfers = Number(flags.transfers);
if (!(rounds > 0) || !(transfers > 0)) throw new Error("--rounds and --transfers want numbers");

const headers = { "X-API-Key": "waves-private-node", "Content-Type": "application/json" };
const seed = "waves private node seed with waves tokens";
const recipient = "3MJfAPuSQgQSB1AcUHHFzRUjMpx7j35YsQv";
let sent = 0;

const started = await startNode(["--dev", "--memory", "--interval", "none", "--quiet"]);
try {
  const { url } = await started.ready();
  const taken: Record<string, number[]> = { snapshot: [], revert: [], reset: [] };
  for (let round = 0; round < rounds; round++) {
    await payAll(url);
    taken["snapshot"]?.push(await post(url, "/dev/snapshot", { name: "bench" }));
    await payAll(url);
    taken["revert"]?.push(await post(url, "/dev/revert", { name: "bench" }));
    await payAll(url);
    taken["reset"]?.push(await post(url, "/dev/reset", {}));
  }
  printTable([
    [`ms, ${rounds} rounds, ${transfers} transfers before each`, "p50", "p95"],
    ...Object.entries(taken).map(([name, values]) => [
      name,
      inMs(percentile(values, 0.5)),
      inMs(percentile(values, 0.95)),
    ]),
  ]);
} finally {
  started.process.kill("SIGINT");
  await (started.process.exitCode === null ? once(started.process, "exit") : undefined);
}

function inMs(value: number | undefined): string {
  return value?.toFixed(1) ?? "";
}

async function payAll(url: string): Promise<void> {
  for (let count = 0; count < transfers; count++)
    await post(url, "/transactions/broadcast", transfer({ recipient, amount: ++sent, chainId: "R" }, seed));
}

/** @returns response time, ms */
async function post(url: string, path: string, body: object): Promise<number> {
  const beganMs = performance.now();
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${text}`);
  return performance.now() - beganMs;
}
