import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { parseNetwork, parseSettingsJson } from "../../src/network/parse-network.ts";
import { encodeBlock, parseBlock } from "../../src/protocol/blocks/parse-block.ts";
import { votingWindow } from "../../src/rules/consensus/feature-voting.ts";
import { type TestNode, testNode } from "../support/builders/test-node.ts";
import { fixtureText } from "../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../support/fixtures/rest/recorded-chain.ts";

const tipHeight = 105;
const settings = fixtureText("private-a/network.json");
let node: TestNode;

beforeAll(async () => {
  const database = await recordedReadModel();
  const later = database.prepare("UPDATE feature SET activation_height = ?1 WHERE id = ?2");
  await database.batch([later.bind(tipHeight + 1, 22), later.bind(tipHeight + 1, 23)]);
  node = testNode({ database, network: settings });
});

async function featureJson(id: number, asked = node): Promise<object | undefined> {
  const response = await asked.fetch("/activation/status");
  const { features } = (await response.json()) as { features: { id: number }[] };
  return features.find((feature) => feature.id === id);
}

test("a feature that votes approved waits for its height as approved", async () => {
  expect(await featureJson(22)).toEqual({
    id: 22,
    description: "Light Node",
    blockchainStatus: "APPROVED",
    nodeStatus: "VOTED",
    activationHeight: tipHeight + 1,
  });
});

test("a feature that the settings put in force later counts as voted on, with its height", async () => {
  expect(await featureJson(23)).toEqual({
    id: 23,
    description: "Boost Block Reward",
    blockchainStatus: "VOTING",
    nodeStatus: "IMPLEMENTED",
    activationHeight: tipHeight + 1,
    supportingBlocks: 0,
  });
});

test("a feature that this release does not have is told so, whatever the chain decided", async () => {
  const database = await recordedReadModel();
  await database.prepare("INSERT INTO feature (id, activation_height) VALUES (?1, ?2)").bind(76, tipHeight).run();
  const later = testNode({ database, network: settings });
  const { features } = (await (await later.fetch("/activation/status")).json()) as { features: { id: number }[] };
  expect(features.find(({ id }) => id === 76)).toMatchObject({
    blockchainStatus: "ACTIVATED",
    nodeStatus: "NOT_IMPLEMENTED",
    activationHeight: tipHeight,
  });
});

test("votes are those of the running window, of unknown features too", async () => {
  const database = await recordedReadModel();
  const { functionality } = parseNetwork(parseSettingsJson(settings), "private").blockchain;
  const { from } = votingWindow(tipHeight, functionality);
  const vote = database.prepare(
    "INSERT OR REPLACE INTO feature_vote (feature, window_start, votes) VALUES (?1, ?2, ?3)",
  );
  await database.batch([vote.bind(99, from, 3), vote.bind(99, 1, 7), vote.bind(100, 1, 5), vote.bind(101, from, 1)]);
  const later = testNode({ database, network: settings });
  const { features } = (await (await later.fetch("/activation/status")).json()) as {
    features: { id: number; supportingBlocks?: number }[];
  };
  const votes = features.filter(({ id }) => id >= 99).map(({ id, supportingBlocks }) => [id, supportingBlocks]);
  expect(votes).toEqual([
    [99, 3],
    [101, 1],
  ]);
});

test("a window that doubles shows the votes of the shorter one that it holds", async () => {
  const database = await recordedReadModel();
  const custom = JSON.parse(settings);
  const period = 20;
  Object.assign(custom.waves.blockchain.custom.functionality, {
    "feature-check-blocks-period": period,
    "blocks-for-feature-activation": 1,
    "double-features-periods-after-height": 102,
  });
  const vote = database.prepare(
    "INSERT OR REPLACE INTO feature_vote (feature, window_start, votes) VALUES (?1, ?2, ?3)",
  );
  // At height 105 the blocks 81 to 120 vote together; up to height 102 it was 101 to 120.
  await database.batch([vote.bind(99, 61, 9), vote.bind(99, 81, 4), vote.bind(99, 101, 2), vote.bind(100, 101, 1)]);
  const doubled = testNode({ database, network: JSON.stringify(custom) });
  expect(await featureJson(99, doubled)).toMatchObject({ supportingBlocks: 6 });
  expect(await featureJson(100, doubled)).toMatchObject({ supportingBlocks: 1 });
});

test("another block of the same height has its own votes", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const database = await recordedReadModel();
  const { functionality } = parseNetwork(parseSettingsJson(settings), "private").blockchain;
  const { from } = votingWindow(tipHeight, functionality);
  const asked = testNode({ database, network: settings });
  const votesOf = async () => ((await featureJson(99, asked)) as { supportingBlocks?: number })?.supportingBlocks;
  await database
    .prepare("INSERT OR REPLACE INTO feature_vote (feature, window_start, votes) VALUES (99, ?1, 3)")
    .bind(from)
    .run();
  expect(await votesOf()).toBe(3);
  await database.prepare("UPDATE feature_vote SET votes = 2 WHERE feature = 99").run();
  await database.prepare("UPDATE chain SET version = 'fork:0', sequence = sequence + 1").run();
  vi.setSystemTime(Date.now() + 1_000);
  expect(await votesOf()).toBe(2);
});

test("everything is read of one state", async () => {
  const database = await recordedReadModel();
  let batches = 0;
  const session = {
    prepare: (sql: string) => database.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => {
      batches++;
      return database.batch(statements);
    },
    getBookmark: () => null,
  };
  const counted = { ...database, withSession: () => session } as unknown as D1Database;
  const asked = testNode({ database: counted, network: settings });
  expect((await asked.fetch("/activation/status")).status).toBe(200);
  expect(batches).toBe(1);
});

test("a tip that names a feature twice votes once, as long as it is the tip", async () => {
  const database = await recordedReadModel();
  const { blockchain } = parseNetwork(parseSettingsJson(settings), "private");
  const { functionality, chainId } = blockchain;
  const { from } = votingWindow(tipHeight, functionality);
  const { results } = await database
    .prepare("SELECT header FROM block WHERE height = ?1")
    .bind(tipHeight)
    .run<{ readonly header: number[] }>();
  const tip = parseBlock(Uint8Array.from(results[0]?.header ?? []), chainId);
  const header = encodeBlock({ ...tip, header: { ...tip.header, featureVotes: [99, 100, 99] } }, chainId);
  const vote = database.prepare("INSERT INTO feature_vote (feature, window_start, votes) VALUES (?1, ?2, ?3)");
  await database.batch([
    vote.bind(99, from, 5),
    vote.bind(100, from, 2),
    database.prepare("UPDATE block SET header = ?1 WHERE height = ?2").bind(header, tipHeight),
  ]);
  const voting = testNode({ database, network: settings });
  expect(await featureJson(99, voting)).toMatchObject({ supportingBlocks: 4 });
  expect(await featureJson(100, voting)).toMatchObject({ supportingBlocks: 2 });
});
