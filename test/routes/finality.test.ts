/** Who generates, and what is final, as clients are told of it. The rules that fill the tables have their own tests. */
import { beforeAll, describe, expect, test } from "vitest";
import { d1Double, putRows } from "../../scripts/tools/sqlite/d1-double.ts";
import { addressOfPublicKey, addressText } from "../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../src/crypto/base58.ts";
import { blsVerify } from "../../src/crypto/bls.ts";
import type { PublicKey } from "../../src/crypto/identities.ts";
import { Feature } from "../../src/network/features.ts";
import type { BlockId } from "../../src/protocol/blocks/block.ts";
import { proofOfPossessionMessage } from "../../src/protocol/transactions/proof-of-possession.ts";
import type { TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { withPreActivated } from "../../src/read-model/feature.ts";
import { blockTable } from "../../src/tables/blocks.ts";
import { commitmentTable, generatorBalanceTable, generatorConflictTable } from "../../src/tables/commitments.ts";
import { featureTable } from "../../src/tables/features.ts";
import { putChain } from "../read-model/put-chain.ts";
import { fixtureText } from "../recorded-lines.ts";
import { genesisOfFile, type TestNode, testNode } from "./test-node.ts";

/** Periods are of 10 blocks. */
const network = networkWith({ "generation-period-length": 10 });
const activation = 5;
/** Of the first period that can be committed to: [16, 25]. The next one is [26, 35]. */
const periodStart = 16;
const tip = 20;
const chainId = 82;
const waves = 100_000_000n;

function networkWith(functionality: object): string {
  const file = JSON.parse(fixtureText("private-a/network.json"));
  Object.assign(file.waves.blockchain.custom.functionality, functionality);
  return JSON.stringify(file);
}

const bytes = (size: number, value: number) => new Uint8Array(size).fill(value);
const publicKey = (value: number) => bytes(32, value) as Uint8Array as PublicKey;
const address = (value: number) => addressOfPublicKey(publicKey(value), chainId);
const committed = (value: number) => ({
  address: addressText(address(value)),
  transactionId: encodeBase58(bytes(32, 100 + value)),
});

function commitment(position: number, value: number, start = periodStart) {
  return {
    periodStart: start,
    position,
    address: address(value),
    publicKey: publicKey(value),
    endorserPublicKey: bytes(48, value),
    transactionId: bytes(32, 100 + value) as Uint8Array as TransactionId,
    height: 10,
  };
}

function block(height: number, finalizedHeight: number) {
  return {
    ...{ height, finalizedHeight, id: bytes(32, height) as Uint8Array as BlockId, header: bytes(1, 0) },
    ...{ timestamp: BigInt(height), generator: address(1), sizeBytes: 1, transactionCount: 0, totalFee: 0n },
    ...{ reward: 0n, rewardVote: -1n, rewardShares: [], vrf: undefined, wavesAmount: 0n },
    ...{ hitSource: bytes(0, 0), score: 0n, carryFee: 0n, stateHash: bytes(0, 0) as never },
  };
}

function nodeOf(
  facts: { readonly height?: number; readonly activationHeight?: number; readonly finalizedHeight?: number } = {},
): TestNode {
  const { d1, sqlite } = d1Double();
  const { height = tip, activationHeight = activation, finalizedHeight = 18 } = facts;
  putChain(sqlite, { genesis: genesisOfFile(network), height, finalizedHeight });
  putRows(sqlite, featureTable, [{ id: Feature.DeterministicFinality, activationHeight }]);
  putRows(sqlite, blockTable, [block(17, 1), block(18, 1), block(19, 18), block(20, 19)]);
  putRows(sqlite, commitmentTable, [
    commitment(0, 1),
    commitment(1, 2),
    commitment(2, 3),
    commitment(0, 3, 26),
    commitment(1, 4, 26),
  ]);
  putRows(sqlite, generatorBalanceTable, [
    { periodStart, position: 0, height: 16, balance: 5_000n * waves },
    { periodStart, position: 0, height: 19, balance: 9_007_199_254_740_993n },
    { periodStart, position: 1, height: 17, balance: 4_000n * waves },
    { periodStart, position: 1, height: 20, balance: 0n },
    { periodStart, position: 2, height: 16, balance: 3_000n * waves },
  ]);
  putRows(sqlite, generatorConflictTable, [{ periodStart, position: 2, height: 18 }]);
  return testNode({ database: d1, network });
}

let node: TestNode;
beforeAll(() => {
  node = nodeOf();
});

async function answerOf(path: string, of = node, headers: Record<string, string> = {}): Promise<string> {
  const answer = await of.fetch(path, { headers });
  return `${answer.status} ${await answer.text()}`;
}
const list = (...generators: readonly object[]) => `200 ${JSON.stringify(generators)}`;

describe("generators at a height", () => {
  test("are shown in the order of their indexes, with what they counted for then", async () => {
    expect(await answerOf("/generators/at/16")).toBe(
      list(
        { ...committed(1), balance: 500_000_000_000 },
        { ...committed(2), balance: 0 },
        { ...committed(3), balance: 300_000_000_000 },
      ),
    );
    expect(await answerOf("/generators/at/17")).toContain(
      JSON.stringify({ ...committed(2), balance: 400_000_000_000 }),
    );
  });

  test("count for nothing once they have contradicted themselves, that block included", async () => {
    const whole = { ...committed(3), balance: 300_000_000_000 };
    const out = { ...committed(3), balance: 0, conflictHeight: 18 };
    expect(await answerOf("/generators/at/17")).toContain(JSON.stringify(whole));
    expect(await answerOf("/generators/at/18")).toContain(JSON.stringify(out));
    expect(await answerOf("/generators/at/20")).toContain(JSON.stringify(out));
  });

  test("that are to come have no balance", async () => {
    expect(await answerOf("/generators/at/25")).toBe(
      list(committed(1), committed(2), { ...committed(3), conflictHeight: 18 }),
    );
    expect(await answerOf("/generators/at/26")).toBe(list(committed(3), committed(4)));
    expect(await answerOf("/generators/at/35")).toBe(list(committed(3), committed(4)));
  });

  test("are none in the first period, to which nobody can commit", async () => {
    for (const height of [activation, 15])
      expect(await answerOf(`/generators/at/${height}`), `${height}`).toBe("200 []");
  });

  test.each([0, activation - 1, 36, 2_147_483_647])("are not to be known at %i", async (height) => {
    expect(await answerOf(`/generators/at/${height}`)).toBe("404 []");
  });

  test("are not to be known at all before feature 25 is in force", async () => {
    const before = nodeOf({ activationHeight: tip + 1 });
    for (const height of [1, tip, tip + 1]) expect(await answerOf(`/generators/at/${height}`, before)).toBe("404 []");
  });

  test("have their balances as texts for whoever asks for that in any range, and as exact numbers otherwise", async () => {
    const accept = { Accept: "text/html, application/json;large-significand-format=string;q=0.5" };
    expect(await answerOf("/generators/at/20", node, accept)).toContain('"balance":"9007199254740993"');
    expect(await answerOf("/generators/at/20")).toContain('"balance":9007199254740993}');
  });

  test("stay what they are where the height is final", async () => {
    const cacheOf = async (height: number) =>
      (await node.fetch(`/generators/at/${height}`)).headers.get("Cache-Control") ?? "";
    expect(await cacheOf(19)).toBe(await cacheOf(20));
    expect(await cacheOf(18)).not.toBe(await cacheOf(20));
  });
});

describe("finality", () => {
  test("tells of both periods and who is in them", async () => {
    expect(await answerOf("/blockchain/finality")).toBe(
      `200 ${JSON.stringify({
        height: tip,
        finalizedHeight: 18,
        currentGenerationPeriod: { start: 16, end: 25 },
        currentGenerators: [
          { ...committed(1), balance: "exact", conflictHeight: null },
          { ...committed(2), balance: 0, conflictHeight: null },
          { ...committed(3), balance: 0, conflictHeight: 18 },
        ],
        nextGenerationPeriod: { start: 26, end: 35 },
        nextGenerators: [committed(3), committed(4)],
      }).replace('"exact"', "9007199254740993")}`,
    );
  });
});

describe("what was final at a height", () => {
  test("is what the votes by then say, and no lower than 100 blocks below", async () => {
    expect(await answerOf("/blocks/finalized/at/18")).toBe('200 {"height":1}');
    expect(await answerOf("/blocks/finalized/at/19")).toBe('200 {"height":18}');
    expect(await answerOf("/blocks/finalized/at/20")).toBe('404 {"error":406,"message":"Not finalized"}');
  });

  test("is not known of blocks that the node does not have", async () => {
    expect(await answerOf("/blocks/finalized/at/3")).toBe('404 {"error":301,"message":"block does not exist"}');
  });

  test("now is what the chain says", async () => {
    expect(await answerOf("/blocks/height/finalized")).toBe('200 {"height":18}');
  });
});

test("features that the settings put in force are, whatever a database of an earlier release says", () => {
  const preActivatedFeatures = new Map([
    [1, 0],
    [25, 0],
  ]);
  const heights = withPreActivated(new Map([[1, 7]]), { preActivatedFeatures });
  expect([...heights]).toEqual([
    [1, 7],
    [25, 0],
  ]);
});

test("whoever commits and names no period means the next one", async () => {
  const answer = await node.fetch("/transactions/sign", {
    method: "POST",
    headers: { "X-API-Key": "waves-private-node", "Content-Type": "application/json" },
    body: JSON.stringify({ type: 19, sender: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF" }),
  });
  const committed = (await answer.json()) as Record<string, string>;
  expect(committed).toMatchObject({ type: 19, generationPeriodStart: 26, fee: 10_000_000 });
  const key = decodeBase58(committed["endorserPublicKey"] as string);
  const proof = decodeBase58(committed["commitmentSignature"] as string);
  expect(blsVerify(key, proofOfPossessionMessage(key, 26), proof)).toBe(true);
});
