/**
 * A lock for a Node without access to locks of the operating system: each contender writes a file with its identity,
 * and reads those of others. Exactly one of concurrent contenders gets it; files of dead processes are ignored. On a
 * system without process identities (`findProcessIdentity`) it excludes no process.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { findProcessIdentity } from "./process-identity.ts";

const claimSchema = z.object({ pid: z.number().int(), identity: z.string(), isHeld: z.boolean() });

type Claim = z.infer<typeof claimSchema>;

export interface ProcessLock {
  close(): void;
}

const PAUSE_MS = 20;
/** Longer than a running process needs between its claim and the lock or its withdrawal. */
const CLAIM_MS = 2_000;

/**
 * @param file prefix of the files' paths
 * @param patienceMs time to wait for a living process that has the lock; it blocks this thread
 * @returns undefined when that process still has it
 */
export function acquireProcessLock(file: string, patienceMs: number): ProcessLock | undefined {
  const own = { pid: process.pid, identity: findProcessIdentity(process.pid) ?? "" };
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    if (isAlone(file, own)) {
      writeClaim(file, { ...own, isHeld: true });
      removeStaleClaims(file);
      return { close: () => withdraw(file, own.pid) };
    }
    if (performance.now() > deadlineMs) return undefined;
    pause();
  }
}

/** Writes a claim, and withdraws it if another process has the lock or is to get it. */
function isAlone(file: string, own: Omit<Claim, "isHeld">): boolean {
  // This process already has the lock.
  if (claimsOn(file).some(({ pid }) => pid === own.pid)) return false;
  writeClaim(file, { ...own, isHeld: false });
  for (const deadlineMs = performance.now() + CLAIM_MS; performance.now() < deadlineMs; pause()) {
    const others = claimsOn(file).filter(({ pid }) => pid !== own.pid);
    if (others.length === 0) return true;
    // The lower pid of two that see each other goes on. The other may have looked before this claim was written.
    if (others.some(({ pid, isHeld }) => isHeld || pid < own.pid)) break;
  }
  withdraw(file, own.pid);
  return false;
}

/** Claims of living processes. */
function claimsOn(file: string): readonly Claim[] {
  return claimFiles(file)
    .map(readClaim)
    .filter((claim) => claim !== undefined)
    .filter(isOfLiving);
}

/** Removes files of dead processes. To be called by the holder of the lock: its own claim excludes new contenders. */
function removeStaleClaims(file: string): void {
  for (const each of claimFiles(file)) {
    const claim = readClaim(each);
    if (claim === undefined || !isOfLiving(claim)) rmSync(each, { force: true });
  }
}

function claimFiles(file: string): readonly string[] {
  const folder = path.dirname(file);
  const start = `${path.basename(file)}.`;
  const names = readdirSync(folder).filter((name) => name.startsWith(start) && /\.\d+$/.test(name));
  return names.map((name) => path.join(folder, name));
}

function isOfLiving({ pid, identity }: Claim): boolean {
  return findProcessIdentity(pid) === identity;
}

function readClaim(file: string): Claim | undefined {
  try {
    return claimSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // The claim has been withdrawn, or the file is no claim.
    return undefined;
  }
}

/** Writes a claim atomically. */
function writeClaim(file: string, claim: Claim): void {
  const draft = `${file}.${claim.pid}.draft`;
  writeFileSync(draft, JSON.stringify(claim));
  renameSync(draft, `${file}.${claim.pid}`);
}

function withdraw(file: string, pid: number): void {
  rmSync(`${file}.${pid}`, { force: true });
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
