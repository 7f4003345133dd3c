/**
 * Baseline of reads: minimal Workers in the product's runtime, each reached directly and through the product's front
 * server. They run in a process of their own, like the product's runner.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

/** Response of the constant Worker. */
export interface ConstantResponse {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Options of the process. */
export interface BareRuntimeOptions {
  readonly responses: readonly ConstantResponse[];
  /** Keys of the table that the `point` Worker queries. */
  readonly keys: readonly string[];
}

/** Addresses of a Worker. */
export interface WorkerAddresses {
  /** Directly at the runtime. */
  readonly direct: string;
  /** Through the front server. */
  readonly frontServer: string;
}

export interface BareRuntimeAddresses {
  readonly constant: WorkerAddresses;
  /** Responds to `/KEY` with one D1 query. */
  readonly point: WorkerAddresses;
}

export interface BareRuntime {
  readonly addresses: BareRuntimeAddresses;
  readonly pid: number;
  stop(): Promise<void>;
}

const program = path.join(import.meta.dirname, "bare-runtime-process.ts");

/** Starts the Workers; they are ready when the promise resolves. */
export async function startBareRuntime(order: BareRuntimeOptions): Promise<BareRuntime> {
  const child: ChildProcess = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("a process without pipes");
  stdin.write(`${JSON.stringify(order)}\n`);
  const line = Promise.race([
    once(createInterface(stdout), "line"),
    exited.then(([code]) => Promise.reject(new Error(`the bare runtime ended with code ${code}`))),
  ]);
  const [text] = (await line) as [string];
  return {
    addresses: JSON.parse(text) as BareRuntimeAddresses,
    pid: child.pid as number,
    stop: async () => {
      stdin.end();
      await exited;
    },
  };
}
