/**
 * D1 is a copy that may be lost, restored, exchanged, late or duplicated: it heals by itself, and shows nothing wrong
 * meanwhile.
 */
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { balanceHistoryTable } from "../../../src/tables/accounts.ts";
import { aliasTable } from "../../../src/tables/aliases.ts";
import { dataEntryTable } from "../../../src/tables/data-entries.ts";
import { removed, written } from "../../../src/tables/schema/row-change.ts";
import { account, addressOf, alias, otherChain, PublishedChain } from "../../support/builders/published-chain.ts";
import { copyOf, UnreliableReadModel } from "../../support/fakes/unreliable-read-model.ts";

const tooMuch = "the outbox has reached its limit: the read model is rewritten once it responds";

let node: PublishedChain;
beforeEach(async () => {
  node = await PublishedChain.published();
});

describe("a read model that was lost", () => {
  test.each([
    ["with its tables", () => new DatabaseSync(":memory:")],
    ["with empty tables", () => new UnreliableReadModel().sqlite],
  ])("%s is rewritten", async (_, empty) => {
    const { identity } = node.readModel.chain ?? {};
    node.readModel.sqlite = empty();
    node.step(account(3, 30));
    await node.publish();
    node.expectHealed();
    expect(node.messages[0]).toBe("the read model is empty: it is rewritten");
    expect(node.readModel.chain?.identity).toMatch(/^genesis\/./);
    expect(node.readModel.chain?.identity).not.toBe(identity);
  });

  test("is detected if nothing is to be published", async () => {
    node.readModel.sqlite = new DatabaseSync(":memory:");
    expect(node.publisher.hasWork).toBe(false);
    node.publisher.lookAgain();
    await node.publish();
    node.expectHealed();
  });
});

test("a read model that was restored from yesterday is rewritten, regardless of its content", async () => {
  const yesterday = copyOf(node.readModel.sqlite);
  node.step(account(1, 12), removed(aliasTable, { name: "one" }), alias("two", 2));
  node.step(account(4, 40));
  await node.publish();
  node.readModel.sqlite = yesterday;
  expect(node.differences()).not.toEqual([]);
  node.step(account(5, 50));
  await node.publish();
  node.expectHealed();
  expect(node.messages[0]).toBe("the read model is not as this node left it: it is rewritten");
});

test("a read model of another chain is rewritten, and its rows are gone", async () => {
  node.readModel.sqlite = await otherChain(10);
  node.step(account(3, 30));
  await node.publish();
  node.expectHealed();
  expect(node.messages[0]).toContain("shows another chain, with genesis other genesis");
});

test("a chain that was restarted with the same genesis does not accept its predecessor's read model as its own", async () => {
  node.replaceChain();
  node.step(account(9, 90));
  await node.publish();
  node.expectHealed();
  expect(node.messages[0]).toBe("the read model is not as this node left it: it is rewritten");
});

test("a ChainState that was restored from yesterday rewrites a read model that is ahead of it", async () => {
  const yesterday = node.database.database.prepare("SELECT * FROM publication").get() as Record<string, string>;
  node.step(account(1, 99), account(6, 60));
  await node.publish();
  node.store.rollbackTo({ height: 2, step: 0 });
  node.database.database.exec("DELETE FROM outbox");
  node.database.database
    .prepare("UPDATE publication SET sequence = ?, batch = ?")
    .run(yesterday["sequence"] as string, yesterday["batch"] as string);
  node.start();
  await node.publish();
  node.expectHealed();
});

test("a batch that comes late does not overwrite a later one", async () => {
  node.readModel.fates = ["is late"];
  node.step(account(1, 12));
  await expect(node.publisher.drain()).rejects.toThrow();
  node.step(account(1, 13), alias("late", 1));
  await node.publish();
  node.expectHealed();
  await expect(node.readModel.deliver()).rejects.toThrow("malformed JSON");
  node.expectHealed();
  node.step(account(1, 14));
  await node.publish();
  node.expectHealed();
  expect(node.messages).toEqual([]);
});

test("of batches that come late only one is applied, and is recognized", async () => {
  node.readModel.fates = ["is late", "is late"];
  node.step(account(1, 12));
  await expect(node.publisher.drain()).rejects.toThrow();
  node.step(account(1, 13));
  await expect(node.publisher.drain()).rejects.toThrow();
  await expect(node.readModel.deliver()).rejects.toThrow("malformed JSON");
  expect(node.differences()).toHaveLength(1);
  await node.publish();
  node.expectHealed();
  expect(node.messages).toEqual([]);
});

test("a batch that comes twice is applied once", async () => {
  node.step(account(1, 12));
  await node.publish();
  const twice = node.readModel.landed.at(-1) ?? [];
  await expect(node.readModel.land(twice)).rejects.toThrow("malformed JSON");
  node.step(account(1, 13));
  await node.publish();
  await expect(node.readModel.land(twice)).rejects.toThrow("malformed JSON");
  node.expectHealed();
});

