import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { openDataDirectory } from "../../../local/runtime/data-directory.ts";
import { findProcessIdentity } from "../../../local/runtime/process-identity.ts";
import { watch } from "../../../local/runtime/watchdog.ts";
import { FIRST_LAYOUT } from "../../../src/tables/migrations/0001-before-versions.ts";
import { SCHEMA_VERSION } from "../../../src/tables/migrations/all-migrations.ts";
import { RELEASE } from "../../../src/tables/migrations/release.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "data-directory-"));
afterAll(() => rmSync(folder, { recursive: true }));

const module = (name: string) => path.resolve(import.meta.dirname, "../../../local/runtime", name);
const network = { name: "private", chain: "one" };

/** Node process that runs this source and then waits. */
async function startProcess(source: string) {
  const child = spawn(process.execPath, [
    "--input-type=module",
    "-e",
    `${source}\nconsole.log("up"); setInterval(() => {}, 1e6);`,
  ]);
  await once(child.stdout, "data");
  return child;
}

async function killAndWait(child: Awaited<ReturnType<typeof startProcess>>): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("openDataDirectory", () => {
  it("is refused while another process has the directory, and given when that one was killed", async () => {
    const directory = path.join(folder, "shared");
    const holder = await startProcess(
      `import { openDataDirectory } from ${JSON.stringify(module("data-directory.ts"))};
       await openDataDirectory(${JSON.stringify(directory)}, ${JSON.stringify(network)});`,
    );
    const refusal = openDataDirectory(directory, network);
    await expect(refusal).rejects.toThrow(`${directory} is in use by another node (process ${holder.pid}, since `);
    await expect(refusal).rejects.toBeInstanceOf(UsageError);
    await killAndWait(holder);
    (await openDataDirectory(directory, network)).release();
  });

  it("ends the runtime that a killed runner left behind", async () => {
    const directory = path.join(folder, "orphan");
    const orphan = await startProcess("");
    const ended = once(orphan, "exit");
    const first = await openDataDirectory(directory, network);
    first.recordRuntime(Number(orphan.pid));
    const record = readFileSync(path.join(directory, "running.json"));
    first.release();
    writeFileSync(path.join(directory, "running.json"), record);
    (await openDataDirectory(directory, network)).release();
    expect(await ended).toEqual([null, "SIGKILL"]);
  });

  it("leaves a process alone that only has the id of an earlier runtime", async () => {
    const directory = path.join(folder, "reused");
    (await openDataDirectory(directory, network)).release();
    const runtime = { pid: process.pid, identity: "(workerd) 1 another boot" };
    writeFileSync(
      path.join(directory, "running.json"),
      JSON.stringify({ runnerPid: 1, startedAt: "2026-01-01T00:00:00Z", runtime }),
    );
    (await openDataDirectory(directory, network)).release();
    expect(existsSync(path.join(directory, "running.json"))).toBe(false);
  });

  it("refuses a directory that holds the chain of another network", async () => {
    const directory = path.join(folder, "chain");
    (await openDataDirectory(directory, network)).release();
    await expect(openDataDirectory(directory, { ...network, name: "mainnet", chain: "two" })).rejects.toThrow(
      new UsageError(`${directory} holds the chain of another network (private), not of mainnet: give another --data.`),
    );
    (await openDataDirectory(directory, network)).release();
  });

  it("takes a directory of a release before there were versions, and notes the new one once its tables are there", async () => {
    const directory = path.join(folder, "first");
    (await openDataDirectory(directory, network)).release();
    const file = path.join(directory, "network.json");
    const first = JSON.stringify({ network: "private", chain: "one", layout: FIRST_LAYOUT });
    writeFileSync(file, first);
    const opened = await openDataDirectory(directory, network);
    expect(readFileSync(file, "utf8")).toBe(first);
    opened.recordSchema();
    opened.release();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      network: "private",
      chain: "one",
      schema: SCHEMA_VERSION,
      release: RELEASE,
    });
  });

  it("refuses a directory of a release whose tables this one cannot read", async () => {
    const directory = path.join(folder, "layout");
    (await openDataDirectory(directory, network)).release();
    const held = { network: "private", chain: "one", layout: "0123456789abcdef" };
    writeFileSync(path.join(directory, "network.json"), JSON.stringify(held));
    await expect(openDataDirectory(directory, network)).rejects.toThrow(/whose tables no later one reads/);
  });

  it("refuses a directory that a newer release wrote", async () => {
    const directory = path.join(folder, "newer");
    (await openDataDirectory(directory, network)).release();
    const held = { network: "private", chain: "one", schema: SCHEMA_VERSION + 1, release: "9.0.0" };
    writeFileSync(path.join(directory, "network.json"), JSON.stringify(held));
    await expect(openDataDirectory(directory, network)).rejects.toThrow(
      new UsageError(
        `${directory} has schema version ${SCHEMA_VERSION + 1}, written by release 9.0.0; this release reads versions up to ` +
          `${SCHEMA_VERSION}: start that release or a later one, or give another --data.`,
      ),
    );
  });

  it("says why a directory cannot be made", async () => {
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    await expect(openDataDirectory(path.join(file, "data"), network)).rejects.toThrow(/cannot hold the node's state/);
  });
});

describe("watch", () => {
  it("ends the watched process, and removes its folder, when the watching one is killed", async () => {
    const temporary = mkdtempSync(path.join(folder, "temporary-"));
    const watched = await startProcess("");
    const ended = once(watched, "exit");
    const watching = await startProcess(
      `import { watch } from ${JSON.stringify(module("watchdog.ts"))};
       watch(${JSON.stringify(temporary)}, ${watched.pid});`,
    );
    expect(findProcessIdentity(Number(watched.pid))).toBeDefined();
    await killAndWait(watching);
    expect(await ended).toEqual([null, "SIGKILL"]);
    await expect.poll(() => existsSync(temporary)).toBe(false);
  });

  it("does nothing once it was released", async () => {
    const temporary = mkdtempSync(path.join(folder, "temporary-"));
    const watched = await startProcess("");
    watch(temporary, Number(watched.pid)).release();
    // Time in which the shell could do what it must not do.
    await setTimeout(300);
    expect(findProcessIdentity(Number(watched.pid))).toBeDefined();
    expect(existsSync(temporary)).toBe(true);
    await killAndWait(watched);
  });
});
