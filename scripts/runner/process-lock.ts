/**
 * A lock for a Node that reaches no lock of the operating system: a file that names the process which holds it. Who finds that
 * process gone takes its place. Where the system does not tell processes apart (`findProcessIdentity`) it keeps nobody out.
 */
import { constants, copyFileSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { findProcessIdentity } from "./process-identity.ts";

const holderSchema = z.object({ pid: z.number().int(), identity: z.string() });

export interface ProcessLock {
  close(): void;
}

const PAUSE_MS = 20;

/**
 * @param patienceMs how long to wait for a process that lives and has the lock; this thread does nothing else meanwhile
 * @returns undefined when it has it still
 */
export function takeProcessLock(file: string, patienceMs: number): ProcessLock | undefined {
  const own = JSON.stringify({ pid: process.pid, identity: findProcessIdentity(process.pid) ?? "" });
  // A link appears with what the file holds: nobody reads half of it.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, own);
  const deadlineMs = performance.now() + patienceMs;
  try {
    for (;;) {
      if (isPut(draft, file)) return { close: () => giveFree(file, own) };
      if (isHeld(readText(file))) {
        if (performance.now() > deadlineMs) return undefined;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      } else {
        removeLeft(file);
      }
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @returns whether there was no file, and it is this one now */
function isPut(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
  }
  // A disk without links.
  try {
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Takes away the file of a process that is gone; the file of one that has just come goes back. */
function removeLeft(file: string): void {
  const aside = `${file}.${process.pid}.left`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (isHeld(readText(aside))) isPut(aside, file);
  rmSync(aside, { force: true });
}

function giveFree(file: string, own: string): void {
  if (readText(file) === own) rmSync(file, { force: true });
}

function isHeld(text: string | undefined): boolean {
  if (text === undefined) return false;
  try {
    const { pid, identity } = holderSchema.parse(JSON.parse(text));
    return findProcessIdentity(pid) === identity;
  } catch {
    // Nobody writes such a file.
    return false;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
