/** A node started as a user starts it, for tests over HTTP. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { listenOnce } from "../local/runtime/free-port.ts";

export interface LocalNode {
  readonly url: string;
  readonly output: () => string;
  /** Sends SIGINT (Ctrl-C); resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL to the runner; its child processes must end, too. */
  kill(): Promise<void>;
}

/** A node that may not be ready yet. */
export interface StartedNode {
  readonly process: ChildProcess;
  readonly url: string;
  readonly output: () => string;
  readonly exited: Promise<number | null>;
  ready(): Promise<LocalNode>;
}

export const projectRoot = path.resolve(import.meta.dirname, "..");

/**
 * Runs `npm start` without npm, on a port of its own, and without peers unless the flags say so.
 * @param project folder of the code to run; default: this project
 */
export async function startNode(flags: readonly string[], project = projectRoot): Promise<StartedNode> {
  const port = await freePort();
  // Many nodes run on one machine. An earlier release without these flags has no peers anyway.
  const alone = project === projectRoot ? ["--peers", "none", "--p2p-port", "0"] : [];
  const child = spawn(process.execPath, ["scripts/start.mjs", "--port", String(port), ...alone, ...flags], {
    cwd: project,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const url = `http://127.0.0.1:${port}`;
  const node: LocalNode = {
    url,
    output: () => output,
    stop: () => {
      child.kill("SIGINT");
      return exited;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
  const ready = async (): Promise<LocalNode> => {
    const served = new Promise<void>((resolve) => {
      const look = (): void => {
        if (output.includes(`ready ${url}`)) resolve();
      };
      child.stdout.on("data", look);
      look();
    });
    const failed = exited.then((code) => {
      throw new Error(`the node ended with code ${code} before it was ready:\n${output}`);
    });
    await Promise.race([served, failed]);
    return node;
  };
  return { process: child, url, output: () => output, exited, ready };
}

/** Starts a node and waits until it is ready. */
export async function readyNode(flags: readonly string[]): Promise<LocalNode> {
  return (await startNode(flags)).ready();
}

/** Below the ports of outgoing connections, one of which could take a port between the check and its use. */
const portRange = { first: 10_240, count: 20_000 } as const;
let portsTried = 0;

/** A free port, not yet handed out in this process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = portRange.first + ((process.pid * 101 + portsTried++) % portRange.count);
    try {
      return await listenOnce("127.0.0.1", port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
}
