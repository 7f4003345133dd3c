/**
 * `npm run bench -- work-slices [--keys N] [--bits N] [--calls N] [--kill N]`: time to validate a block by call of
 * ChainState; its calls each verify RSA signatures of N keys, by default the most expensive call possible. After
 * `--kill` calls the process is killed during the next one, and another process continues with its database.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { encodeBlock, parseBlock } from "../../src/protocol/blocks/parse-block.ts";
import { followerOf, receivedBlocks } from "../../test/support/builders/follower.ts";
import { longCallNetwork, longCalls, nodeBefore } from "../../test/support/builders/long-calls.ts";
import { nodeDatabase } from "../sqlite/node-database.ts";
import { testDatabase } from "../sqlite/test-database.ts";
import { printTable } from "./parts/print-table.ts";

const { chainId } = longCallNetwork;
const number = (byDefault: string) => ({ type: "string", default: byDefault }) as const;
const options = {
  keys: number("51"),
  bits: number("16384"),
  calls: number("1"),
  kill: number("6"),
  validate: { type: "string" },
} as const;
const { values } = parseArgs({ options });

/** Line printed by the validating process. */
interface SliceCall {
  readonly result: string;
  readonly cpuSeconds: number;
}

/** The received blocks, as files store them: hexadecimal, the measured one last. */
interface BlocksFile {
  readonly blocks: readonly string[];
  readonly nowMs: number;
}
const blocksFile = (folder: string) => path.join(folder, "offer.json");

/** Validates until there is a result, and prints each call. */
async function validate(folder: string): Promise<void> {
  const { blocks, nowMs } = JSON.parse(readFileSync(blocksFile(folder), "utf8")) as BlocksFile;
  const bytes = blocks.map((each) => new Uint8Array(Buffer.from(each, "hex")));
  const last = bytes.pop() as Uint8Array;
  const database = testDatabase(nodeDatabase(path.join(folder, "chain.sqlite")));
  const node = nodeBefore({ before: bytes.map((each) => parseBlock(each, chainId)), nowMs }, database);
  const { calls } = followerOf(node);
  for (let isUnfinished = true; isUnfinished; ) {
    const before = process.cpuUsage();
    const result = await calls.applyBlock(receivedBlocks([last]));
    const { user, system } = process.cpuUsage(before);
    isUnfinished = result === "unfinished";
    const kind = result === "unfinished" ? result : result.kind;
    process.stdout.write(
      `${JSON.stringify({ result: kind, cpuSeconds: (user + system) / 1e6 } satisfies SliceCall)}\n`,
    );
  }
}

/** @param killAfter calls; the process dies during the next one */
async function runProcess(folder: string, killAfter = Number.POSITIVE_INFINITY): Promise<readonly SliceCall[]> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "--judge", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const calls: SliceCall[] = [];
  for await (const line of createInterface(child.stdout)) {
    calls.push(JSON.parse(line) as SliceCall);
    if (calls.length === killAfter) setTimeout(() => child.kill("SIGKILL"), 1_000);
  }
  return calls;
}

async function measure(folder: string): Promise<void> {
  const [keys, bits, calls] = [values.keys, values.bits, values.calls].map(Number) as [number, number, number];
  const { before, block, nowMs } = longCalls({ bits, keys, calls });
  const blocks = [...before, block].map((each) => Buffer.from(encodeBlock(each, chainId)).toString("hex"));
  writeFileSync(blocksFile(folder), JSON.stringify({ blocks, nowMs } satisfies BlocksFile));
  const killed = await runProcess(folder, Number(values.kill));
  const resumed = await runProcess(folder);
  const seconds = [...killed, ...resumed].map(({ cpuSeconds }) => cpuSeconds);
  printTable([
    [`${calls} calls with ${keys} keys of ${bits} bits`, ""],
    ["calls of ChainState before the reset", String(killed.length)],
    ["after it", String(resumed.length)],
    ["the answer", resumed.at(-1)?.result ?? "none"],
    ["the longest, CPU s", Math.max(...seconds).toFixed(1)],
    ["together, without the one that was cut off, CPU s", seconds.reduce((sum, each) => sum + each, 0).toFixed(0)],
  ]);
}

if (values.validate !== undefined) await validate(values.validate);
else {
  const folder = mkdtempSync(path.join(tmpdir(), "portions-"));
  try {
    await measure(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
