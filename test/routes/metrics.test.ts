import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { secureHash } from "../../src/crypto/hash.ts";
import type { PeersRpc } from "../../src/env.ts";
import { privateNetwork } from "../../src/network/networks/private.ts";
import { genesisText } from "../../src/tables/chain.ts";
import { d1Double } from "../../verification/sqlite/d1-double.ts";
import { putChain } from "../support/builders/put-chain.ts";
import { testNode } from "../support/builders/test-node.ts";
import { idlePeers } from "../support/fakes/idle-peers.ts";

const apiKey = "a key of the test";
const variables = { API_KEY_HASH: encodeBase58(secureHash(new TextEncoder().encode(apiKey))) };
const nodeStatus = async () => ({
  ...{ height: 8, tipTimestampMs: 1_700_000_000_500, isStopped: false, unpublishedMs: 250, unconfirmed: 4 },
});

function nodeAt(
  height: number,
  node: Parameters<typeof testNode>[0]["node"] = { status: nodeStatus },
  peers?: PeersRpc,
) {
  const { d1, sqlite } = d1Double();
  putChain(sqlite, { height, genesis: genesisText(privateNetwork.blockchain) });
  return testNode({ database: d1, network: "private", node, variables, ...(peers && { peers }) });
}

type Node = ReturnType<typeof nodeAt>;

async function linesOf(node: Node): Promise<string[]> {
  const response = await node.fetch("/metrics", { headers: { "X-API-Key": apiKey, Accept: "text/plain" } });
  expect(response.status).toBe(200);
  return (await response.text()).trimEnd().split("\n");
}

describe("/metrics", () => {
  test("wants the API key", async () => {
    expect((await nodeAt(7).fetch("/metrics")).status).toBe(403);
  });

  test("is in the form that Prometheus collects, and nothing keeps it", async () => {
    const response = await nodeAt(7).fetch("/metrics", { headers: { "X-API-Key": apiKey } });
    expect(response.headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    for (const line of (await response.text()).trimEnd().split("\n"))
      expect(line).toMatch(
        /^(# HELP \w+ .+|# TYPE \w+ (gauge|counter|histogram)|\w+(\{(\w+="[^"]*",?)+\})? [\d.e+-]+)$/,
      );
  });

  test("tells heights, and how far readers are behind", async () => {
    expect(await linesOf(nodeAt(7))).toEqual(
      expect.arrayContaining([
        "waves_chain_state_up 1",
        "waves_height 8",
        "waves_tip_timestamp_seconds 1700000000.5",
        "waves_pool_transactions 4",
        "waves_read_model_height 7",
        "waves_read_model_epoch 0",
        "waves_read_model_lag_blocks 1",
        "waves_read_model_lag_seconds 0.25",
      ]),
    );
  });

  test("leaves out what a ChainState would have to say that does not answer", async () => {
    const lines = await linesOf(nodeAt(7, { status: () => Promise.reject(new Error("SQLITE_CORRUPT")) }));
    expect(lines).toContain("waves_chain_state_up 0");
    expect(lines).toContain("waves_read_model_height 7");
    expect(lines.filter((line) => /waves_(height|read_model_lag)/.test(line))).toEqual([]);
  });

  test("tells of peers, where the node has any", async () => {
    const aboutPeers = async (peers?: PeersRpc) =>
      (await linesOf(nodeAt(7, { status: nodeStatus }, peers))).filter((line) =>
        /^waves_(peer|blocks_ahead)/.test(line),
      );
    expect(await aboutPeers()).toEqual([]);
    const progress = async () => ({ height: 8, blocksAhead: 5, connectedPeers: 3 });
    const blacklisted = async () => [{ host: "10.0.0.1", timestampMs: 1, reason: "slow" }];
    expect(await aboutPeers({ ...idlePeers, progress, blacklisted })).toEqual([
      "waves_peer_hub_up 1",
      "waves_peers_connected 3",
      "waves_peers_blacklisted 1",
      "waves_blocks_ahead 5",
    ]);
    const broken = () => Promise.reject(new Error("overloaded"));
    expect(await aboutPeers({ ...idlePeers, progress: broken, blacklisted: broken })).toEqual(["waves_peer_hub_up 0"]);
  });

  test("counts requests by route, status and tier, and names no URL", async () => {
    const node = nodeAt(7, { status: nodeStatus }, idlePeers);
    for (const path of ["/blocks/height", "/blocks/height", "/blocks/at/1?secret", "/nowhere/secret", "/node/version"])
      await node.fetch(path);
    await node.fetch("/transactions/unconfirmed/size");
    await node.fetch("/peers/all");
    const lines = await linesOf(node);
    const counts = lines.filter((line) => line.startsWith("waves_request_duration_seconds_count"));
    const named = (route: string, status: string, tier: string, count: number) =>
      `waves_request_duration_seconds_count{method="GET",route="${route}",status="${status}",tier="${tier}"} ${count}`;
    expect(counts).toEqual([
      named("/blocks/height", "2xx", "d1", 1),
      named("/blocks/height", "2xx", "kept", 1),
      named("/blocks/at/:height", "4xx", "d1", 1),
      named("", "4xx", "none", 1).replace('"GET"', '""'),
      named("/node/version", "2xx", "none", 1),
      named("/transactions/unconfirmed/size", "2xx", "chainState", 1),
      named("/peers/all", "2xx", "peerHub", 1),
    ]);
    expect(lines.join("\n")).not.toContain("secret");
    expect(lines).toContain('waves_kept_answers_total{result="hit"} 1');
  });
});
