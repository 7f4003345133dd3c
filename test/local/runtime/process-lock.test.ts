import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { acquireProcessLock } from "../../../local/runtime/process-lock.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "process-lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

const module = path.resolve(import.meta.dirname, "../../../local/runtime/process-lock.ts");

/**
 * Process that takes the lock, reports the result, and keeps running. @param heldMs time for which it holds the lock
 */
async function startHolder(file: string, heldMs = 1e6) {
  const source = `import { acquireProcessLock } from ${JSON.stringify(module)};
    const lock = acquireProcessLock(${JSON.stringify(file)}, 0);
    console.log(lock !== undefined);
    setTimeout(() => lock?.close(), ${heldMs});
    setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { has: text.toString() === "true\n", kill };
}

// Needs processes told apart, as `findProcessIdentity` does.
describe.skipIf(process.platform === "win32")("acquireProcessLock", () => {
  it("gives the lock to one process, and to the next when that one was killed", async () => {
    const file = path.join(folder, "killed");
    const holder = await startHolder(file);
    expect(holder.has).toBe(true);
    expect(acquireProcessLock(file, 0)).toBeUndefined();
    await holder.kill();
    const lock = acquireProcessLock(file, 0);
    expect(lock).toBeDefined();
    expect(acquireProcessLock(file, 0)).toBeUndefined();
    lock?.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("gives it to one of many that come at once, where one was left behind", async () => {
    const file = path.join(folder, "many");
    const left = { pid: process.pid, identity: "a process that had this id before", isHeld: true };
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(left));
    const holders = await Promise.all(Array.from({ length: 4 }, () => startHolder(file)));
    expect(holders.filter(({ has }) => has)).toHaveLength(1);
    await Promise.all(holders.map((holder) => holder.kill()));
  });

  it("waits for one that is just ending", async () => {
    const file = path.join(folder, "ending");
    const holder = await startHolder(file, 300);
    const lock = acquireProcessLock(file, 60_000);
    expect(lock).toBeDefined();
    lock?.close();
    await holder.kill();
  });

  it.each(["", "{", "[]"])("takes no notice of a file that says %j", (text) => {
    const file = path.join(folder, "damaged");
    writeFileSync(`${file}.1`, text);
    const lock = acquireProcessLock(file, 0);
    expect(lock).toBeDefined();
    lock?.close();
  });

  it("says what is wrong with a place that cannot hold it", () => {
    expect(() => acquireProcessLock(path.join(folder, "nowhere", "lock"), 0)).toThrow("ENOENT");
  });
});
