/** Processor time and memory of a process and of all that it starts, from Linux's `/proc`. */
import { readFileSync } from "node:fs";
import path from "node:path";

/** Unit of processor times in `/proc`. */
const clockTicksPerSecond = 100;
const kilobytesPerMegabyte = 1024;
const lookIntervalMs = 50;

export interface ProcessUsage {
  /** Name of the program. */
  readonly name: string;
  readonly processorSeconds: number;
  /** Time in which its first thread was runnable but had no core. */
  readonly waitedSeconds: number;
  /** Current memory. */
  readonly megabytes: number;
  /** Peak memory. */
  readonly peakMegabytes: number;
}

/** Samples the processes repeatedly; for an ended process the last sample counts. */
export class ProcessTree {
  readonly #usage = new Map<number, ProcessUsage>();
  readonly #timer: NodeJS.Timeout;
  readonly #rootPid: number;

  constructor(rootPid: number) {
    this.#rootPid = rootPid;
    this.#timer = setInterval(() => this.#look(rootPid), lookIntervalMs);
  }

  /** Usage of each process so far, ended ones included. */
  usage(): readonly ProcessUsage[] {
    return [...this.byPid().values()];
  }

  /** Like `usage`, by process id. */
  byPid(): ReadonlyMap<number, ProcessUsage> {
    this.#look(this.#rootPid);
    return this.#usage;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(pid: number): void {
    const usage = processUsage(pid);
    if (usage === undefined) return;
    this.#usage.set(pid, usage);
    for (const child of childrenOf(pid)) this.#look(child);
  }
}

/** Processor time of a process and of all its running descendants. */
export function treeProcessorSeconds(rootPid: number): number {
  const own = processUsage(rootPid)?.processorSeconds ?? 0;
  return childrenOf(rootPid).reduce((sum, pid) => sum + treeProcessorSeconds(pid), own);
}

/** Undefined for a process that does not exist, or has ended. */
export function processUsage(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const [program = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    // A zombie has no name and no memory.
    if (program === "") return undefined;
    return {
      name: path.basename(program),
      processorSeconds: (Number(stat[11]) + Number(stat[12])) / clockTicksPerSecond,
      waitedSeconds: Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e9,
      megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / kilobytesPerMegabyte,
      peakMegabytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / kilobytesPerMegabyte,
    };
  } catch {
    return undefined;
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
