/**
 * The runtime's process: starts workerd, reads its addresses, passes on its log, and restarts it after a crash.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { z } from "zod";
import type { RuntimeEndpoint } from "./runtime-address.ts";
import type { RuntimeConfigOptions } from "./runtime-config.ts";
import { findRuntimeProgram } from "./runtime-program.ts";
import { watch } from "./watchdog.ts";

export interface RuntimeProcessOptions {
  /** Names of the sockets that the runtime must listen on. */
  readonly sockets: readonly string[];
  /** Writes the configuration, before each start. */
  readonly writeConfig: () => WrittenConfig;
  /** Called when the runtime has read its configuration and listens. */
  readonly onListening: () => void;
  /** Folder that is removed with the runtime when this process is killed. */
  readonly temporaryPath: string;
  readonly inspectorPort: number | undefined;
  /** Called when a process has been started: the first one, or one after a crash. */
  readonly onProcess: (pid: number) => void;
  /** Called when the runtime runs again after a crash, or a restart has failed and the next attempt follows. */
  readonly onRestart: () => Promise<void>;
  /** Called with a line about each request, if the node is set up to write one. */
  readonly onRequest?: ((line: string) => void) | undefined;
  /** Called when new rows of a dev chain are visible to readers. */
  readonly onPublished?: (() => void) | undefined;
  readonly onLog: (text: string) => void;
}

export interface WrittenConfig {
  readonly file: string;
  readonly socketPaths: RuntimeConfigOptions["socketPaths"];
}

export interface RuntimeProcess {
  /**
   * Current address of a socket; waits while the runtime is being started.
   * @throws Error when the restart has failed
   */
  findEndpoint(socket: string): Promise<RuntimeEndpoint>;
  /** Replaces the process. @throws Error when the new one cannot be started */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

/** Addresses of the runtime by socket name. */
type Endpoints = ReadonlyMap<string, RuntimeEndpoint>;

const listenSchema = z.object({ event: z.literal("listen"), socket: z.string(), port: z.number().int() });
const logSchema = z.object({ message: z.string(), level: z.string().optional() });
/** Log level used only for lines about requests (`REQUEST_LOG`): `src/http/request-log.ts`. */
const REQUEST_LEVEL = "log";
/** Log level of a dev chain's notifications to its runner: `durable/chain-state/publish/notifying-sink.ts`. */
const PUBLISHED_LEVEL = "debug";

/** Log lines of the runtime that are meant for its developers. */
const runtimeNoise = [
  /^NOSENTRY /,
  /^service \w+: The compatibility flag \w+ became the default/,
  /CODE_MOVED for unknown code block/,
  /Not symbolizing stack traces because \$LLVM_SYMBOLIZER/,
  /took recursive isolate lock/,
];

/** Pause after a failed restart, ms. */
const RETRY_MS = 200;

/** Starts the runtime, which listens when the promise resolves. @throws Error when it cannot be started */
export async function startRuntimeProcess(options: RuntimeProcessOptions): Promise<RuntimeProcess> {
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  /** Number of the current process: one that was started under another number is not restarted. */
  let wanted = 0;

  const start = async (): Promise<Endpoints> => {
    const own = wanted;
    const config = options.writeConfig();
    const started = spawnRuntime(config.file, options);
    child = started;
    const end = waitForEnd(started);
    ended = end;
    const listening = readEndpoints(started, options.sockets, config.socketPaths);
    const places = await Promise.race([listening, end.then(() => undefined)]);
    if (places === undefined) throw new Error("The runtime ended before it listened; its own words stand above.");
    options.onListening();
    void end.then(() => restart(own));
    return places;
  };
  const restart = async (own: number): Promise<void> => {
    if (own !== wanted) return;
    options.onLog("The runtime crashed, and is started again.\n");
    starting = start();
    const fault = await starting.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (own !== wanted) return;
    if (fault !== undefined) options.onLog(`${String(fault)}\n`);
    try {
      await options.onRestart();
    } catch (error) {
      options.onLog(`${String(error)}\n`);
    }
    if (fault === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    await restart(own);
  };
  const stop = async (): Promise<void> => {
    wanted++;
    child?.kill("SIGKILL");
    await ended;
  };
  let starting = start();
  await starting;

  return {
    findEndpoint: async (socket) => {
      const place = (await starting).get(socket);
      if (place === undefined) throw new Error(`the runtime has no socket '${socket}'`);
      return place;
    },
    renew: async () => {
      await stop();
      starting = start();
      await starting;
    },
    stop,
  };
}

function spawnRuntime(
  configFile: string,
  {
    inspectorPort,
    temporaryPath,
    onProcess,
    onRequest = () => {},
    onPublished = () => {},
    onLog,
  }: RuntimeProcessOptions,
): ChildProcess {
  const inspector = inspectorPort === undefined ? [] : [`--inspector-addr=127.0.0.1:${inspectorPort}`];
  const args = ["serve", "--experimental", "--control-fd=3", ...inspector, configFile];
  const child = spawn(process.env["MINIFLARE_WORKERD_PATH"] ?? findRuntimeProgram(), args, {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    windowsHide: true,
    env: { ...process.env, TZ: "UTC", TMPDIR: temporaryPath },
  });
  child.once("error", ({ message }) => onLog(`${message}\n`));
  child.once("spawn", () => {
    const pid = child.pid as number;
    const watchdog = watch(temporaryPath, pid);
    child.once("exit", () => watchdog.release());
    onProcess(pid);
  });
  for (const stream of [child.stdout, child.stderr] as readonly Readable[]) {
    createInterface({ input: stream }).on("line", (line) => {
      const { message, level } = messageOf(line);
      if (level === REQUEST_LEVEL) {
        onRequest(message);
        return;
      }
      if (level === PUBLISHED_LEVEL) {
        onPublished();
        return;
      }
      const isNoise = message === "" || runtimeNoise.some((noise) => noise.test(message));
      if (!isNoise) onLog(`${message}\n`);
    });
  }
  return child;
}

/** Resolves when the process has ended or could not be started. */
function waitForEnd(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
}

async function readEndpoints(
  child: ChildProcess,
  sockets: readonly string[],
  socketPaths: WrittenConfig["socketPaths"],
): Promise<Endpoints | undefined> {
  const places = new Map<string, RuntimeEndpoint>();
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { data } = listenSchema.safeParse(JSON.parse(line));
    if (data === undefined) continue;
    const path = socketPaths[data.socket];
    places.set(data.socket, path === undefined ? { host: "127.0.0.1", port: data.port } : { socketPath: path });
    if (sockets.every((socket) => places.has(socket))) return places;
  }
  return undefined;
}

/** Message of a log line: JSON from Workers, plain text from a failing runtime. */
function messageOf(line: string): z.infer<typeof logSchema> {
  try {
    return logSchema.parse(JSON.parse(line));
  } catch {
    return { message: line };
  }
}
