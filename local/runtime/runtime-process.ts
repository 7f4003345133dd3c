/**
 * The runtime's process: starts workerd, tells where it listens, passes on what it logs, and starts it again after a crash.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { z } from "zod";
import type { RuntimePlace } from "./runtime-address.ts";
import type { RuntimeFacts } from "./runtime-config.ts";
import { findRuntimeProgram } from "./runtime-program.ts";
import { watch } from "./watchdog.ts";

export interface RuntimeProcessOptions {
  /** Names of the sockets that it must listen on. */
  readonly sockets: readonly string[];
  /** Writes the configuration, before each start. */
  readonly writeConfig: () => WrittenConfig;
  /** The runtime has read its configuration and listens. */
  readonly onListening: () => void;
  /** Goes with the process, when this one is killed. */
  readonly temporaryPath: string;
  readonly inspectorPort: number | undefined;
  /** A process has been started: the first one, or one after a crash. */
  readonly onProcess: (pid: number) => void;
  /** The runtime crashed and is running again, or could not be started again and the next attempt follows. */
  readonly onRestart: () => Promise<void>;
  /** Is given a line about each request, where the node is set up to write one. */
  readonly onRequest?: ((line: string) => void) | undefined;
  /** Of a dev chain: readers can see more than before. */
  readonly onPublished?: (() => void) | undefined;
  readonly onLog: (text: string) => void;
}

export interface WrittenConfig {
  readonly file: string;
  readonly socketPaths: RuntimeFacts["socketPaths"];
}

export interface RuntimeProcess {
  /** Where a socket listens now; waits while the runtime is being started. @throws Error when it could not be started again */
  findPlace(socket: string): Promise<RuntimePlace>;
  /** Ends the process and starts another one. @throws Error when it cannot be started */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

/** Where the runtime listens, by the sockets' names. */
type Places = ReadonlyMap<string, RuntimePlace>;

const listenSchema = z.object({ event: z.literal("listen"), socket: z.string(), port: z.number().int() });
const logSchema = z.object({ message: z.string(), level: z.string().optional() });
/** Of lines about requests (`REQUEST_LOG`), and of nothing else that is written: `src/http/request-log.ts`. */
const REQUEST_LEVEL = "log";
/** Of what a dev chain tells its runner: `durable/chain-state/publish/notifying-sink.ts`. */
const PUBLISHED_LEVEL = "debug";

/** What the runtime says of itself to those who make it. */
const runtimeNoise = [
  /^NOSENTRY /,
  /^service \w+: The compatibility flag \w+ became the default/,
  /CODE_MOVED for unknown code block/,
  /Not symbolizing stack traces because \$LLVM_SYMBOLIZER/,
  /took recursive isolate lock/,
];

/** Before the next attempt to start a runtime that could not be started again. */
const RETRY_MS = 200;

/** Starts the runtime; it listens when the promise resolves. @throws Error when it cannot be started */
export async function startRuntimeProcess(options: RuntimeProcessOptions): Promise<RuntimeProcess> {
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  /** Which process is wanted: none that began under another number. */
  let wanted = 0;

  const start = async (): Promise<Places> => {
    const own = wanted;
    const config = options.writeConfig();
    const started = spawnRuntime(config.file, options);
    child = started;
    const end = waitForEnd(started);
    ended = end;
    const listening = readPlaces(started, options.sockets, config.socketPaths);
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
    findPlace: async (socket) => {
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

/** Resolves when the process has ended, or could not even begin. */
function waitForEnd(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
}

async function readPlaces(
  child: ChildProcess,
  sockets: readonly string[],
  socketPaths: WrittenConfig["socketPaths"],
): Promise<Places | undefined> {
  const places = new Map<string, RuntimePlace>();
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { data } = listenSchema.safeParse(JSON.parse(line));
    if (data === undefined) continue;
    const path = socketPaths[data.socket];
    places.set(data.socket, path === undefined ? { host: "127.0.0.1", port: data.port } : { socketPath: path });
    if (sockets.every((socket) => places.has(socket))) return places;
  }
  return undefined;
}

/** Workers' logs come as JSON, the runtime's last words as they are. */
function messageOf(line: string): z.infer<typeof logSchema> {
  try {
    return logSchema.parse(JSON.parse(line));
  } catch {
    return { message: line };
  }
}
