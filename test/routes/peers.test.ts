/** Peers of a node, and the owner's actions on them. */
import { describe, expect, test, vi } from "vitest";
import type { PeersRpc } from "../../src/env.ts";
import { privateNetwork, privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { genesisText } from "../../src/tables/chain.ts";
import { d1Double } from "../../verification/sqlite/d1-double.ts";
import { putChain } from "../support/builders/put-chain.ts";
import { type TestNode, testNode } from "../support/builders/test-node.ts";
import { idlePeers } from "../support/fakes/idle-peers.ts";

const key = { "X-API-Key": privateNetworkSecrets.apiKey };

function nodeWith(peers: Partial<PeersRpc>): TestNode {
  const { d1, sqlite } = d1Double();
  putChain(sqlite, { height: 7, genesis: genesisText(privateNetwork.blockchain) });
  const variables = { API_KEY_HASH: privateNetworkSecrets.apiKeyHash };
  return testNode({ database: d1, network: "private", peers: { ...idlePeers, ...peers }, variables });
}

async function responseText(node: TestNode, path: string, init?: RequestInit): Promise<string> {
  // The private network's key opens nothing under a host's own name.
  const response = await node.fetch(path, init);
  return `${response.status} ${await response.text()}`;
}

function posted(body: unknown): RequestInit {
  return { method: "POST", headers: { ...key, "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

describe("lists", () => {
  const timestampMs = 1_700_000_000_000;

  test("of known nodes have their addresses as the reference writes them, the newest first", async () => {
    const known = async () => [
      { address: "10.1.2.3:6868", lastSeenMs: timestampMs + 1 },
      { address: "[2001:db8:0:0:0:0:0:1]:6863", lastSeenMs: timestampMs },
    ];
    expect(await responseText(nodeWith({ known }), "/peers/all")).toBe(
      '200 {"peers":[{"address":"/10.1.2.3:6868","lastSeen":1700000000001},' +
        '{"address":"/[2001:db8:0:0:0:0:0:1]:6863","lastSeen":1700000000000}]}',
    );
  });

  test("of connected nodes tell what they say of themselves", async () => {
    const told = { name: "a node", applicationName: "wavesR", applicationVersion: "1.5.7" };
    const connected = async () => [
      { ...told, address: "10.1.2.3:51234", declaredAddress: "10.1.2.3:6868", nonce: -(2n ** 63n) },
      { ...told, address: "10.1.2.4:51235", declaredAddress: undefined, nonce: 7n },
    ];
    const rest = '"applicationName":"wavesR","applicationVersion":"1.5.7"';
    expect(await responseText(nodeWith({ connected }), "/peers/connected")).toBe(
      '200 {"peers":[{"address":"/10.1.2.3:51234","declaredAddress":"/10.1.2.3:6868","peerName":"a node",' +
        `"peerNonce":-9223372036854775808,${rest}},{"address":"/10.1.2.4:51235","declaredAddress":"N/A",` +
        `"peerName":"a node","peerNonce":7,${rest}}]}`,
    );
  });

  test("of nodes that are shut out or left alone are not in an object", async () => {
    const blacklisted = async () => [{ host: "10.1.2.3", timestampMs, reason: "it is slow" }];
    const suspended = async () => [{ host: "fe80:0:0:0:0:0:1:0", timestampMs }];
    const node = nodeWith({ blacklisted, suspended });
    expect(await responseText(node, "/peers/blacklisted")).toBe(
      '200 [{"hostname":"/10.1.2.3","timestamp":1700000000000,"reason":"it is slow"}]',
    );
    expect(await responseText(node, "/peers/suspended")).toBe(
      '200 [{"hostname":"/fe80:0:0:0:0:0:1:0","timestamp":1700000000000}]',
    );
  });

  test("end after a thousand, except that of connected nodes", async () => {
    const many = <Item>(item: Item) => Array<Item>(1_001).fill(item);
    const told = { declaredAddress: undefined, name: "", nonce: 1n, applicationName: "wavesR" };
    const node = nodeWith({
      known: async () => many({ address: "10.0.0.1:1", lastSeenMs: 1 }),
      connected: async () => many({ address: "10.0.0.1:1", ...told, applicationVersion: "1.5.7" }),
      blacklisted: async () => many({ host: "10.0.0.1", timestampMs, reason: "" }),
      suspended: async () => many({ host: "10.0.0.1", timestampMs }),
    });
    const countOf = async (name: string) => (await responseText(node, `/peers/${name}`)).split("/10.0.0.1").length - 1;
    expect(await Promise.all(["all", "connected", "blacklisted", "suspended"].map(countOf))).toEqual([
      1_000, 1_001, 1_000, 1_000,
    ]);
  });
});

describe("connecting", () => {
  test("is begun, and not waited for", async () => {
    const connect = vi.fn<PeersRpc["connect"]>(async () => true);
    const node = nodeWith({ connect });
    expect(await responseText(node, "/peers/connect", posted({ host: "node.example", port: 6868 }))).toBe(
      '200 {"hostname":"node.example","status":"Trying to connect"}',
    );
    expect(connect.mock.calls).toEqual([["node.example", 6868]]);
  });

  test.each([
    ["127.0.0.1", "127.0.0.1", "localhost"],
    ["", "localhost", "localhost"],
    ["[::1]", "[::1]", "0:0:0:0:0:0:0:1"],
    ["10.255.1.2", "10.255.1.2", "10.255.1.2"],
  ])("tells the host as the reference does: %s", async (host, asked, told) => {
    const connect = vi.fn<PeersRpc["connect"]>(async () => true);
    const answer = await responseText(nodeWith({ connect }), "/peers/connect", posted({ host, port: 17_999 }));
    expect(answer).toBe(`200 {"hostname":"${told}","status":"Trying to connect"}`);
    expect(connect.mock.calls).toEqual([[asked, 17_999]]);
  });

  test("wants a port that there is, and a host that there is", async () => {
    const connect = vi.fn<PeersRpc["connect"]>(async () => false);
    const node = nodeWith({ connect });
    expect(await responseText(node, "/peers/connect", posted({ host: "node.example", port: 65_536 }))).toBe(
      '400 {"error":199,"message":"port out of range:65536"}',
    );
    expect(await responseText(node, "/peers/connect", posted({ host: "node.example", port: -1 }))).toBe(
      '400 {"error":199,"message":"port out of range:-1"}',
    );
    expect(connect).not.toHaveBeenCalled();
    expect(await responseText(node, "/peers/connect", posted({ host: "nobody.invalid", port: 1 }))).toBe(
      '500 {"error":0,"message":"Error is unknown"}',
    );
  });
});

describe("shutting out", () => {
  const shutOut = (node: TestNode, body: string) =>
    responseText(node, "/debug/blacklist", { method: "POST", headers: key, body });

  test("takes a name or an address, with or without a port", async () => {
    const blacklist = vi.fn<PeersRpc["blacklist"]>(async () => true);
    const node = nodeWith({ blacklist });
    for (const body of ["10.1.2.3:6868", "10.1.2.3", "node.example:6868", "[2001:db8::1]:6868", "[::1]"])
      expect(await shutOut(node, body)).toBe("200 OK");
    expect(blacklist.mock.calls).toEqual([["10.1.2.3"], ["10.1.2.3"], ["node.example"], ["[2001:db8::1]"], ["[::1]"]]);
  });

  test("refuses what names no host", async () => {
    const refused = "400 The request contains bad syntax or cannot be fulfilled.";
    const blacklist = vi.fn<PeersRpc["blacklist"]>(async () => false);
    const node = nodeWith({ blacklist });
    for (const body of ["", "a b", "10.1.2.3:port", '{"host":1}']) expect(await shutOut(node, body)).toBe(refused);
    expect(blacklist).not.toHaveBeenCalled();
    expect(await shutOut(node, "nobody.invalid")).toBe(refused);
  });

  test("is undone for all hosts at once", async () => {
    const clearBlacklist = vi.fn(async () => {});
    const node = nodeWith({ clearBlacklist });
    expect(await responseText(node, "/peers/clearblacklist", { method: "POST" })).toContain('"error":2');
    expect(clearBlacklist).not.toHaveBeenCalled();
    expect(await responseText(node, "/peers/clearblacklist", { method: "POST", headers: key })).toBe(
      '200 {"result":"blacklist cleared"}',
    );
    expect(clearBlacklist).toHaveBeenCalledOnce();
  });
});

describe("what the node is at", () => {
  const best = { address: "10.1.2.3:6868", score: 9_007_199_254_740_993n };
  const about = async (more: Partial<Awaited<ReturnType<PeersRpc["activity"]>>>) => {
    const activity = async () => ({ ...(await idlePeers.activity()), ...more });
    return (await nodeWith({ activity }).fetch("/debug/info", { headers: key })).json();
  };

  test("is told in the reference's words", async () => {
    expect(await about({})).toEqual({
      stateHeight: 1,
      extensionLoaderState: "State(Idle,Idle)",
      historyReplierCacheSizes: { blocks: 0, microBlocks: 0 },
      microBlockSynchronizerCacheSizes: { microBlockOwners: 0, nextInvs: 0, awaiting: 0, successfullyReceived: 0 },
      scoreObserverStats: { localScore: 0, currentBestChannel: "None", scoresCacheSize: 0 },
      minerState: "disabled",
    });
    const microBlocks = { announced: 4, bases: 3, awaited: 2, validated: 1 };
    expect(await about({ best, scores: 2, cachedBlocks: 7, cachedMicroBlocks: 8, microBlocks })).toMatchObject({
      extensionLoaderState: "State(Idle,Idle)",
      historyReplierCacheSizes: { blocks: 7, microBlocks: 8 },
      microBlockSynchronizerCacheSizes: { microBlockOwners: 4, nextInvs: 3, awaiting: 2, successfullyReceived: 1 },
      scoreObserverStats: { currentBestChannel: "Some(10.1.2.3:6868)", scoresCacheSize: 2 },
    });
  });

  test.each([
    [{ isRequestingIds: true }, "State(ExpectingSignatures(BestChannel([10.1.2.3:6868],9007199254740993)),Idle)"],
    [
      { isRequestingIds: true, missingBlocks: 5, isApplying: true },
      "State(ExpectingBlocks(BestChannel([10.1.2.3:6868],9007199254740993),expected=5),Applying)",
    ],
    [{ isApplying: true }, "State(Idle,Applying)"],
  ])("while it follows: %o", async (more, state) => {
    expect(await about({ best, ...more })).toMatchObject({ extensionLoaderState: state });
  });
});

describe("a PeerHub that does not answer", () => {
  test("is asked again where the platform says that this helps", async () => {
    const known = vi
      .fn<PeersRpc["known"]>(async () => [])
      .mockRejectedValueOnce(Object.assign(new Error("moved"), { retryable: true }));
    expect(await responseText(nodeWith({ known }), "/peers/all")).toBe('200 {"peers":[]}');
    expect(known).toHaveBeenCalledTimes(2);
  });

  test("is no reason to make anything up", async () => {
    const known = () => Promise.reject(new Error("overloaded"));
    expect(await responseText(nodeWith({ known }), "/peers/all")).toMatch(/^503 /);
  });
});
