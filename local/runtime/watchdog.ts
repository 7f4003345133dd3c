import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/** Reads one line: end of input instead means that the runner is gone, however it went. Then the process `$2` goes, if any, and the folder `$1`. */
const script = `trap "" INT TERM HUP; read -r _ || { [ -z "$2" ] || kill -9 "$2"; rm -rf -- "$1"; }`;

export interface Watchdog {
  /** The watched process has ended in an orderly way. */
  release(): void;
}

/**
 * Makes sure that a folder, and a process that works in it, do not outlive this process, even when this one is killed: a small
 * shell holds the other end of a pipe, and ends the one and removes the other when the pipe breaks. Does nothing on Windows.
 * @param pid undefined: no process works in it yet
 */
export function watch(temporaryPath: string, pid?: number): Watchdog {
  if (process.platform === "win32") return { release: () => {} };
  const shell = spawn("/bin/sh", ["-c", script, "watchdog", temporaryPath, String(pid ?? "")], {
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
