/**
 * The directory that holds a node's state:
 *
 *     network.json   which chain this is, and which version its tables have
 *     lock           locked by the operating system while a runner lives (so a killed runner leaves no stale lock)
 *     process.PID    names the runner, for runners under a Node that reaches no lock of the operating system
 *     running.json   the processes of the runner, for the sentence of a second start and to end what a killed one left
 *     storage/       databases of the local runtime
 *     .gitignore     keeps all of it from those who put their project under git, the directory in it
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { FIRST_LAYOUT } from "../../src/tables/migrations/0001-before-versions.ts";
import { SCHEMA_VERSION } from "../../src/tables/migrations/all-migrations.ts";
import { RELEASE } from "../../src/tables/migrations/release.ts";
import { UsageError } from "../cli/usage-error.ts";
import { findProcessIdentity, killProcess } from "./process-identity.ts";
import { takeProcessLock } from "./process-lock.ts";
import { findSqlite } from "./sqlite.ts";

/** A node that was told to stop a moment ago may need this long to give the directory free. */
const PATIENCE_MS = 1_000;

const runningSchema = z.object({
  runnerPid: z.number().int(),
  startedAt: z.string(),
  runtime: z.object({ pid: z.number().int(), identity: z.string() }).optional(),
});

type Running = z.infer<typeof runningSchema>;

const chainSchema = z.object({
  network: z.string(),
  chain: z.string(),
  /** Version of the tables, and the release that wrote to them last. */
  schema: z.number().int().optional(),
  release: z.string().optional(),
  /** What releases before there were versions wrote instead. */
  layout: z.string().optional(),
});

export interface DataDirectory {
  readonly path: string;
  /** Folder for the databases of the local runtime. */
  readonly storagePath: string;
  /** Notes the runtime's process, so that the next start can end it if this runner is killed. */
  recordRuntime(pid: number): void;
  /** Notes that the state has the tables of this release now. */
  recordSchema(): void;
  /** Gives the directory free. */
  release(): void;
}

/** What a directory holds. */
export interface HeldChain {
  /** Name of the network. */
  readonly name: string;
  /** Tells this network's chain from others. */
  readonly chain: string;
}

/**
 * Takes the directory for this process, and makes it first where it does not exist.
 * @throws UsageError when it cannot be made, another runner has it, or it holds another chain, or tables that this release
 *   does not know
 */
export async function openDataDirectory(directory: string, network: HeldChain): Promise<DataDirectory> {
  const runningFile = path.join(directory, "running.json");
  const lock = takeLock(directory, runningFile);
  try {
    await endLeftRuntime(runningFile);
    checkChain(directory, network);
  } catch (error) {
    lock.close();
    throw error;
  }
  const running: Running = { runnerPid: process.pid, startedAt: new Date().toISOString() };
  writeWhole(runningFile, running);
  return {
    path: directory,
    storagePath: path.join(directory, "storage"),
    recordRuntime(pid) {
      const identity = findProcessIdentity(pid);
      if (identity !== undefined) writeWhole(runningFile, { ...running, runtime: { pid, identity } });
    },
    recordSchema: () => writeChain(directory, network),
    release() {
      rmSync(runningFile, { force: true });
      lock.close();
    },
  };
}

interface Lock {
  close(): void;
}

function takeLock(directory: string, runningFile: string): Lock {
  try {
    if (!existsSync(directory)) {
      makeDirectory(directory);
      writeFileSync(path.join(directory, ".gitignore"), "*\n");
    }
    const ofSystem = lockBySystem(path.join(directory, "lock"));
    const ofProcess = ofSystem && takeProcessLock(path.join(directory, "process"), PATIENCE_MS);
    if (ofSystem !== undefined && ofProcess !== undefined) {
      return {
        close: () => {
          ofProcess.close();
          ofSystem.close();
        },
      };
    }
    ofSystem?.close();
  } catch (error) {
    throw new UsageError(`${directory} cannot hold the node's state: ${(error as Error).message}.`);
  }
  const holder = readJson(runningFile, runningSchema);
  const who = holder === undefined ? "" : ` (process ${holder.runnerPid}, since ${holder.startedAt})`;
  throw new UsageError(`${directory} is in use by another node${who}: stop it, or give another --data.`);
}

/**
 * SQLite locks its file through the operating system, which gives the lock free when the process ends in any way.
 * @returns undefined while another process has the file; a lock of nothing where this Node has no SQLite
 */
function lockBySystem(file: string): Lock | undefined {
  const sqlite = findSqlite();
  if (sqlite === undefined) return { close: () => {} };
  const lock = new sqlite.DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if ((error as Error).message.includes("locked")) return undefined;
    throw error;
  }
}

/** Node's own recursive form does not come back from folders that cannot be made under /proc. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(path.dirname(directory));
  mkdirSync(directory);
}

async function endLeftRuntime(runningFile: string): Promise<void> {
  const left = readJson(runningFile, runningSchema)?.runtime;
  if (left !== undefined) await killProcess(left.pid, left.identity);
}

function checkChain(directory: string, network: HeldChain): void {
  const file = chainFile(directory);
  if (!existsSync(file)) {
    writeChain(directory, network);
    return;
  }
  const held = readJson(file, chainSchema);
  if (held === undefined)
    throw new UsageError(`${file} is damaged: it should name the chain that the directory holds.`);
  if (held.chain !== network.chain) {
    throw new UsageError(
      `${directory} holds the chain of another network (${held.network}), not of ${network.name}: give another --data.`,
    );
  }
  if (held.schema === undefined && held.layout !== FIRST_LAYOUT) {
    throw new UsageError(
      `${directory} was written by a release whose tables no later one reads: remove it and start anew, or give another --data.`,
    );
  }
  if ((held.schema ?? 1) > SCHEMA_VERSION) {
    throw new UsageError(
      `${directory} has schema version ${held.schema}, written by release ${held.release}; this release reads versions up to ${SCHEMA_VERSION}: start that release or a later one, or give another --data.`,
    );
  }
}

function writeChain(directory: string, { name, chain }: HeldChain): void {
  writeWhole(chainFile(directory), { network: name, chain, schema: SCHEMA_VERSION, release: RELEASE });
}

function chainFile(directory: string): string {
  return path.join(directory, "network.json");
}

function readJson<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** Under another name first: whoever reads sees the old file or the new one, never half of it. */
function writeWhole(file: string, value: unknown): void {
  const draft = `${file}.draft`;
  writeFileSync(draft, `${JSON.stringify(value)}\n`);
  renameSync(draft, file);
}
