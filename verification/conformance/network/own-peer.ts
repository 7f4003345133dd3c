/** This node as a peer, started in the way a user starts it. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type JsonObject, jsonText } from "../../../src/protocol/json.ts";
import { type StartedNode, startNode } from "../../local-node.ts";
import { loopback, type NetworkNode, type NodePlan, peerTimes } from "./network-node.ts";

/** Several attempts: after a kill, the old runtime needs a moment to notice. */
const startAttempts = 10;
const betweenAttemptsMs = 1_000;

/** @param flags additional flags of the first start, such as an import */
export function ownPeer(plan: NodePlan, flags: readonly string[] = []): NetworkNode {
  const { folder, name, peerPort, peers, isMining, isLight = false } = plan;
  const logFile = path.join(folder, "node.log");
  const settingsFile = path.join(folder, "network.json");
  mkdirSync(folder, { recursive: true });
  writeFileSync(settingsFile, jsonText(settings(plan)));
  appendFileSync(logFile, "");
  let running: StartedNode | undefined;
  let url = "";
  let isFirst = true;
  const ended = async (): Promise<void> => {
    if (running === undefined) return;
    await running.exited;
    running = undefined;
  };
  const startOnce = async (): Promise<void> => {
    const all = ["--network", settingsFile, "--data", path.join(folder, "data"), "--p2p-port", String(peerPort)];
    if (peers.length > 0) all.push("--peers", peers.join(","));
    if (!isMining) all.push("--no-mining");
    if (isLight) all.push("--light");
    running = await startNode([...all, ...(isFirst ? flags : [])]);
    const { process: child, ready } = running;
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text: Buffer) => appendFileSync(logFile, text));
    const end = (): void => void child.kill("SIGKILL");
    process.once("exit", end);
    void running.exited.then(() => process.off("exit", end));
    try {
      ({ url } = await ready());
    } catch (error) {
      await ended();
      throw error;
    }
  };
  return {
    name,
    kind: "ours",
    get url() {
      return url;
    },
    peerAddress: `${loopback}:${peerPort}`,
    declaredAddress: plan.declaredAddress,
    logFile,
    start: async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          await startOnce();
          break;
        } catch (error) {
          if (attempt === startAttempts) throw error;
          await pause(betweenAttemptsMs);
        }
      }
      isFirst = false;
    },
    stop: async () => {
      running?.process.kill("SIGINT");
      await ended();
    },
    kill: async () => {
      running?.process.kill("SIGKILL");
      await ended();
    },
  };
}

function settings({ network, declaredAddress, name, quorum = 0 }: NodePlan): JsonObject {
  const waves = network.json["waves"] as JsonObject;
  return {
    ...network.json,
    waves: {
      ...waves,
      miner: { ...(waves["miner"] as JsonObject), quorum },
      network: {
        "declared-address": declaredAddress,
        "node-name": name,
        "suspension-residence-time": peerTimes.suspension,
        "black-list-residence-time": peerTimes.blacklist,
        "peers-broadcast-interval": peerTimes.broadcast,
        "max-single-host-connections": 100,
      },
    },
  };
}
