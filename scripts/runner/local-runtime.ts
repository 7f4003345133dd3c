/**
 * The Worker and its bindings in workerd on this machine, through Miniflare.
 */

import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Log, LogLevel, Miniflare } from "miniflare";
import { type Bundles, compilerModule } from "./bundle.ts";
import { type ChainOperator, chainOperator } from "./chain-operator.ts";
import { portRefused } from "./free-port.ts";
import { type FrontServer, startFront } from "./front-server.ts";
import { operatorRequest } from "./operator-request.ts";
import { writePage } from "./page-files.ts";
import { type Watchdog, watch } from "./watchdog.ts";

/** Names of the Workers; the databases' files are named after the first one. */
const NODE = "node";
const OPERATOR = "operator";

export interface RuntimeOptions {
  readonly bundles: Bundles;
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  readonly host: string;
  readonly port: number;
  /** Undefined: state goes with the process. */
  readonly storagePath: string | undefined;
  /** As the front server takes it. */
  readonly isKeyKnown: boolean;
  /** Text bindings of the Worker, secrets included. */
  readonly bindings: Readonly<Record<string, string>>;
  /** A runtime process has been started: the first one, or one after a crash. */
  readonly onProcess: (pid: number) => void;
  /** The runtime crashed and is running again. */
  readonly onRestart: () => Promise<void>;
  /** The owner has stopped the node (`POST /node/stop`). */
  readonly onStop: () => void;
  /** Is given a line about each request, where the node is set up to write one. */
  readonly onRequest?: (line: string) => void;
  /** Is given what the runtime and the Workers write to their logs. */
  readonly onLog: (text: string) => void;
  /** Where a debugger or profiler may connect, on this machine; undefined: nowhere. */
  readonly inspectorPort?: number | undefined;
}

export interface LocalRuntime {
  readonly chain: ChainOperator;
  /** Ends the runtime; what is in memory goes with it. */
  stop(): Promise<void>;
}

/** Starts the runtime; it listens when the promise resolves. */
export async function startRuntime(options: RuntimeOptions): Promise<LocalRuntime> {
  // Everything temporary in a folder of our own: Miniflare's control files, and the databases of `--memory`.
  const temporaryPath = mkdtempSync(path.join(os.tmpdir(), "waves-node-"));
  const restoreEnvironment = setEnvironment({ TMPDIR: temporaryPath, MINIFLARE_WORKERD_V8_FLAGS: runtimeFlags() });
  const processes = watchRuntimeProcesses(temporaryPath, options.onProcess);
  const pagePath = path.join(temporaryPath, "page");
  writePage(pagePath, options.bundles.page);
  const token = randomBytes(32).toString("hex");
  const restoreSignals = keepSignalListeners();
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    enableDevRegistry: false,
    log: new Log(LogLevel.WARN, { prefix: "runtime" }),
    handleStructuredLogs: ({ message, level }) => {
      if (level === REQUEST_LEVEL) options.onRequest?.(message);
      else if (!runtimeNoise.test(message)) options.onLog(`${message}\n`);
    },
    unsafeHandleRuntimeRestart: options.onRestart,
    ...(options.inspectorPort === undefined ? {} : { inspectorPort: options.inspectorPort }),
    ...(options.storagePath === undefined ? {} : { resourcePersistencePath: options.storagePath }),
    workers: [
      {
        config: {
          ...moduleWorker(NODE, options.bundles.node, options, { [compilerModule]: options.bundles.compiler }),
          exports: { ChainState: { type: "durable-object", storage: "sqlite" } },
          env: {
            ...Object.fromEntries(Object.entries(options.bindings).map(([name, value]) => [name, textBinding(value)])),
            CHAIN_STATE: chainState,
            DB: { type: "d1", id: "read-model" },
            FINAL: { type: "kv", id: "final" },
            ASSETS: { type: "disk", path: pagePath },
          },
        },
        // Straight to the Worker: Miniflare's entry worker costs more than the request itself.
        dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] },
      },
      {
        // Miniflare's own way to the bindings loads a second runtime for calls into this process: 45 MB.
        config: {
          ...moduleWorker(OPERATOR, options.bundles.operator, options),
          env: { CHAIN_STATE: chainState, TOKEN: textBinding(token) },
        },
        dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] },
      },
    ],
  });
  restoreSignals();
  let front: FrontServer | undefined;
  const stop = async (): Promise<void> => {
    await front?.stop();
    await miniflare.dispose();
    processes.stop();
    restoreEnvironment();
    rmSync(temporaryPath, { recursive: true, force: true });
  };
  try {
    await miniflare.ready;
    const findRuntime = () => miniflare.unsafeGetDirectURL(NODE);
    const { host, port, isKeyKnown, onStop } = options;
    front = await startFront({ host, port, findRuntime, isKeyKnown, onStop }).catch((error: unknown) => {
      throw portRefused(error as NodeJS.ErrnoException, host, port);
    });
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  return {
    chain: chainOperator(operatorRequest(() => miniflare.unsafeGetDirectURL(OPERATOR), token)),
    stop,
  };
}

