import { describe, expect, test } from "vitest";
import type { NodeStatus } from "../../src/env.ts";
import { devSettings } from "../../src/network/dev-settings.ts";
import { privateNetwork } from "../../src/network/networks/private.ts";
import { findProblems, type HealthInput } from "../../src/routes/health.ts";
import { genesisText } from "../../src/tables/chain.ts";
import { d1Double } from "../../verification/sqlite/d1-double.ts";
import { putChain } from "../support/builders/put-chain.ts";
import { testNode } from "../support/builders/test-node.ts";
import { idlePeers } from "../support/fakes/idle-peers.ts";

const nowMs = 1_700_000_000_000;
const resting: NodeStatus = {
  ...{ height: 10, tipTimestampMs: nowMs - 5_000, isStopped: false, unpublishedMs: 0, unconfirmed: 0 },
};
const healthy: HealthInput = {
  node: resting,
  published: { height: 10, epoch: 0 },
  peers: undefined,
  nowMs,
  network: privateNetwork,
};
const problemsOf = (facts: Partial<HealthInput>) => findProblems({ ...healthy, ...facts });

describe("a node is healthy", () => {
  test.each<[string, Partial<HealthInput>]>([
    ["with a young tip that readers see", {}],
    ["while a failed publication is tried again", { node: { ...resting, unpublishedMs: 90_000 } }],
    ["while its newest blocks are on their way to the read model", { published: { height: 8, epoch: 0 } }],
    ["when chance takes its time", { nowMs: nowMs + 94_000 }],
    [
      "when the owner of a dev chain makes no blocks",
      { nowMs: nowMs + 10 ** 12, network: devSettings(privateNetwork) },
    ],
  ])("%s", (_, facts) => {
    expect(problemsOf(facts)).toEqual([]);
  });
});

describe("a node says what is wrong", () => {
  test.each<[string, Partial<HealthInput>, string]>([
    [
      "when ChainState cannot start",
      { node: undefined },
      "ChainState does not start or does not answer; its log says why",
    ],
    [
      "when readers see nothing",
      { published: { reason: "the database did not answer" } },
      "readers see nothing: the database did not answer",
    ],
    ["when publication has stopped", { published: { height: 7, epoch: 0 } }, "the read model is 3 blocks behind"],
    [
      "when changes that make no block wait for long",
      { node: { ...resting, unpublishedMs: 91_500 } },
      "the read model has lacked changes for 91 s",
    ],
    [
      "when the read model is ahead of the chain",
      { published: { height: 11, epoch: 0 } },
      "the read model shows height 11, which the chain does not have",
    ],
    ["when its tip stands still", { nowMs: nowMs + 96_000 }, "no block for 101 s"],
  ])("%s", (_, facts, sentence) => {
    expect(problemsOf(facts)).toEqual([sentence]);
  });

  test("when its owner has stopped it", () => {
    const node = { height: 10, tipTimestampMs: nowMs - 101_000, isStopped: true, unpublishedMs: 0, unconfirmed: 0 };
    expect(problemsOf({ node })).toEqual(["no block for 101 s: its owner has stopped it"]);
  });

  const { node } = privateNetwork;
  const network = { ...privateNetwork, node: { ...node, miner: { ...node.miner, quorum: 2 } } };
  const later = { network, nowMs: nowMs + 96_000 };

  test("when it could only hear of blocks from peers that it does not have", () => {
    expect(problemsOf(later)).toEqual(["no block for 101 s: no peer is connected, and private requires 2 to forge"]);
  });

  test("when it has too few peers", () => {
    const peers = { height: 10, blocksAhead: 0, connectedPeers: 1 };
    expect(problemsOf({ ...later, peers })).toEqual([
      "no block for 101 s: 1 peer is connected, and private requires 2 to forge",
    ]);
    expect(problemsOf({ ...later, peers: { ...peers, connectedPeers: 2 } })).toEqual(["no block for 101 s"]);
  });

  test("when it is behind its peers", () => {
    const peers = { height: 10, blocksAhead: 90, connectedPeers: 1 };
    expect(problemsOf({ ...later, peers })).toEqual(["no block for 101 s: 90 blocks behind its peers"]);
    expect(problemsOf({ peers })).toEqual([]);
  });

  test("when PeerHub does not answer", () => {
    expect(problemsOf({ peers: "unreachable" })).toEqual([
      "PeerHub does not start or does not answer; its log says why",
    ]);
  });
});

