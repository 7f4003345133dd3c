/** Finality by a generator set as clients see it: a chain that is published as it grows. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { addressText } from "../../../src/crypto/address.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { referenceSettings } from "../../../src/network/reference-settings.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { MAX_AGE_MS } from "../../../src/read-model/latest-state.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { addressOf, Committee, committeeSettings, waves } from "../../support/builders/committee.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";

let committee: Committee;
let worker: TestNode;

beforeAll(async () => {
  const { d1 } = d1Double();
  const blockchain = committeeSettings({});
  vi.useFakeTimers({ toFake: ["Date"], now: Number(blockchain.genesis.blockTimestampMs) + 100_000_000_000 });
  committee = Committee.committed({ readModel: d1Sink(d1) });
  const network = jsonText({ waves: referenceSettings({ ...privateNetwork, name: "committee", blockchain }) });
  worker = testNode({ database: d1, network, variables: { WAITS_FOR_RUNNER: "yes" } });
  await waitUntilPublished();
});
afterAll(() => vi.useRealTimers());

/** Waits until readers see the appended blocks. */
async function waitUntilPublished(): Promise<void> {
  await committee.node.node.drain();
  vi.setSystemTime(Date.now() + 2 * MAX_AGE_MS);
}

async function getResult<Answer>(path: string): Promise<Answer> {
  return (await (await worker.fetch(path)).json()) as Answer;
}
const finalHeight = async () => (await getResult<{ height: number }>("/blocks/height/finalized")).height;
const isImmutable = async (path: string) =>
  (await worker.fetch(path)).headers.get("Cache-Control")?.includes("immutable") === true;
const detailsOf = (index: number) =>
  getResult<Record<string, number>>(`/addresses/balance/details/${addressText(addressOf(committee.key(index)))}`);
const generatorsAt = (height: number) =>
  getResult<{ address: string; balance?: number; conflictHeight?: number }[]>(`/generators/at/${height}`);

test("committed generators are shown with the next period, and their deposit is not available", async () => {
  const addresses = committee.keys.map((key) => addressText(addressOf(key)));
  expect((await generatorsAt(3)).map(({ address, balance }) => [address, balance])).toEqual(
    addresses.map((address) => [address, undefined]),
  );
  const { regular, available, effective } = await detailsOf(1);
  expect(BigInt((regular as number) - (available as number))).toBe(100n * waves);
  expect(effective).toBe(available);
});

test("a block is final from the second one on behind it, if two thirds endorse it in the next", async () => {
  const voting = committee.voting({ endorsers: [1] });
  committee.append(0, { finalizationVoting: voting });
  await waitUntilPublished();
  expect(await finalHeight()).toBe(1);
  expect(await getResult("/blocks/headers/last")).toMatchObject({
    height: 3,
    finalizationVoting: { endorserIndexes: [1], finalizedHeight: 1 },
  });
  expect((await generatorsAt(3)).map(({ balance }) => balance)).not.toContain(0);

  committee.append(0, {
    finalizationVoting: committee.voting({ conflicts: [committee.conflict(1)] }),
  });
  await waitUntilPublished();
  expect(await finalHeight()).toBe(2);
  expect(await getResult("/blocks/finalized/at/3")).toEqual({ height: 2 });
  expect(await getResult("/blocks/headers/finalized")).toMatchObject({ height: 2 });
  expect([await isImmutable("/blocks/at/2"), await isImmutable("/blocks/at/3")]).toEqual([true, false]);
});

test("who contradicts the chain counts for nothing at once, and has lost its deposit in the block after", async () => {
  const [, out] = await generatorsAt(4);
  expect(out).toMatchObject({ balance: 0, conflictHeight: 4 });
  expect((await getResult<{ currentGenerators: object[] }>("/blockchain/finality")).currentGenerators[1]).toMatchObject(
    {
      balance: 0,
      conflictHeight: 4,
    },
  );
  const before = await detailsOf(1);
  committee.append(0);
  await waitUntilPublished();
  const after = await detailsOf(1);
  expect(BigInt((before["regular"] as number) - (after["regular"] as number))).toBe(100n * waves);
  expect(after["available"]).toBe(after["regular"]);
});

test("what an owner takes back of what was final is not kept for good any more", async () => {
  expect(await isImmutable("/blocks/at/2")).toBe(true);
  committee.node.node.rollBack(1, { isForced: true });
  await waitUntilPublished();
  expect(await finalHeight()).toBe(1);
  expect(await worker.fetch("/blocks/at/2").then(({ status }) => status)).toBe(404);
});
