/**
 * Errors of the state on this disk, as messages with a remedy. The runtime's own messages only say that something is
 * wrong, in terms of its internals.
 */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { findSqlite } from "./sqlite.ts";

/** SQLite's codes for a file that is damaged, or no database at all. */
const damageCodes: ReadonlySet<unknown> = new Set([11, 26]);
/** System error codes of a full disk, an exhausted quota or a file at its size limit. */
const fullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
/** Bytes of a test file: the next block must fit, and the file with which SQLite shares its log. */
const PROBE_BYTES = 256 * 1024;
/** The runtime's own database in each folder: alarms and object names. */
const RUNTIME_FILE = "metadata.sqlite";

/** Folders of the runtime's storage. */
const chainFolder = path.join("do", "node-ChainState");
const readModelFolder = path.join("d1", "miniflare-D1DatabaseObject");

/** @returns message for the user; undefined when the directory can be written to */
export function findDiskError(directory: string): string | undefined {
  const probe = path.join(directory, `probe-${process.pid}`);
  try {
    writeFileSync(probe, Buffer.alloc(PROBE_BYTES, 1));
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (fullCodes.has(code)) return `there is no room left on the disk that holds ${directory}`;
    return `${directory} cannot be written to (${message})`;
  } finally {
    rmSync(probe, { force: true });
  }
}

/**
 * Detects a chain database that is missing while its read model exists: the runtime would silently begin another chain.
 * @param directory of the node, which holds `storage`
 * @returns message for the user; undefined when no database is lost
 */
export function findLostState(directory: string): string | undefined {
  const storage = path.join(directory, "storage");
  if (!hasData(path.join(storage, readModelFolder)) || hasData(path.join(storage, chainFolder))) return undefined;
  return `${directory} has lost the database with the chain: ${recoveryAdvice(directory)}.`;
}

/** @returns undefined when all pages of every database can be read, or this Node has no SQLite to read them */
export function findDamage(directory: string): string | undefined {
  const storage = path.join(directory, "storage");
  const file = databasesIn(storage).find(isDamaged);
  if (file === undefined) return undefined;
  const isRuntimes = path.basename(file) === RUNTIME_FILE;
  const folder = isRuntimes ? undefined : path.relative(storage, path.dirname(file));
  if (folder === chainFolder) return `${file} is damaged: ${recoveryAdvice(directory)}.`;
  const whatIsLost =
    folder === readModelFolder
      ? "and shows only what the chain's own database holds: it is written anew"
      : "and holds nothing that is not made again";
  return `${file} is damaged, ${whatIsLost}. Remove ${file}* and start the node again.`;
}

function recoveryAdvice(directory: string): string {
  return `put a copy of ${directory} in its place, or remove it to begin the chain anew`;
}

function hasData(folder: string): boolean {
  return databasesIn(folder).some((file) => {
    if (path.basename(file) === RUNTIME_FILE) return false;
    return [file, `${file}-wal`].some((part) => existsSync(part) && statSync(part).size > 0);
  });
}

function databasesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".sqlite")).map((name) => path.join(folder, name));
}

/** Checks the whole database: about a minute for some gigabytes. */
function isDamaged(file: string): boolean {
  const sqlite = findSqlite();
  if (sqlite === undefined) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(file, { readOnly: true });
    const [row = {}] = database.prepare("PRAGMA quick_check(1)").all();
    return Object.values(row)[0] !== "ok";
  } catch (error) {
    return damageCodes.has((error as { errcode?: number }).errcode);
  } finally {
    database?.close();
  }
}
