import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Shell script that reads one line. End of input instead means that the runner has ended in any way: then the script
 * kills process `$2`, if any, and removes folder `$1`.
 */
const script = `trap "" INT TERM HUP; read -r _ || { [ -z "$2" ] || kill -9 "$2"; rm -rf -- "$1"; }`;

export interface Watchdog {
  /** To be called when the watched process has ended normally. */
  release(): void;
}

/**
 * Makes sure that a folder, and a process that uses it, do not outlive this process, even when this one is killed: a
 * small shell holds the other end of a pipe, and when the pipe breaks it kills the process and removes the folder. Does
 * nothing on Windows.
 * @param pid undefined: no process uses the folder yet
 */
export function watch(temporaryPath: string, pid?: number): Watchdog {
  if (process.platform === "win32") return { release: () => {} };
  const shell = spawn("/bin/sh", ["-c", script, "watchdog", temporaryPath, String(pid ?? "")], {
    stdio: ["pipe", "ignore", "ignore"],
    // Outside the terminal's process group, so that Ctrl-C does not end the watchdog first.
    detached: true,
  });
  shell.unref();
  const pipe = shell.stdin as unknown as Socket;
  pipe.unref();
  // The end of the watchdog must not end the node.
  pipe.on("error", () => {});
  shell.on("error", () => {});
  return { release: () => void pipe.end("\n") };
}
