import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalRuntime, startRuntime } from "../../../local/runtime/local-runtime.ts";
import { bundleFiles } from "../../../local/runtime/runtime-files.ts";
import { artifactsHere } from "../../../local/testing/artifacts-here.ts";

/** Replaces one row of D1 with a text of 3 MB, in two chunks, and one value of KV. */
const worker = `
import { DurableObject } from "cloudflare:workers";
export class ChainState extends DurableObject {}
const piece = "x".repeat(1_500_000);
export default {
  async fetch(request, { DB, FINAL }) {
    await DB.exec("CREATE TABLE IF NOT EXISTS texts (id INTEGER PRIMARY KEY, a TEXT, b TEXT)");
    await DB.prepare("INSERT OR REPLACE INTO texts VALUES (1, ?, ?)").bind(piece, piece).run();
    await FINAL.put("text", piece);
    return new Response();
  }
};`;

let runtime: LocalRuntime;
let pid = 0;

beforeAll(async () => {
  const artifacts = artifactsHere();
  const unexpected = async (): Promise<never> => expect.fail("the runtime crashed");
  runtime = await startRuntime({
    artifacts: {
      ...artifacts,
      write: async (folder) => {
        await artifacts.write(folder);
        writeFileSync(path.join(folder, bundleFiles.node), worker);
      },
    },
    host: "127.0.0.1",
    port: 0,
    storagePath: undefined,
    isKeyKnown: false,
    bindings: {},
    onProcess: (started) => {
      pid = started;
    },
    onRestart: unexpected,
    onStop: () => {},
    onLog: (text) => process.stderr.write(text),
  });
});
afterAll(() => runtime.stop());

async function write(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const { status } = await runtime.request("GET", "/");
    expect(status).toBe(200);
  }
}

function residentMegabytes(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

// Linux has the memory of a process in `/proc`.
it.runIf(process.platform === "linux")("the runtime's memory does not grow with writes to D1 and KV", async () => {
  await write(10);
  const before = residentMegabytes();
  await write(50);
  // 225 MB were written.
  expect(residentMegabytes() - before).toBeLessThan(80);
});
