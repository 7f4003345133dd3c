/**
 * `npm run bench -- memory [--seconds N]`: memory of runner and runtime after `npm start`, and after an import, and the
 * time to the first response. The import takes the blocks of mainnet next to the project.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findFreePort } from "../../local/runtime/free-port.ts";
import { ProcessTree } from "./parts/process-tree.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");
const blocksFile = path.join(projectRoot, "../shared/fixtures/mainnet/blocks-2-5000.bin");
const host = "127.0.0.1";
const pollMs = 5;
const { values } = parseArgs({ options: { seconds: { type: "string", default: "10" } } });
/** Time between `ready` and the measurement of memory. */
const settleMs = Number(values.seconds) * 1_000;

await measure("bundles made", ["--quiet"]);
await measure("bundles kept", ["--quiet"]);
if (existsSync(blocksFile)) await measure("import", ["--network", "mainnet", "--import", blocksFile, "--no-mining"]);

async function measure(label: string, flags: readonly string[]): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "memory-"));
  const port = await findFreePort(host, 0);
  if (label === "bundles made")
    rmSync(path.join(projectRoot, "node_modules/.cache/bundles"), { recursive: true, force: true });
  const startedMs = performance.now();
  const args = [
    "scripts/start.mjs",
    "--peers",
    "none",
    "--p2p-port",
    "0",
    ...flags,
    "--data",
    folder,
    "--port",
    String(port),
  ];
  const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ["ignore", "pipe", "inherit"] });
  const ready = readUntil(child.stdout, /^ready /m);
  await waitForResponse(`http://${host}:${port}/blocks/height`);
  const firstResponseMs = performance.now() - startedMs;
  await ready;
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const tree = new ProcessTree(child.pid as number);
  const usage = tree.usage();
  tree.stop();
  const sum = (isRuntime: boolean): number =>
    usage
      .filter(({ name }) => (name === "workerd") === isRuntime)
      .reduce((total, { megabytes }) => total + megabytes, 0);
  const [runner, runtime] = [sum(false), sum(true)];
  const cells = [
    `first answer ${firstResponseMs.toFixed(0)} ms`,
    `runner ${runner.toFixed(0)} MB`,
    `workerd ${runtime.toFixed(0)} MB`,
  ];
  process.stdout.write(`${label.padEnd(14)}${cells.join(", ")}, together ${(runner + runtime).toFixed(0)} MB\n`);
  child.kill("SIGINT");
  await once(child, "exit");
  rmSync(folder, { recursive: true });
}

async function waitForResponse(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

async function readUntil(stream: AsyncIterable<unknown>, pattern: RegExp): Promise<void> {
  let text = "";
  for await (const chunk of stream) {
    text += String(chunk);
    if (pattern.test(text)) return;
  }
  throw new Error(`the node ended:\n${text}`);
}
