import { describe, expect, test } from "vitest";
import { ChainFollower } from "../../../local/chain-log/chain-follower.ts";
import type { LogEvent } from "../../../local/chain-log/log-event.ts";
import { type ParsedJson, parseJson } from "../../../src/protocol/parse-json.ts";

interface FakeBlock {
  readonly timestamp: number;
  readonly ids: readonly string[];
}

/** Chain of blocks that a test fills, and its follower. */
function followed(chain: FakeBlock[]) {
  const told: LogEvent[] = [];
  const due: (() => void)[] = [];
  const asked: string[] = [];
  const isBad = (id: string): boolean => id.startsWith("bad");
  const transactionOf = (id: string): object => {
    const status = isBad(id) && { applicationStatus: "script_execution_failed" };
    return { type: 10, id, sender: "S", fee: 1, alias: id, ...status };
  };
  const blockOf = (height: number): object => {
    const { timestamp, ids } = chain[height - 1] as FakeBlock;
    return { height, timestamp, generator: "G", transactionCount: ids.length, transactions: ids.map(transactionOf) };
  };
  const responseTo = (path: string): unknown => {
    if (path === "/blocks/headers/last") return blockOf(chain.length);
    if (path.startsWith("/transactions/info?")) {
      const ids = new URLSearchParams(path.split("?")[1]).getAll("id");
      return ids.map((id) => ({
        ...transactionOf(id),
        ...(isBad(id) && { stateChanges: { error: { text: "no funds" } } }),
      }));
    }
    const [, from, to] = /^\/blocks\/seq\/(\d+)\/(\d+)$/.exec(path) ?? [];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => blockOf(Number(from) + index));
  };
  const get = async (path: string): Promise<ParsedJson> => {
    asked.push(path);
    return parseJson(JSON.stringify(responseTo(path)));
  };
  const follower = new ChainFollower({ get, onEvent: (event) => told.push(event), later: (run) => due.push(run) });
  /** Notifies the follower of a change and takes the reported events. */
  const look = async (): Promise<readonly string[]> => {
    follower.changed();
    for (const run of due.splice(0)) run();
    await follower.settled();
    return told.splice(0).map(summary);
  };
  return { follower, chain, look, asked, due };
}

function summary(event: LogEvent): string {
  switch (event.event) {
    case "block":
      return `block ${event.height} with ${event.transactions}`;
    case "blocks":
      return `blocks ${event.fromHeight}-${event.toHeight}${event.areEmpty ? " empty" : ""}`;
    case "back":
      return `back to ${event.height}`;
    case "transaction":
      return `${event.id} at ${event.height}${event.error === undefined ? "" : `: ${event.error}`}`;
    case "request":
      return event.path;
  }
}

const empty = (timestamp: number): FakeBlock => ({ timestamp, ids: [] });

describe("a follower", () => {
  test("tells of each block and each transaction once, also of a block that grows", async () => {
    const { follower, chain, look } = followed([empty(1)]);
    await follower.begin();
    expect(await look()).toEqual([]);
    chain.push({ timestamp: 2, ids: ["a"] });
    expect(await look()).toEqual(["block 2 with 1", "a at 2"]);
    chain[1] = { timestamp: 2, ids: ["a", "b"] };
    expect(await look()).toEqual(["b at 2"]);
    chain[1] = { timestamp: 2, ids: ["a", "b", "c"] };
    chain.push(empty(3), { timestamp: 4, ids: ["d"] });
    expect(await look()).toEqual(["c at 2", "block 3 with 0", "block 4 with 1", "d at 4"]);
    expect(await look()).toEqual([]);
  });

  test("says why a transaction failed that is in a block", async () => {
    const { follower, chain, look } = followed([empty(1)]);
    await follower.begin();
    chain.push({ timestamp: 2, ids: ["bad"] });
    expect(await look()).toEqual(["block 2 with 1", "bad at 2: no funds"]);
  });

  test("tells of a chain that was taken back, however high it has come since", async () => {
    const { follower, chain, look } = followed([1, 2, 3, 4].map(empty));
    await follower.begin();
    chain.length = 2;
    expect(await look()).toEqual(["back to 2"]);
    chain.push(empty(5));
    expect(await look()).toEqual(["block 3 with 0"]);
    chain.splice(2, 1, empty(6), { timestamp: 7, ids: ["a"] });
    expect(await look()).toEqual(["back to 2", "block 3 with 0", "block 4 with 1", "a at 4"]);
    chain[3] = { timestamp: 8, ids: [] };
    expect(await look()).toEqual(["back to 4"]);
  });

  test("tells of many empty blocks at once, and of very many without asking for them", async () => {
    const { follower, chain, look, asked } = followed([empty(1)]);
    await follower.begin();
    chain.push(...Array.from({ length: 30 }, (_, index) => empty(index + 2)), { timestamp: 99, ids: ["a"] });
    expect(await look()).toEqual(["blocks 2-31 empty", "block 32 with 1", "a at 32"]);
    asked.length = 0;
    chain.push(...Array.from({ length: 2_000 }, (_, index) => empty(index + 100)));
    expect((await look())[0]).toBe("blocks 33-1032");
    expect(asked.length).toBeLessThanOrEqual(12);
  });

  test("looks once at many changes", async () => {
    const { follower, asked, due } = followed([empty(1)]);
    await follower.begin();
    asked.length = 0;
    for (let change = 0; change < 100; change++) follower.changed();
    expect(due).toHaveLength(1);
    expect(asked).toEqual([]);
  });
});

test("a node that does not answer is looked at again with the next change", async () => {
  let isThere = false;
  const told: LogEvent[] = [];
  const due: (() => void)[] = [];
  const follower = new ChainFollower({
    get: async (path) => {
      if (!isThere) throw new Error("gone");
      const block = { height: 5n, timestamp: 1n, transactionCount: 0n, generator: "G" };
      return path.startsWith("/blocks/seq") ? [block] : block;
    },
    onEvent: (event) => told.push(event),
    later: (run) => due.push(run),
  });
  for (isThere of [false, true]) {
    follower.changed();
    for (const run of due.splice(0)) run();
    await follower.settled();
  }
  expect(told.map(summary)).toEqual(["block 5 with 0"]);
});
