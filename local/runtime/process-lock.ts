/**
 * A lock for a Node that reaches no lock of the operating system: each process that wants it leaves a file with its name, and looks
 * at those of others. One gets it, however many come at once; who finds a process gone takes no notice of its file. Where the
 * system does not tell processes apart (`findProcessIdentity`) it keeps nobody out.
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
/** Longer than a process that runs needs between its claim and what becomes of it. */
const CLAIM_MS = 2_000;

/**
 * @param file what the names of the files begin with
 * @param patienceMs how long to wait for a process that lives and has the lock; this thread does nothing else meanwhile
 * @returns undefined when it has it still
 */
export function takeProcessLock(file: string, patienceMs: number): ProcessLock | undefined {
  const own = { pid: process.pid, identity: findProcessIdentity(process.pid) ?? "" };
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    if (isAlone(file, own)) {
      writeClaim(file, { ...own, isHeld: true });
      removeLeft(file);
      return { close: () => withdraw(file, own.pid) };
    }
    if (performance.now() > deadlineMs) return undefined;
    pause();
  }
}

/** Leaves a claim; it stays where no other process has the lock or is to get it. */
function isAlone(file: string, own: Omit<Claim, "isHeld">): boolean {
  // This process has it.
  if (claimsOn(file).some(({ pid }) => pid === own.pid)) return false;
  writeClaim(file, { ...own, isHeld: false });
  for (const deadlineMs = performance.now() + CLAIM_MS; performance.now() < deadlineMs; pause()) {
    const others = claimsOn(file).filter(({ pid }) => pid !== own.pid);
    if (others.length === 0) return true;
    // Of two that see each other the one of the lower number goes on. The other may have looked before this one came.
    if (others.some(({ pid, isHeld }) => isHeld || pid < own.pid)) break;
  }
  withdraw(file, own.pid);
  return false;
}

/** Claims of processes that live. */
function claimsOn(file: string): readonly Claim[] {
  return claimFiles(file)
    .map(readClaim)
    .filter((claim) => claim !== undefined)
    .filter(isOfLiving);
}

/** To be called by the process that has the lock: one that claims it at this moment finds that out even without its file. */
function removeLeft(file: string): void {
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
    // It has been withdrawn, or no process has written it.
    return undefined;
  }
}

/** Whole, or not at all. */
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
