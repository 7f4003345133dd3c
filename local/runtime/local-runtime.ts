/**
 * The Worker and its bindings in workerd on this machine, with Miniflare's simulators.
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
import { type CompletedRequest, type FrontServer, startFront } from "./front-server.ts";
import { type RuntimeAddress, socketPath, supportsSockets } from "./runtime-address.ts";
import { NODE, OPERATOR, type RuntimeConfigOptions, runtimeConfig, storageFolders } from "./runtime-config.ts";
import { webFilesFolder } from "./runtime-files.ts";
import { type RuntimeProcess, startRuntimeProcess, type WrittenConfig } from "./runtime-process.ts";
import { runtimeRequest } from "./runtime-request.ts";
import { watch } from "./watchdog.ts";

export interface RuntimeOptions {
  readonly artifacts: Artifacts;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Undefined: the state ends with the process. */
  readonly storagePath: string | undefined;
  /** Whether the API key is publicly known; see `FrontOptions`. */
  readonly isKeyKnown: boolean;
  /** Text bindings of the Worker, secrets included. */
  readonly bindings: Readonly<Record<string, string>>;
  /** URL of the node from which a fork fetches missing state. */
  readonly forkUrl?: string | undefined;
  /** Called when a runtime process has been started: the first one, or one after a crash. */
  readonly onProcess: (pid: number) => void;
  /** Called when the runtime crashed and is running again. */
  readonly onRestart: () => Promise<void>;
  /** Called when the owner has stopped the node (`POST /node/stop`). */
  readonly onStop: () => void;
  /** Called with a line about each request, if the node is set up to write one. */
  readonly onRequest?: (line: string) => void;
  /** Called for each request that the front server has completed. */
  readonly onCompleted?: ((answered: CompletedRequest) => void) | undefined;
  /** Called when new rows of a dev chain are visible to readers. */
  readonly onPublished?: (() => void) | undefined;
  /** Called with the log output of the runtime and the Workers. */
  readonly onLog: (text: string) => void;
  /** Port of this machine for a debugger or profiler; undefined: none. */
  readonly inspectorPort?: number | undefined;
}

export interface LocalRuntime {
  readonly chain: ChainOperator;
  readonly peers: PeerOperator;
  /** Port on which the front server listens. */
  readonly port: number;
  /** Sends a request to the node's Worker, bypassing the front server. */
  readonly request: OperatorRequest;
  /**
   * Replaces the runtime's process, which keeps the memory that it once needed. To be called when it has no work in
   * progress; nothing is lost, even without `storagePath`.
   */
  renew(): Promise<void>;
  /** Ends the runtime and discards its memory. */
  stop(): Promise<void>;
}

/** Starts the runtime, which listens when the promise resolves. */
export async function startRuntime(options: RuntimeOptions): Promise<LocalRuntime> {
  // Temporary folder that only this user can read: configuration, and the databases of `--memory`.
  const temporaryPath = mkdtempSync(path.join(os.tmpdir(), "waves-node-"));
  // Guards the folder until the runtime's own watchdog takes over.
  const watchdog = watch(temporaryPath);
  const token = randomBytes(32).toString("hex");
  const hasSockets = supportsSockets(temporaryPath);
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
      // The file holds secrets.
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
    return { endpoint: await runtime.findEndpoint(NODE), headers: hasSockets ? {} : headers };
  };
  let front: FrontServer | undefined;
  const stop = async (): Promise<void> => {
    await front?.stop();
    await runtime.stop();
    removeTemporary();
  };
  try {
    const { host, port, isKeyKnown, onStop, onCompleted } = options;
    const filePath = "DEV_CHAIN" in bindings ? FILE_PATH : undefined;
    front = await startFront({
      host,
      port,
      findRuntime: findNode,
      isKeyKnown,
      filePath,
      onStop,
      onCompleted,
    });
  } catch (error) {
    await stop();
    throw portRefused(error as NodeJS.ErrnoException, options.host, options.port);
  }
  const request = runtimeRequest(async () => ({ endpoint: await runtime.findEndpoint(OPERATOR), headers }));
  return {
    chain: chainOperator(request),
    peers: peerOperator(request),
    port: front.port,
    request: runtimeRequest(findNode),
    renew: () => runtime.renew(),
    stop,
  };
}

/** Writes the files that the runtime reads besides its configuration. @returns options of the configuration */
async function prepare(
  options: RuntimeOptions,
  temporaryPath: string,
  token: string,
): Promise<Omit<RuntimeConfigOptions, "socketPaths">> {
  const { artifacts, bindings, forkUrl } = options;
  await artifacts.write(temporaryPath);
  const pagePath = path.join(temporaryPath, webFilesFolder);
  const storagePath = options.storagePath ?? path.join(temporaryPath, "storage");
  for (const folder of storageFolders) mkdirSync(path.join(storagePath, folder), { recursive: true });
  const v8Flags = runtimeFlags();
  const { date: compatibilityDate, flags: compatibilityFlags } = artifacts.compatibility;
  return { compatibilityDate, compatibilityFlags, bindings, forkUrl, token, storagePath, webPath: pagePath, v8Flags };
}

/**
 * V8 flag of the runtime: a young generation of 4 MB a half, not 16. Memory that an import discards is reused sooner,
 * and the process has 30 MB less.
 */
const youngGenerationFlag = "--max-semi-space-size=4";

/** V8 flags of the runtime; those of the environment come last, and V8 takes the last of equal ones. */
function runtimeFlags(): readonly string[] {
  return [youngGenerationFlag, ...(process.env["MINIFLARE_WORKERD_V8_FLAGS"] ?? "").split(" ")].filter(Boolean);
}
