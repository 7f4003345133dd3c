/** The node as a user starts it, in a process of its own: time and memory from the command to a given state. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFreePort } from "../../../local/runtime/free-port.ts";
import { ProcessTree, type ProcessUsage } from "./process-tree.ts";

const projectRoot = path.resolve(import.meta.dirname, "../../..");
const host = "127.0.0.1";

/** Usage of runner and runtime, in this order. */
export interface NodeRun {
  readonly seconds: number;
  readonly processorSeconds: readonly [number, number];
  /** Peak memory of one of their processes. */
  readonly peakMegabytes: readonly [number, number];
  /** Standard output. */
  readonly output: string;
}

export interface StartedNode {
  readonly url: string;
  /** Standard output so far. */
  output(): string;
}

export interface NodeRunOptions {
  /** Flags of the command line, without the port. */
  readonly flags: readonly string[];
  /** Condition at which the clock stops. */
  readonly isDone: (node: StartedNode) => boolean | Promise<boolean>;
  /** Time between two checks of it. */
  readonly lookMs: number;
  readonly limitMs: number;
}

/** @throws Error the node ends early, or takes too long */
export async function runWholeNode({ flags, isDone, lookMs, limitMs }: NodeRunOptions): Promise<NodeRun> {
  const port = await findFreePort(host, 0);
  const startedMs = performance.now();
  const child = spawn(process.execPath, ["scripts/start.mjs", ...flags, "--port", String(port)], {
    cwd: projectRoot,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const tree = new ProcessTree(child.pid as number);
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  try {
    while (!(await isDone({ url: `http://${host}:${port}`, output: () => output }))) {
      if (hasEnded(child)) throw new Error(`the node has ended:\n${output}`);
      if (performance.now() - startedMs > limitMs)
        throw new Error(`the node is not done after ${limitMs / 1000} s:\n${output}`);
      await pause(lookMs);
    }
    const seconds = (performance.now() - startedMs) / 1000;
    const usage = tree.usage();
    const [runner, runtime] = [partOf(usage, false), partOf(usage, true)];
    return {
      seconds,
      processorSeconds: [runner.processorSeconds, runtime.processorSeconds],
      peakMegabytes: [runner.peakMegabytes, runtime.peakMegabytes],
      output,
    };
  } finally {
    tree.stop();
    if (!hasEnded(child)) child.kill("SIGINT");
    await exited;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function partOf(
  usage: readonly ProcessUsage[],
  isRuntime: boolean,
): Pick<ProcessUsage, "processorSeconds" | "peakMegabytes"> {
  const processes = usage.filter(({ name }) => (name === "workerd") === isRuntime);
  return {
    processorSeconds: processes.reduce((total, { processorSeconds }) => total + processorSeconds, 0),
    peakMegabytes: Math.max(...processes.map(({ peakMegabytes }) => peakMegabytes)),
  };
}
