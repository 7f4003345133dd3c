/** The reference node as a peer. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { type JsonObject, jsonText } from "../../../src/protocol/json.ts";
import { javaArguments } from "../reference-node.ts";
import { loopback, type NetworkNode, type NodePlan, peerTimes } from "./network-node.ts";
import { type MinerAccount, minerOf } from "./short-network.ts";
import { StartedProcess } from "./started-process.ts";

const heap = "512m";

/**
 * @param library folder with its jars
 * @param miner account that it forges with: by default its own
 */
export function referencePeer(library: string, plan: NodePlan, miner: MinerAccount = "reference"): NetworkNode {
  const { folder, name, restPort, peerPort } = plan;
  const url = `http://${loopback}:${restPort}`;
  const logFile = path.join(folder, "node.log");
  const settingsFile = path.join(folder, "node.conf");
  mkdirSync(folder, { recursive: true });
  // HOCON contains JSON.
  writeFileSync(settingsFile, jsonText(settings(plan, miner)));
  let running: StartedProcess | undefined;
  return {
    name,
    kind: "reference",
    url,
    peerAddress: `${loopback}:${peerPort}`,
    declaredAddress: plan.declaredAddress,
    logFile,
    start: async () => {
      const logging = ["-Dlogback.stdout.level=DEBUG", "-Dlogback.file.enabled=false"];
      const args = [...logging, ...javaArguments(library, heap, "Application", [settingsFile])];
      running = new StartedProcess({ command: "java", args, folder, logFile, readyUrl: `${url}/node/version` });
      await running.ready();
    },
    stop: async () => running?.stop(),
    kill: async () => running?.kill(),
  };
}

function settings(plan: NodePlan, account: MinerAccount): JsonObject {
  const { network, folder, name, restPort, peerPort, peers, isMining, isLight = false, quorum = 0 } = plan;
  const waves = network.json["waves"] as JsonObject;
  const miner = waves["miner"] as JsonObject;
  const { privateKey } = minerOf(network, account);
  return {
    waves: {
      ...waves,
      directory: path.join(folder, "data"),
      "enable-light-mode": isLight,
      network: {
        "bind-address": loopback,
        port: peerPort,
        "declared-address": plan.declaredAddress,
        "known-peers": peers,
        "node-name": name,
        "suspension-residence-time": peerTimes.suspension,
        "black-list-residence-time": peerTimes.blacklist,
        "peers-broadcast-interval": peerTimes.broadcast,
        "max-single-host-connections": 100,
        upnp: { enable: false },
      },
      // The wallet has no accounts until a request creates them.
      wallet: { seed: encodeBase58(privateNetworkSecrets.walletSeed), password: "unused" },
      "rest-api": {
        ...(waves["rest-api"] as JsonObject),
        enable: true,
        "bind-address": loopback,
        port: restPort,
      },
      miner: { ...miner, enable: isMining, quorum, "private-keys": [encodeBase58(privateKey)] },
      "ntp-server": "",
    },
    kamon: { enable: false },
    metrics: { enable: false },
  };
}