describe("/health", () => {
  const genesis = genesisText(privateNetwork.blockchain);
  const database = (height: number, row: Omit<Parameters<typeof putChain>[1], "height"> = {}) => {
    const { d1, sqlite } = d1Double();
    putChain(sqlite, { height, genesis, ...row });
    return d1;
  };
  const standing = async () => ({
    height: 7,
    tipTimestampMs: Date.now(),
    isStopped: false,
    unpublishedMs: 0,
    unconfirmed: 0,
  });

  test("is 200 for a node that works, and nothing keeps the answer", async () => {
    const response = await testNode({ database: database(7), network: "private", node: { status: standing } }).fetch(
      "/health",
    );
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ status: "ok", problems: [], height: 7, readHeight: 7 });
  });

  test("tells how far readers are behind", async () => {
    const ahead = async () => ({ ...(await standing()), height: 8, unpublishedMs: 40 });
    const node = testNode({ database: database(7), network: "private", node: { status: ahead } });
    expect(await (await node.fetch("/health")).json()).toMatchObject({
      ...{ status: "ok", height: 8, readHeight: 7, readLagBlocks: 1, readLagMs: 40 },
    });
  });

  test("knows no lag of a read model that shows nothing", async () => {
    const node = testNode({
      database: database(7, { isWhole: false }),
      network: "private",
      node: { status: standing },
    });
    expect(await (await node.fetch("/health")).json()).toMatchObject({ readLagBlocks: null, readLagMs: null });
  });

  test("tells of the peers, where the node has any", async () => {
    const facts = { database: database(7), network: "private", node: { status: standing } };
    expect(await (await testNode(facts).fetch("/health")).json()).toMatchObject({
      ...{ status: "ok", connectedPeers: null, blocksAhead: null },
    });
    const progress = async () => ({ height: 7, blocksAhead: 3, connectedPeers: 2 });
    const node = testNode({ ...facts, peers: { ...idlePeers, progress } });
    expect(await (await node.fetch("/health")).json()).toMatchObject({
      ...{ status: "ok", connectedPeers: 2, blocksAhead: 3 },
    });
  });

  test("is 503 where PeerHub does not answer", async () => {
    const progress = () => Promise.reject(new Error("overloaded"));
    const facts = { database: database(7), network: "private", node: { status: standing } };
    const response = await testNode({ ...facts, peers: { ...idlePeers, progress } }).fetch("/health");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      ...{ problems: [expect.stringMatching(/^PeerHub does not/)], height: 7, connectedPeers: null },
    });
  });

  test("is 503 where /node/status still shows the last height: the object does not start", async () => {
    const broken = { status: () => Promise.reject(new Error("SQLITE_CORRUPT")) };
    const node = testNode({ database: database(7), network: "private", node: broken });
    expect((await node.fetch("/blocks/height")).status).toBe(200);
    const response = await node.fetch("/health");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ status: "failing", height: null, readHeight: 7 });
  });

  test.each<[string, Parameters<typeof database>[1], string]>([
    ["another chain's", { genesis: "another" }, "the database shows another chain: another/drawn"],
    ["an earlier release's", { identity: "" }, "the database is of an earlier release, and is about to be rewritten"],
    [
      "being rewritten",
      { isWhole: false, progress: "3 of 19 tables" },
      "the database shows no whole state yet: 3 of 19 tables",
    ],
  ])("is 503 and says so when the read model is %s", async (_, row, reason) => {
    const node = testNode({ database: database(7, row), network: "private", node: { status: standing } });
    const response = await node.fetch("/health");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      ...{ status: "failing", problems: [`readers see nothing: ${reason}`] },
      ...{ height: 7, readHeight: null },
    });
  });

  test("is 503 when no chain is published and ChainState does not publish one", async () => {
    const wake = () => Promise.reject(new Error("SQLITE_CORRUPT"));
    const response = await testNode({
      database: d1Double().d1,
      network: "private",
      node: { status: standing, wake },
    }).fetch("/health");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      problems: ["readers see nothing: no state of the chain could be published"],
    });
  });

  test("is 503 when the tip stands still", async () => {
    const node = testNode({ database: database(1), network: "private" });
    const response = await node.fetch("/health");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ problems: [expect.stringMatching(/^no block for/)] });
  });
});
