/**
 * The directory that holds a node's state:
 *
 *     network.json   identity of the chain and version of its tables
 *     lock           locked by the operating system while a runner lives (so a killed runner leaves no stale lock)
 *     process.PID    claim of a runner under a Node without access to locks of the operating system
 *     running.json   processes of the runner, for the message of a second start and to end those of a killed runner
 *     storage/       databases of the local runtime
 *     .gitignore     keeps the directory out of the git repository of a project around it
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { FIRST_LAYOUT } from "../../src/tables/migrations/0001-before-versions.ts";
import { SCHEMA_VERSION } from "../../src/tables/migrations/all-migrations.ts";
import { RELEASE } from "../../src/tables/migrations/release.ts";
import { UsageError } from "../cli/usage-error.ts";
import { findProcessIdentity, killProcess } from "./process-identity.ts";
import { acquireProcessLock } from "./process-lock.ts";
import { findSqlite } from "./sqlite.ts";

/** A node that is just stopping may need this long to release the directory. */
const WAIT_TIMEOUT_MS = 1_000;

const runningSchema = z.object({
  runnerPid: z.number().int(),
  startedAt: z.string(),
  runtime: z.object({ pid: z.number().int(), identity: z.string() }).optional(),
});

type Running = z.infer<typeof runningSchema>;

const chainSchema = z.object({
  network: z.string(),
  chain: z.string(),
  /** Version of the tables. The release below is the last one that wrote to them. */
  schema: z.number().int().optional(),
  release: z.string().optional(),
  /** Name of the tables' layout, written by releases before schema versions. */
  layout: z.string().optional(),
});

export interface DataDirectory {
  readonly path: string;
  /** Folder for the databases of the local runtime. */
  readonly storagePath: string;
  /** Records the runtime's process, so that the next start can end it if this runner is killed. */
  recordRuntime(pid: number): void;
  /** Records that the state now has the tables of this release. */
  recordSchema(): void;
  /** Releases the directory. */
  release(): void;
}

/** Chain that a directory holds. */
export interface StoredChain {
  /** Name of the network. */
  readonly name: string;
  /** Identity of the chain, unlike that of any other. */
  readonly chain: string;
}

/**
 * Locks the directory for this process; creates it if it does not exist.
 * @throws UsageError when it cannot be created, another runner has it, or it holds another chain or tables that this
 *   release does not know
 */
export async function openDataDirectory(directory: string, network: StoredChain): Promise<DataDirectory> {
  const runningFile = path.join(directory, "running.json");
  const lock = acquireLock(directory, runningFile);
  try {
    await killStaleRuntime(runningFile);
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

function acquireLock(directory: string, runningFile: string): Lock {
  try {
    if (!existsSync(directory)) {
      makeDirectory(directory);
      writeFileSync(path.join(directory, ".gitignore"), "*\n");
    }
    const ofSystem = lockBySystem(path.join(directory, "lock"));
    const ofProcess = ofSystem && acquireProcessLock(path.join(directory, "process"), WAIT_TIMEOUT_MS);
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
 * Locks a SQLite file through the operating system, which releases the lock when the process ends in any way.
 * @returns undefined while another process has the file; a lock without effect if this Node has no SQLite
 */
function lockBySystem(file: string): Lock | undefined {
  const sqlite = findSqlite();
  if (sqlite === undefined) return { close: () => {} };
  const lock = new sqlite.DatabaseSync(file, { timeout: WAIT_TIMEOUT_MS });
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if ((error as Error).message.includes("locked")) return undefined;
    throw error;
  }
}

/** Creates a directory and its parents; Node's recursive form hangs on folders that cannot be created under /proc. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(path.dirname(directory));
  mkdirSync(directory);
}

async function killStaleRuntime(runningFile: string): Promise<void> {
  const left = readJson(runningFile, runningSchema)?.runtime;
  if (left !== undefined) await killProcess(left.pid, left.identity);
}

function checkChain(directory: string, network: StoredChain): void {
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

function writeChain(directory: string, { name, chain }: StoredChain): void {
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

/** Writes a file under another name and renames it: a reader sees the old file or the new one, never half of it. */
function writeWhole(file: string, value: unknown): void {
  const draft = `${file}.draft`;
  writeFileSync(draft, `${JSON.stringify(value)}\n`);
  renameSync(draft, file);
}
