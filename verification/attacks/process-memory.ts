/** Memory and processor time of a started node, from Linux: of the runtime, and of the runner with its front server. */
import { readdirSync, readFileSync } from "node:fs";

export interface NodeMemory {
  /** Resident bytes of all processes of workerd. */
  readonly runtimeBytes: number;
  /** Resident bytes of its parent processes. */
  readonly runnerBytes: number;
}

/** Processor time of a node, ms. */
export interface NodeWork {
  readonly runtimeMs: number;
  readonly runnerMs: number;
}

const SAMPLE_MS = 200;
/** Unit of times in /proc, ms: a hundredth of a second on all systems. */
const TICK_MS = 10;
const KIB = 1_024;

/** Tracks the maximum memory of each kind. */
export class MemoryWatch {
  readonly #rootPid: number;
  readonly #timer = setInterval(() => this.#look(), SAMPLE_MS).unref();
  #most: NodeMemory = { runtimeBytes: 0, runnerBytes: 0 };

  /** @param rootPid the started process */
  constructor(rootPid: number) {
    this.#rootPid = rootPid;
    this.#look();
  }

  /** @returns the maximum memory */
  stop(): NodeMemory {
    clearInterval(this.#timer);
    this.#look();
    return this.#most;
  }

  #look(): void {
    const { runtimeBytes, runnerBytes } = memoryOf(this.#rootPid);
    this.#most = {
      runtimeBytes: Math.max(this.#most.runtimeBytes, runtimeBytes),
      runnerBytes: Math.max(this.#most.runnerBytes, runnerBytes),
    };
  }
}

/** Processor time of a process and its running descendants. @throws Error when there is no /proc */
export function workOf(rootPid: number): NodeWork {
  let [runtimeMs, runnerMs] = [0, 0];
  for (const { pid, isRuntime } of processesOf(rootPid)) {
    const fields =
      proc(pid, "stat")
        ?.replace(/^.*\) /s, "")
        .split(" ") ?? [];
    const ms = TICK_MS * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0));
    if (isRuntime) runtimeMs += ms;
    else runnerMs += ms;
  }
  return { runtimeMs, runnerMs };
}

/** Memory of a process and its descendants. @throws Error when there is no /proc */
export function memoryOf(rootPid: number): NodeMemory {
  let [runtimeBytes, runnerBytes] = [0, 0];
  for (const { status, isRuntime } of processesOf(rootPid)) {
    // A process that has ended and is not yet reaped has no such line.
    const bytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * KIB;
    if (isRuntime) runtimeBytes += bytes;
    else runnerBytes += bytes;
  }
  return { runtimeBytes, runnerBytes };
}

interface NodeProcess {
  readonly pid: number;
  readonly status: string;
  readonly isRuntime: boolean;
}

function processesOf(rootPid: number): readonly NodeProcess[] {
  const parents = new Map<number, number>();
  const found: NodeProcess[] = [];
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    const status = /^\d+$/.test(entry) ? proc(pid, "status") : undefined;
    if (status === undefined) continue;
    parents.set(pid, Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    found.push({ pid, status, isRuntime: /^Name:\s+workerd/m.test(status) });
  }
  return found.filter(({ pid }) => isBelow(pid, rootPid, parents));
}

/** @returns undefined if the process has ended */
function proc(pid: number, file: "status" | "stat"): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}

function isBelow(pid: number, rootPid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at !== 0; at = parents.get(at))
    if (at === rootPid) return true;
  return false;
}
