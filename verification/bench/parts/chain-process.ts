/** ChainState in workerd, as `npm start` runs it, for measurements of processor time and profiles. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { ChainOperator } from "../../../local/runtime/chain-operator.ts";
import { cloneArtifacts } from "../../../local/runtime/clone-artifacts.ts";
import { findFreePort } from "../../../local/runtime/free-port.ts";
import { startRuntime } from "../../../local/runtime/local-runtime.ts";
import { bundleFiles } from "../../../local/runtime/runtime-files.ts";
import { Inspector } from "./inspector.ts";
import { type ProfileShares, sharesOf } from "./profile-shares.ts";

const projectRoot = path.resolve(import.meta.dirname, "../../..");
const host = "127.0.0.1";
/** Unit of processor times in `/proc`. */
const clockTicksPerSecond = 100;
const megabyte = 1024;

export interface ChainProcess {
  readonly chain: ChainOperator;
  /** Processor time of workerd since its start, seconds: all threads, with D1 and SQLite. */
  processorSeconds(): number;
  /** Peak memory of workerd, MB. */
  peakMegabytes(): number;
  /** Profile of the isolate during the work. */
  profile(work: () => Promise<void>): Promise<ProfileShares>;
  stop(): Promise<void>;
}

/**
 * @param network name, or the text of a `network.json`
 * @param storagePath undefined: in memory
 */
export async function startChainProcess(network: string, storagePath: string | undefined): Promise<ChainProcess> {
  let nodeBundle = "";
  const artifacts = cloneArtifacts(projectRoot);
  const inspectorPort = await findFreePort(host, 0);
  let pid = 0;
  const runtime = await startRuntime({
    artifacts: {
      ...artifacts,
      write: async (folder) => {
        await artifacts.write(folder);
        nodeBundle = readFileSync(path.join(folder, bundleFiles.node), "utf8");
      },
    },
    host,
    port: await findFreePort(host, 0),
    storagePath,
    bindings: { NETWORK: network, WAITS_FOR_RUNNER: "yes", API_KEY_HASH: "", WALLET_SEED: "" },
    // Also called for runtimes that are started later.
    onProcess: (started) => {
      pid ||= started;
    },
    isKeyKnown: false,
    onStop: () => {},
    onLog: (text) => process.stderr.write(text),
    onRestart: () => Promise.reject(new Error("the runtime crashed")),
    inspectorPort,
  });
  // Creates the tables of both databases.
  await runtime.chain.finishImport();
  return {
    chain: runtime.chain,
    processorSeconds: () => {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
    },
    peakMegabytes: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / megabyte,
    profile: async (work) => {
      const inspector = await Inspector.connect(inspectorPort, "node");
      try {
        return sharesOf(await inspector.profile(work), nodeBundle);
      } finally {
        inspector.close();
      }
    },
    stop: () => runtime.stop(),
  };
}
