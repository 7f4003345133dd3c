/**
 * The Worker and its bindings in workerd on this machine, through Miniflare.
 */

import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { FILE_PATH } from "../../src/http/file-body.ts";
import { runnerTokenHeader } from "../../src/worker/runner-token.ts";
import type { Artifacts } from "./artifacts.ts";
import {
  type ChainOperator,
  chainOperator,
  type OperatorRequest,
  type PeerOperator,
  peerOperator,
} from "./chain-operator.ts";
import { portRefused } from "./free-port.ts";
import { type AnsweredRequest, type FrontServer, startFront } from "./front-server.ts";
import { canHoldSockets, type RuntimeAddress, socketPath } from "./runtime-address.ts";
import { NODE, OPERATOR, type RuntimeFacts, runtimeConfig, storageFolders } from "./runtime-config.ts";
import { pageFilesFolder } from "./runtime-files.ts";
import { type RuntimeProcess, startRuntimeProcess, type WrittenConfig } from "./runtime-process.ts";
import { runtimeRequest } from "./runtime-request.ts";
import { watch } from "./watchdog.ts";

export interface RuntimeOptions {
  readonly artifacts: Artifacts;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Undefined: state goes with the process. */
  readonly storagePath: string | undefined;
  /** As the front server takes it. */
  readonly isKeyKnown: boolean;
  /** Text bindings of the Worker, secrets included. */
  readonly bindings: Readonly<Record<string, string>>;
  /** Where a fork asks for what it does not know yet. */
  readonly forkUrl?: string | undefined;
  /** A runtime process has been started: the first one, or one after a crash. */
  readonly onProcess: (pid: number) => void;
  /** The runtime crashed and is running again. */
  readonly onRestart: () => Promise<void>;
  /** The owner has stopped the node (`POST /node/stop`). */
  readonly onStop: () => void;
  /** Is given a line about each request, where the node is set up to write one. */
  readonly onRequest?: (line: string) => void;
  /** Is told of each request that the front server has answered. */
  readonly onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
  /** Of a dev chain: readers can see more than before. */
  readonly onPublished?: (() => void) | undefined;
  /** Is given what the runtime and the Workers write to their logs. */
  readonly onLog: (text: string) => void;
  /** Where a debugger or profiler may connect, on this machine; undefined: nowhere. */
  readonly inspectorPort?: number | undefined;
}

export interface LocalRuntime {
  readonly chain: ChainOperator;
  readonly peers: PeerOperator;
  /** On which it listens. */
  readonly port: number;
  /** A request to the node's Worker, past the front server. */
  readonly ask: OperatorRequest;
  /**
   * Puts a new process in the place of the runtime's: one that has worked hard keeps the memory that it needed. To be called when
   * it has nothing in hand; without `storagePath` nothing is lost either.
   */
  renew(): Promise<void>;
  /** Ends the runtime; what is in memory goes with it. */
  stop(): Promise<void>;
}

/** Starts the runtime; it listens when the promise resolves. */
export async function startRuntime(options: RuntimeOptions): Promise<LocalRuntime> {
  // Everything temporary in a folder of our own, which only this user reads: configuration, and the databases of `--memory`.
  const temporaryPath = mkdtempSync(path.join(os.tmpdir(), "waves-node-"));
  // Until there is a runtime, whose own takes its place.
  const watchdog = watch(temporaryPath);
  const token = randomBytes(32).toString("hex");
  const hasSockets = canHoldSockets(temporaryPath);
  const bindings = hasSockets ? options.bindings : { ...options.bindings, RUNNER_TOKEN: token };
  let starts = 0;
  const file = path.join(temporaryPath, "config.capnp");
  const removeTemporary = (): void => rmSync(temporaryPath, { recursive: true, force: true });
  const startProcess = async (): Promise<RuntimeProcess> => {
    const facts = await prepare({ ...options, bindings }, temporaryPath, token);
    const writeConfig = (): WrittenConfig => {
      starts++;
      const names = hasSockets ? [NODE, OPERATOR] : [];
      const socketPaths = Object.fromEntries(names.map((name) => [name, socketPath(temporaryPath, name, starts)]));
      writeFileSync(file, runtimeConfig({ ...facts, socketPaths }), { mode: 0o600 });
      return { file, socketPaths };
    };
    const { inspectorPort, onProcess, onRestart, onRequest, onPublished, onLog } = options;
    return startRuntimeProcess({
      sockets: [NODE, OPERATOR],
      writeConfig,
      // It holds secrets.
      onListening: () => rmSync(file),
      temporaryPath,
      inspectorPort,
      onProcess,
      onRestart,
      onRequest,
      onPublished,
      onLog,
    });
  };
  const runtime = await startProcess()
    .catch((error: unknown) => {
      removeTemporary();
      throw error;
    })
    .finally(() => watchdog.release());
  const headers = { [runnerTokenHeader]: token };
  const findNode = async (): Promise<RuntimeAddress> => {
    return { place: await runtime.findPlace(NODE), headers: hasSockets ? {} : headers };
  };
  let front: FrontServer | undefined;
  const stop = async (): Promise<void> => {
    await front?.stop();
    await runtime.stop();
    removeTemporary();
  };
  try {
    const { host, port, isKeyKnown, onStop, onAnswered } = options;
    const filePath = "DEV_CHAIN" in bindings ? FILE_PATH : undefined;
    front = await startFront({ host, port, findRuntime: findNode, isKeyKnown, filePath, onStop, onAnswered });
  } catch (error) {
    await stop();
    throw portRefused(error as NodeJS.ErrnoException, options.host, options.port);
  }
  const request = runtimeRequest(async () => ({ place: await runtime.findPlace(OPERATOR), headers }));
  return {
    chain: chainOperator(request),
    peers: peerOperator(request),
    port: front.port,
    ask: runtimeRequest(findNode),
    renew: () => runtime.renew(),
    stop,
  };
}

/** Writes what the runtime reads besides its configuration. @returns facts for the configuration */
async function prepare(
  options: RuntimeOptions,
  temporaryPath: string,
  token: string,
): Promise<Omit<RuntimeFacts, "socketPaths">> {
  const { artifacts, bindings, forkUrl } = options;
  await artifacts.write(temporaryPath);
  const pagePath = path.join(temporaryPath, pageFilesFolder);
  const storagePath = options.storagePath ?? path.join(temporaryPath, "storage");
  for (const folder of storageFolders) mkdirSync(path.join(storagePath, folder), { recursive: true });
  const v8Flags = runtimeFlags();
  const { date: compatibilityDate, flags: compatibilityFlags } = artifacts.compatibility;
  return { compatibilityDate, compatibilityFlags, bindings, forkUrl, token, storagePath, pagePath, v8Flags };
}

/**
 * V8's flag in the runtime. A young generation of 4 MB a half, not 16: what an import throws away is reused sooner, and
 * the process has 30 MB less.
 */
const youngGenerationFlag = "--max-semi-space-size=4";

/** Those that the environment names come after ours: V8 takes the last. */
function runtimeFlags(): readonly string[] {
  return [youngGenerationFlag, ...(process.env["MINIFLARE_WORKERD_V8_FLAGS"] ?? "").split(" ")].filter(Boolean);
}
