/** The Go node as a peer. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { jsonText } from "../../../src/protocol/json.ts";
import { goSettings, goWallet } from "./go-settings.ts";
import { loopback, type NetworkNode, type NodePlan } from "./network-node.ts";
import { type MinerAccount, minerSeed } from "./short-network.ts";
import { StartedProcess } from "./started-process.ts";

const walletPassword = "short";
export const goApiKey = "go-api-key";

/**
 * @param program the node's binary
 * @param miner account that it forges with: by default its own
 */
export function goPeer(program: string, plan: NodePlan, miner: MinerAccount = "go"): NetworkNode {
  const { folder, name, restPort, peerPort } = plan;
  const url = `http://${loopback}:${restPort}`;
  const logFile = path.join(folder, "node.log");
  mkdirSync(path.join(folder, "state"), { recursive: true });
  writeFileSync(path.join(folder, "settings.json"), jsonText(goSettings(plan.network)));
  writeFileSync(path.join(folder, "node.wallet"), goWallet(minerSeed(miner), walletPassword));
  let running: StartedProcess | undefined;
  return {
    name,
    kind: "go",
    url,
    peerAddress: `${loopback}:${peerPort}`,
    declaredAddress: plan.declaredAddress,
    logFile,
    start: async () => {
      running = new StartedProcess({
        command: program,
        args: flags(plan),
        folder,
        logFile,
        readyUrl: `${url}/blocks/height`,
      });
      await running.ready();
    },
    stop: async () => running?.stop(),
    kill: async () => running?.kill(),
  };
}

function flags(plan: NodePlan): string[] {
  const { folder, name, restPort, peerPort, declaredAddress, peers, isMining, isLight = false, quorum = 0 } = plan;
  const valued: Readonly<Record<string, string>> = {
    "blockchain-type": "custom",
    "cfg-path": path.join(folder, "settings.json"),
    "state-path": path.join(folder, "state"),
    "wallet-path": path.join(folder, "node.wallet"),
    "wallet-password": walletPassword,
    "bind-address": `${loopback}:${peerPort}`,
    "declared-address": declaredAddress,
    peers: peers.join(","),
    "api-address": `${loopback}:${restPort}`,
    "api-key": goApiKey,
    "rate-limiter-opts": "cache=4096&rps=2000&burst=2000",
    "microblock-interval": "500ms",
    "min-peers-mining": String(quorum),
    // The first block may be very old.
    obsolescence: "876000h",
    "blacklist-residence-time": "15s",
    name,
    "log-level": "debug",
  };
  const switches = [
    "build-extended-api",
    "serve-extended-api",
    "build-state-hashes",
    "disable-ntp",
    "log-fsm",
    "log-network",
  ];
  if (!isMining) switches.push("disable-miner");
  if (isLight) switches.push("enable-light-mode");
  return [
    ...Object.entries(valued).flatMap(([flag, value]) => [`-${flag}`, value]),
    ...switches.map((flag) => `-${flag}`),
  ];
}