/** Of lines about requests (`REQUEST_LOG`), and of nothing else that is written: `src/http/request-log.ts`. */
const REQUEST_LEVEL = "log";

/** What the runtime says of itself to those who make it. */
const runtimeNoise = /^NOSENTRY /;

/**
 * V8's flag in the runtime. A young generation of 4 MB a half, not 16: what an import throws away is reused sooner, and
 * the process has 30 MB less.
 */
const youngGenerationFlag = "--max-semi-space-size=4";

/** Those that the environment names come after ours: V8 takes the last. */
function runtimeFlags(): string {
  return [youngGenerationFlag, process.env["MINIFLARE_WORKERD_V8_FLAGS"] ?? ""].filter(Boolean).join(" ");
}

/** Environment variables that Miniflare reads whenever it starts the runtime. @returns what puts the old values back */
function setEnvironment(values: Readonly<Record<string, string>>): () => void {
  const earlier = Object.keys(values).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  return () => {
    for (const [name, value] of earlier) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

const chainState = { type: "durable-object", worker: NODE, exportName: "ChainState" } as const;

function textBinding(value: string) {
  return { type: "text" as const, value };
}

function moduleWorker(
  name: string,
  contents: string,
  { compatibilityDate, compatibilityFlags }: Pick<RuntimeOptions, "compatibilityDate" | "compatibilityFlags">,
  commonModules: Readonly<Record<string, string>> = {},
) {
  const common = Object.entries(commonModules).map(([file, text]) => [file, { type: "cjs" as const, contents: text }]);
  return {
    name,
    compatibilityDate,
    compatibilityFlags: [...compatibilityFlags],
    manifest: {
      mainModule: "index.js",
      modules: { "index.js": { type: "esm" as const, contents }, ...Object.fromEntries(common) },
    },
  };
}

/**
 * Miniflare ends the process itself on a signal; ending it in order is the runner's task.
 * @returns what removes the listeners that were added since
 */
function keepSignalListeners(): () => void {
  const kept = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => [signal, process.listeners(signal)] as const);
  return () => {
    for (const [signal, listeners] of kept) {
      for (const added of process.listeners(signal)) {
        if (!listeners.includes(added)) process.removeListener(signal, added);
      }
    }
  };
}

/** Puts a watchdog beside each runtime process that is started, after a crash too. */
function watchRuntimeProcesses(temporaryPath: string, onProcess: (pid: number) => void): { stop(): void } {
  const watchdogs = new Set<Watchdog>();
  const onChild = (message: unknown): void => {
    const child = (message as { process: ChildProcess }).process;
    child.once("spawn", () => {
      if (child.pid === undefined || !path.basename(child.spawnfile).startsWith("workerd")) return;
      const watchdog = watch(child.pid, temporaryPath);
      watchdogs.add(watchdog);
      child.once("exit", () => {
        watchdogs.delete(watchdog);
        watchdog.release();
      });
      onProcess(child.pid);
    });
  };
  subscribe("child_process", onChild);
  return {
    stop: () => {
      unsubscribe("child_process", onChild);
      for (const watchdog of watchdogs) watchdog.release();
    },
  };
}
