import { beforeAll, expect, test } from "vitest";
import { fixtureText } from "../recorded-lines.ts";
import { recordedReadModel } from "./recorded-chain.ts";
import { type TestNode, testNode } from "./test-node.ts";

const tipHeight = 105;
let node: TestNode;

beforeAll(async () => {
  const database = await recordedReadModel();
  const later = database.prepare("UPDATE feature SET activation_height = ?1 WHERE id = ?2");
  await database.batch([later.bind(tipHeight + 1, 22), later.bind(tipHeight + 1, 23)]);
  node = testNode({ database, network: fixtureText("private-a/network.json") });
}, 60_000);

async function featureJson(id: number): Promise<object | undefined> {
  const answer = await node.fetch("/activation/status");
  const { features } = (await answer.json()) as { features: { id: number }[] };
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
  await database.prepare("INSERT INTO feature (id, activation_height) VALUES (?1, ?2)").bind(25, tipHeight).run();
  const later = testNode({ database, network: fixtureText("private-a/network.json") });
  const { features } = (await (await later.fetch("/activation/status")).json()) as { features: { id: number }[] };
  expect(features.find(({ id }) => id === 25)).toMatchObject({
    blockchainStatus: "ACTIVATED",
    nodeStatus: "NOT_IMPLEMENTED",
    activationHeight: tipHeight,
  });
});
