/** Lists read in batches equal those read as a whole. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText, recordedLines } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

// So small that a batch has at most a block or a few transactions.
vi.mock("../../../src/routes/read-limit.ts", () => ({ readLimitBytes: 3000, sharedLimitBytes: 3000 }));

interface Listed {
  readonly id: string;
  readonly height: number;
}

let node: TestNode;
beforeAll(async () => {
  node = testNode({ database: await recordedReadModel(), network: fixtureText("private-a/network.json") });
});

const get = async <Answer>(path: string) => (await (await node.fetch(path)).json()) as Answer;
const generator = "3MGqWUDyZuENhGUK7MqcavBbgtTgfMeDzUW";
const busyAccount = "3M2JLttEykHDndrbdEuQja5noUKhrXxWbgw";

describe("lists that are read in parts", () => {
  test("a range of blocks has each block once, in order, as it is by itself", async () => {
    const blocks = await get<Listed[]>("/blocks/seq/6/105");
    expect(blocks.map(({ height }) => height)).toEqual(Array.from({ length: 100 }, (_, index) => index + 6));
    for (const height of [6, 50, 105]) expect(blocks[height - 6]).toEqual(await get(`/blocks/at/${height}`));
  });

  test("a range past the tip ends at the tip, and 0 stands for the tip", async () => {
    const heights = async (path: string) => (await get<Listed[]>(path)).map(({ height }) => height);
    expect(await heights("/blocks/seq/103/150")).toEqual([103, 104, 105]);
    expect(await heights("/blocks/seq/0/0")).toEqual([105]);
    expect(await heights("/blocks/seq/0/5")).toEqual([]);
    expect(await heights("/blocks/seq/200/250")).toEqual([]);
  });

  test("the blocks of one generator are those of the range that it generated", async () => {
    const all = await get<(Listed & { generator: string })[]>("/blocks/seq/6/105");
    const own = await get<Listed[]>(`/blocks/address/${generator}/6/105`);
    expect(own).toEqual(all.filter((block) => block.generator === generator));
    expect(own.length).toBeGreaterThan(10);
  });

  test("transactions by id come in the order of the ids, repetitions too", async () => {
    const ids = recordedLines<{ id: string }>("private-a/transactions.jsonl.gz").map(({ id }) => id);
    const asked = [...ids.slice(40, 80), ids[45] as string, ids[3] as string];
    const response = await node.fetch("/transactions/info", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ids: asked }),
    });
    expect(((await response.json()) as Listed[]).map(({ id }) => id)).toEqual(asked);
  });

  test("an account's transactions stop at the limit", async () => {
    const [all] = await get<[Listed[]]>(`/transactions/address/${busyAccount}/limit/1000`);
    expect(all.length).toBeGreaterThan(100);
    const [some] = await get<[Listed[]]>(`/transactions/address/${busyAccount}/limit/37`);
    expect(some).toEqual(all.slice(0, 37));
    expect(await get(`/transactions/address/${busyAccount}/limit/0`)).toEqual([[]]);
  });

  test("pages follow one another without a gap or a repetition, and end with an empty one", async () => {
    const [all] = await get<[Listed[]]>(`/transactions/address/${busyAccount}/limit/1000`);
    const walked: Listed[] = [];
    let page: Listed[];
    do {
      const after = walked.at(-1);
      const query = after === undefined ? "" : `?after=${after.id}`;
      [page] = await get<[Listed[]]>(`/transactions/address/${busyAccount}/limit/50${query}`);
      walked.push(...page);
    } while (page.length > 0);
    expect(walked).toEqual(all);
  });

  test("after a transaction of others comes what stands below its place, in its own block too", async () => {
    const [all] = await get<[Listed[]]>(`/transactions/address/${busyAccount}/limit/1000`);
    const own = new Set(all.map(({ id }) => id));
    const blocks = await get<{ readonly transactions: readonly Listed[] }[]>("/blocks/seq/6/105");
    const between = blocks.flatMap(({ transactions }) =>
      transactions.filter(({ id }, index) => !own.has(id) && own.has(transactions[index - 1]?.id ?? "")).slice(0, 1),
    );
    expect(between.length).toBeGreaterThan(10);
    for (const { id } of between) {
      const { transactions } = blocks.find((block) => block.transactions.some((one) => one.id === id)) ?? {};
      const below = transactions?.[transactions.findIndex((one) => one.id === id) - 1];
      const [page] = await get<[Listed[]]>(`/transactions/address/${busyAccount}/limit/3?after=${id}`);
      expect(page).toEqual(all.slice(all.findIndex((one) => one.id === below?.id)).slice(0, 3));
    }
  });

  test("a well-formed id that is not on the chain starts from the first page", async () => {
    const after = "8zqBKWqHMXPGuYrpvmnhMmVe5kSKhn8kLxNRrEsg9tfd";
    const first = await get(`/transactions/address/${busyAccount}/limit/5`);
    expect(await get(`/transactions/address/${busyAccount}/limit/5?after=${after}`)).toEqual(first);
  });
});
