/** Like `heal.test.ts`, with rows so many or so long that they take more than one batch. */
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { aliasTable } from "../../../src/tables/aliases.ts";
import { dataEntryTable } from "../../../src/tables/data-entries.ts";
import { removed, written } from "../../../src/tables/schema/row-change.ts";
import { transactionTreeTable } from "../../../src/tables/transaction-trees.ts";
import { account, addressOf, alias, otherChain, PublishedChain } from "../../support/builders/published-chain.ts";

let node: PublishedChain;
beforeEach(async () => {
  node = await PublishedChain.published();
});

test("a read model of another chain shows no whole state from the first batch on, and is emptied in batches", async () => {
  node.readModel.sqlite = await otherChain(12_001);
  const shown: (number | undefined)[] = [];
  const remaining: number[] = [];
  node.readModel.afterEach = () => {
    shown.push(node.readModel.chain?.is_whole);
    remaining.push(Number(node.readModel.sqlite.prepare("SELECT COUNT(*) AS count FROM account").get()?.["count"]));
  };
  node.step(account(3, 30));
  await node.publish();
  expect(remaining.slice(0, 3)).toEqual([7_001, 2_001, 0]);
  expect(shown).toEqual(shown.map((_, at) => (at === shown.length - 1 ? 1 : 0)));
  node.expectHealed();
});

test("no parameter is longer than D1 takes, whether rows are published or copied", async () => {
  const value = { type: "binary", value: new Uint8Array(32_000) } as const;
  for (let count = 0; count < 60; count++)
    node.step(...[0, 1].map((key) => written(dataEntryTable, { address: addressOf(count), key: `${key}`, value })));
  await node.publish();
  node.readModel.sqlite = new DatabaseSync(":memory:");
  node.publisher.lookAgain();
  await node.publish();
  node.expectHealed();
  for (const { bindings } of node.readModel.landed.flat())
    for (const binding of bindings) expect(String(binding).length).toBeLessThanOrEqual(1_000_100);
});

test("trees of full blocks are copied a few at a time", async () => {
  const nodes = new Uint8Array(384_032);
  for (let count = 0; count < 12; count++)
    node.step(written(transactionTreeTable, { height: node.height, leafCount: 6_000, nodes }));
  await node.publish();
  node.readModel.sqlite = new DatabaseSync(":memory:");
  node.readModel.landed = [];
  node.publisher.lookAgain();
  await node.publish();
  node.expectHealed();
  const lengthOf = (statements: (typeof node.readModel.landed)[number]) =>
    statements.reduce((sum, { bindings }) => sum + String(bindings).length, 0);
  const lengths = node.readModel.landed.map(lengthOf);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(9_000_000);
  expect(Math.max(...lengths)).toBeLessThan(2_500_000);
});

describe("while the tables are rewritten", () => {
  const rows = 400;
  const value = (byte: number) => ({ type: "binary", value: new Uint8Array(9_000).fill(byte) }) as const;
  const entry = (number: number, byte = 1) =>
    written(dataEntryTable, { address: addressOf(number), key: "key", value: value(byte) });

  beforeEach(async () => {
    node.step(...Array.from({ length: rows }, (_, index) => entry(index)));
    await node.publish();
    node.readModel.sqlite = new DatabaseSync(":memory:");
    node.readModel.landed = [];
    node.messages = [];
    node.publisher.lookAgain();
  });

  test("no reader sees a part of them, and the log reports their progress", async () => {
    const shown: unknown[] = [];
    node.readModel.afterEach = () =>
      shown.push(node.readModel.sqlite.prepare("SELECT is_whole, progress FROM chain").get());
    await node.publish();
    node.expectHealed();
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.slice(1, -1)).toEqual(
      shown.slice(1, -1).map(() => ({ is_whole: 0, progress: expect.stringMatching(/^\d+ of \d+ tables$/) })),
    );
    expect(shown.at(-1)).toEqual({ is_whole: 1, progress: null });
    expect(node.messages.slice(1)).toEqual(
      node.messages.slice(1).map(() => expect.stringMatching(/^the read model is being rewritten: \d+ of \d+ tables$/)),
    );
    expect(new Set(node.messages).size).toBe(node.messages.length);
    expect(node.messages.length).toBeGreaterThan(1);
  });

  test("the chain goes on: rows change, disappear and appear on both sides of the copied position", async () => {
    let batch = 0;
    node.readModel.afterEach = () => {
      batch += 1;
      if (batch > 5) return;
      node.step(
        entry(batch, 2),
        entry(rows - batch, 3),
        removed(dataEntryTable, { address: addressOf(200 + batch), key: "key" }),
        entry(rows + batch),
        account(batch, 1_000 + batch),
        ...(batch % 2 === 0 ? [removed(aliasTable, { name: "one" })] : [alias("one", batch)]),
      );
    };
    await node.publish();
    node.expectHealed();
  });

  test("a restart in the middle continues where the last one stopped", async () => {
    node.readModel.fates = ["lands", "lands", "lands", "lands", "is lost"];
    await expect(node.publisher.drain()).rejects.toThrow();
    const { identity } = node.readModel.chain ?? {};
    const written = () => node.readModel.landed.flat().filter(({ sql }) => sql.includes("INTO data_entry")).length;
    const before = written();
    expect(before).toBeGreaterThan(0);
    node.start();
    node.step(account(7, 70), entry(0, 9));
    await node.publish();
    node.expectHealed();
    expect(node.readModel.chain?.identity).toBe(identity);
    // Each batch once, and the changes since.
    expect(node.readModel.landed.flat().filter(({ sql }) => sql.startsWith("DELETE FROM data_entry"))).toHaveLength(1);
    const length = node.readModel.landed
      .flat()
      .filter(({ sql }) => sql.includes("INTO data_entry"))
      .reduce((sum, { bindings }) => sum + String(bindings[0]).length, 0);
    expect(length).toBeLessThan((rows + 2) * 18_200);
  });

  test("another loss starts over", async () => {
    node.readModel.fates = ["lands", "lands", "lands", "lands"];
    node.readModel.afterEach = () => {
      if (node.readModel.landed.length === 4) node.readModel.sqlite = new DatabaseSync(":memory:");
    };
    await node.publish();
    node.expectHealed();
  });
});