describe("a batch that is applied without a response", () => {
  test("is not sent again", async () => {
    node.readModel.fates = ["lands unheard"];
    node.step(account(1, 12));
    await expect(node.publisher.drain()).rejects.toThrow();
    const batches = node.readModel.landed.length;
    await node.publish();
    node.expectHealed();
    expect([node.readModel.landed.length, node.outboxSize()]).toEqual([batches, 0]);
    expect(node.messages).toEqual([]);
  });

  test("is recognized at the next start, too", async () => {
    node.readModel.fates = ["lands unheard"];
    node.step(account(1, 12));
    await expect(node.publisher.drain()).rejects.toThrow();
    const { identity } = node.readModel.chain ?? {};
    node.start();
    node.step(account(1, 13));
    await node.publish();
    node.expectHealed();
    expect(node.readModel.chain?.identity).toBe(identity);
  });

  test("while the tables are rewritten", async () => {
    node.readModel.sqlite = new DatabaseSync(":memory:");
    // Batches that create the tables, clear them and copy them.
    node.readModel.fates = ["lands unheard", "lands unheard", "lands", "lands unheard"];
    node.step(account(1, 12));
    await node.publish(10);
    node.expectHealed();
    expect(node.messages).toHaveLength(1);
  });
});

test.each([7, 8, 9, 16])(
  "of an outbox of %i entries, read eight at a time, the last batch publishes the whole state",
  async (count) => {
    for (let entry = 0; entry < count; entry++) node.step(account(entry % 3, 100 + entry));
    expect(node.outboxSize()).toBe(count);
    await node.publish();
    node.expectHealed();
    expect(node.readModel.sqlite.prepare("SELECT height FROM chain").get()).toEqual({ height: node.height });
  },
);

test("batches have a bounded number of statements", async () => {
  for (let count = 0; count < 300; count++)
    node.step(account(count, 1), ...(count % 2 === 0 ? [removed(aliasTable, { name: "one" })] : [alias("one", count)]));
  node.readModel.landed = [];
  await node.publish();
  node.expectHealed();
  expect(node.readModel.landed.length).toBeGreaterThan(1);
  for (const statements of node.readModel.landed) expect(statements.length).toBeLessThanOrEqual(120);
});

test("a read model of an earlier release, or with an unknown state, is rewritten", async () => {
  node.readModel.sqlite.exec("UPDATE chain SET batch = ''");
  node.step(account(1, 12));
  node.publisher.lookAgain();
  await node.publish();
  node.expectHealed();
  expect(node.messages.splice(0)).toEqual(["the read model is of an earlier release: it is rewritten"]);
  node.readModel.sqlite.exec("UPDATE chain SET batch = 'some', identity = ''");
  node.publisher.lookAgain();
  await node.publish();
  node.expectHealed();
  expect(node.messages).toEqual(["the read model is not as this node left it: it is rewritten"]);
});

describe("the outbox", () => {
  /** Length of the texts of the outbox, characters. */
  const waitingLength = () => Number(node.store.scalar("SELECT SUM(LENGTH(rows)) FROM outbox") ?? 0);
  /** Commit of about 700 characters. */
  const much = () => node.step(written(dataEntryTable, { address: addressOf(1), key: "key", value: entryValue }));
  const entryValue = { type: "binary", value: new Uint8Array(300) } as const;

  beforeEach(async () => {
    node.start({ maxWaitingLength: 1_000 });
    await node.publish();
  });

  test("may be as long as its limit, and no longer", () => {
    much();
    much();
    const length = waitingLength();
    expect(length).toBeGreaterThan(1_000);
    node.start({ maxWaitingLength: length });
    node.publisher.bound();
    expect([waitingLength(), node.messages]).toEqual([length, []]);
    node.start({ maxWaitingLength: length - 1 });
    node.publisher.bound();
    expect([waitingLength(), node.messages]).toEqual([0, [tooMuch]]);
  });

  test("is published, however long it is, if the read model responds", async () => {
    much();
    much();
    // While a batch is in flight none of its entries are dropped.
    node.readModel.afterEach = () => node.publisher.bound();
    await node.publisher.drain();
    node.expectHealed();
    expect(node.messages).toEqual([]);
  });

  test("is not counted any more once it has been published, even without a response", async () => {
    for (let count = 0; count < 3; count++) {
      much();
      node.publisher.bound();
      await node.publish();
    }
    for (let count = 0; count < 3; count++) {
      much();
      node.readModel.fates = ["lands unheard"];
      await expect(node.publisher.drain()).rejects.toThrow();
      await node.publish();
    }
    node.expectHealed();
    expect(node.messages).toEqual([]);
  });
});

describe("a read model that does not respond for long", () => {
  test("does not make the outbox longer than its limit: the tables are rewritten instead", async () => {
    node.start({ maxWaitingLength: 50_000 });
    node.readModel.isDown = true;
    let longest = 0;
    for (let count = 0; count < 300; count++) {
      node.step(...Array.from({ length: 10 }, (_, index) => account(count * 10 + index, count)));
      await expect(node.publisher.drain()).rejects.toThrow();
      longest = Math.max(longest, Number(node.store.scalar("SELECT SUM(LENGTH(rows)) FROM outbox")));
    }
    expect(longest).toBeLessThan(55_000);
    expect(new Set(node.messages)).toEqual(new Set([tooMuch]));
    node.readModel.isDown = false;
    await node.publish();
    node.expectHealed();
  });

  test("gets all pending changes, in order, when it responds again", async () => {
    node.readModel.isDown = true;
    for (let count = 0; count < 50; count++) {
      node.step(account(count % 5, count), written(balanceHistoryTable, historyRow(count)));
      await expect(node.publisher.drain()).rejects.toThrow();
      if (count % 20 === 19) node.start();
    }
    node.readModel.isDown = false;
    await node.publish();
    node.expectHealed();
    expect(node.messages).toEqual([]);
  });

  const historyRow = (count: number) => ({
    ...{ address: addressOf(count % 5), height: count + 1, balance: BigInt(count) },
    ...{ leaseIn: 0n, leaseOut: 0n },
  });
});
