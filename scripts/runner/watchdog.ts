import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/** Reads one line: end of input instead means that the runner is gone, however it went. */
const script = `trap "" INT TERM HUP; read -r _ || { kill -9 "$1"; rm -rf -- "$2"; }`;

export interface Watchdog {
  /** The watched process has ended in an orderly way. */
  release(): void;
}

/**
 * Makes sure that a process does not outlive this one, even when this one is killed: a small shell holds the other end
 * of a pipe, and ends the process when the pipe breaks. Does nothing on Windows.
 * @param temporaryPath a folder that goes with the process
 */
export function watch(pid: number, temporaryPath: string): Watchdog {
  if (process.platform === "win32") return { release: () => {} };
  const shell = spawn("/bin/sh", ["-c", script, "watchdog", String(pid), temporaryPath], {
    stdio: ["pipe", "ignore", "ignore"],
    // Out of the terminal's process group, so that Ctrl-C does not end the watchdog first.
    detached: true,
  });
  shell.unref();
  const pipe = shell.stdin as unknown as Socket;
  pipe.unref();
  // A watchdog that is gone is no reason to end the node.
  pipe.on("error", () => {});
  shell.on("error", () => {});
  return { release: () => void pipe.end("\n") };
}
