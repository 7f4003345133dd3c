import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Identity of a process, unlike that of any other that had or will have its id: ids are reused, start times are not.
 * @returns undefined when no such process lives, or the system does not provide it
 */
export function findProcessIdentity(pid: number): string | undefined {
  return process.platform === "linux" ? fromProcFilesystem(pid) : fromProcessStatus(pid);
}

/** A killed process is gone in milliseconds, except on a heavily loaded machine. */
const WAIT_TIMEOUT_MS = 60_000;

/** Ends a process at once, if it is still the one that was recorded, and waits until it is gone. */
export async function killProcess(pid: number, identity: string): Promise<void> {
  const deadlineMs = Date.now() + WAIT_TIMEOUT_MS;
  while (findProcessIdentity(pid) === identity) {
    if (Date.now() > deadlineMs) throw new Error(`process ${pid} does not end`);
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function fromProcFilesystem(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may itself contain blanks and parentheses; the state is the first field after it.
    const name = stat.slice(stat.indexOf("("), stat.lastIndexOf(")") + 1);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, startTicks] = [fields[0], fields[19]];
    if (state === "Z" || state === "X") return undefined;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${name} ${startTicks} ${boot}`;
  } catch {
    return undefined;
  }
}

function fromProcessStatus(pid: number): string | undefined {
  try {
    const status = execFileSync("ps", ["-o", "lstart=,comm=", "-p", String(pid)], { encoding: "utf8" }).trim();
    return status === "" ? undefined : status;
  } catch {
    return undefined;
  }
}
