/**
 * The reference node, run from a folder with its jars: imports a block file, then serves its state on loopback without
 * peers.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UsageError } from "../../local/cli/usage-error.ts";
import { type JsonObject, jsonText } from "../../src/protocol/json.ts";

export interface ReferenceOptions {
  /** Folder with the jars. */
  readonly library: string;
  /** Empty folder for its configuration, state and logs. */
  readonly folder: string;
  /**
   * Content of a `network.json`: its `waves` is the configuration, except for the settings of a single node on
   * loopback.
   */
  readonly network: { readonly waves: JsonObject };
  readonly restPort: number;
  readonly peerPort: number;
}

export interface ReferenceImport {
  readonly appended: number;
  /** Log line about the first rejected block. */
  readonly refusal: string | undefined;
}

export interface ServingReference {
  readonly url: string;
  stop(): Promise<void>;
}

const openings = ["java.base/sun.nio.ch", "java.base/java.lang", "java.base/java.math", "java.base/java.util"];
const heap = "2g";
/** Long timeout: a process that still runs may only be slow. */
const startTimeoutMs = 900_000;
const pollMs = 500;
/** The exit code proves nothing: the importer always ends with 0. */
const refusals = [
  /Error appending block: .*/,
  /is not a child of the last block.*/,
  /^(?:Exception in thread .*|Caused by: .*)/m,
];
const importedCount = /Imported (\d+) block\(s\)/;

export function writeReferenceConfiguration({ folder, network, restPort, peerPort }: ReferenceOptions): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "reference.conf");
  const loopback = "127.0.0.1";
  const rest = network.waves["rest-api"] as JsonObject;
  // HOCON contains JSON.
  const configuration: JsonObject = {
    waves: {
      ...network.waves,
      directory: path.join(folder, "data"),
      network: {
        "bind-address": loopback,
        port: peerPort,
        "known-peers": [],
        "node-name": "reference",
        "declared-address": `${loopback}:${peerPort}`,
        "enable-blacklisting": false,
        upnp: { enable: false },
      },
      wallet: { ...(network.waves["wallet"] as JsonObject), password: "unused" },
      "rest-api": { ...rest, enable: true, "bind-address": loopback, port: restPort },
      miner: { ...(network.waves["miner"] as JsonObject), enable: false },
      "ntp-server": "",
    },
    kamon: { enable: false },
    metrics: { enable: false },
  };
  writeFileSync(file, jsonText(configuration));
  return file;
}

/** Appends all blocks of a file except the last one, which the reference keeps in memory only. */
export async function importIntoReference(options: ReferenceOptions, blockFile: string): Promise<ReferenceImport> {
  const configuration = writeReferenceConfiguration(options);
  const importer = run(options, "Importer", ["-c", configuration, "-i", blockFile], "import.log");
  let output = "";
  importer.stdout?.on("data", (text: Buffer) => (output += text.toString()));
  importer.stderr?.on("data", (text: Buffer) => (output += text.toString()));
  await ended(importer);
  const refusal = refusals.map((pattern) => pattern.exec(output)?.[0]).find((found) => found !== undefined);
  const appended = Number(importedCount.exec(output)?.[1] ?? 0);
  return { appended, refusal };
}

/** @throws Error when it does not respond in time */
export async function serveReference(options: ReferenceOptions): Promise<ServingReference> {
  const configuration = writeReferenceConfiguration(options);
  const node = run(options, "Application", [configuration], "serve.log");
  const exited = ended(node);
  const url = `http://127.0.0.1:${options.restPort}`;
  const stop = async (): Promise<void> => {
    if (node.exitCode === null && node.signalCode === null) node.kill("SIGTERM");
    await exited;
  };
  const deadlineMs = performance.now() + startTimeoutMs;
  while (!(await responds(`${url}/node/version`))) {
    if (node.exitCode !== null) throw new Error(`the reference node ended with code ${node.exitCode}`);
    if (performance.now() > deadlineMs) {
      await stop();
      throw new Error(`the reference node did not answer within ${startTimeoutMs / 1000} s`);
    }
    await pause(pollMs);
  }
  return { url, stop };
}

/** @throws UsageError when there is no Java */
async function ended(child: ChildProcess): Promise<void> {
  try {
    await once(child, "exit");
  } catch (error) {
    throw new UsageError(`java could not be started: ${(error as Error).message}.`);
  }
}

async function responds(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/**
 * Command line of one of the reference's programs.
 * @param heapSize maximum heap of the virtual machine, as in `-Xmx`
 */
export function javaArguments(library: string, heapSize: string, main: string, args: readonly string[]): string[] {
  const flags = openings.map((module) => `--add-opens=${module}=ALL-UNNAMED`);
  const jvm = [
    `-Xmx${heapSize}`,
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-cp",
    path.join(library, "*"),
    ...flags,
  ];
  return [...jvm, "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", `com.wavesplatform.${main}`, ...args];
}

function run({ library, folder }: ReferenceOptions, main: string, args: readonly string[], log: string): ChildProcess {
  const child = spawn("java", javaArguments(library, heap, main, args), {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  // No virtual machine outlives this process, however it ends.
  process.once("exit", () => child.kill());
  const file = createWriteStream(path.join(folder, log));
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  return child;
}
