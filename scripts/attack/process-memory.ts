/** Memory of a started node, as Linux tells it: of the runtime, and of the runner with its front server. */
import { readdirSync, readFileSync } from "node:fs";

export interface NodeMemory {
  /** Resident bytes of all processes of workerd. */
  readonly runtimeBytes: number;
  /** Resident bytes of the processes before it. */
  readonly runnerBytes: number;
}

const SAMPLE_MS = 200;
const KIB = 1_024;

/** The largest memory of each kind since it began. */
export class MemoryWatch {
  readonly #rootPid: number;
  readonly #timer = setInterval(() => this.#look(), SAMPLE_MS).unref();
  #most: NodeMemory = { runtimeBytes: 0, runnerBytes: 0 };

  /** @param rootPid the process that was started */
  constructor(rootPid: number) {
    this.#rootPid = rootPid;
    this.#look();
  }

  /** @returns the largest memory */
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

/** Memory of a process and all that it has started. @throws Error there is no /proc */
export function memoryOf(rootPid: number): NodeMemory {
  const parents = new Map<number, number>();
  const names = new Map<number, string>();
  const sizes = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    const status = /^\d+$/.test(entry) ? statusOf(entry) : undefined;
    if (status === undefined) continue;
    const pid = Number(entry);
    parents.set(pid, Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    names.set(pid, /^Name:\s+(.*)/m.exec(status)?.[1] ?? "");
    // A process that has ended, and that nobody has waited for, has no such line.
    sizes.set(pid, Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * KIB);
  }
  let [runtimeBytes, runnerBytes] = [0, 0];
  for (const [pid, bytes] of sizes) {
    if (!isBelow(pid, rootPid, parents)) continue;
    if (names.get(pid)?.startsWith("workerd")) runtimeBytes += bytes;
    else runnerBytes += bytes;
  }
  return { runtimeBytes, runnerBytes };
}

/** @returns undefined where the process has ended meanwhile */
function statusOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
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
