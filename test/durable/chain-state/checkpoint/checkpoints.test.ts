import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CheckpointCalls } from "../../../../local/checkpoint/checkpoint-calls.ts";
import { readCheckpoint } from "../../../../local/checkpoint/read-checkpoint.ts";
import { writeCheckpoint } from "../../../../local/checkpoint/write-checkpoint.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import type { ChainVariant } from "../../../../verification/chain-generator/generated-network.ts";
import { countMoney } from "../../../../verification/simulation/conserved-money.ts";
import { appendEvent, type WrittenChain, writtenChain } from "../../../support/builders/written-chain.ts";
import type { CheckpointHost } from "../../../support/fakes/checkpoint-host.ts";

/** A rollback never goes below the genesis block, so its undo records are not exported. */
const undo = "(SELECT * FROM undo WHERE height > 1)";
const tables = [...stateTables.map(({ name }) => name), undo];

let written: WrittenChain;
/** Host with the checkpoint loaded, and no block after it. */
let started: CheckpointHost;
let carried: string;

const noProgress = () => {};
const read = (host: CheckpointHost, digest?: string) => readCheckpoint(host.call, written.file, digest, noProgress);

/** Reports the first line that differs, because the dumps are long. */
function expectSameRows(dump: string, expected: string): void {
  const lines = expected.split("\n");
  const differing = dump.split("\n").findIndex((line, index) => line !== lines[index]);
  if (dump !== expected) throw new Error(`line ${differing} differs: ${lines[differing]?.slice(0, 200)}`);
  expect(dump.length).toBe(expected.length);
}

beforeAll(async () => {
  written = await writtenChain(5, 12);
  carried = written.random.node.database.dump(tables);
  started = written.emptyHost();
  await read(started);
});
afterAll(() => written.remove());

test("a node that was started from a checkpoint of a short chain has every row of the state", () => {
  expect(started.node.height).toBe(written.written.height);
  expectSameRows(started.database.dump(tables), carried);
});

test("a node that was started from a checkpoint writes the same one", async () => {
  const again = await writeCheckpoint(started.call, path.join(written.folder, "again"), "all", noProgress);
  expect(again).toEqual(written.written);
});

test("a node that got whole blocks writes another one of the same state", async () => {
  const host = written.emptyHost();
  const { stored } = started.node.chain;
  for (let height = 2; height <= written.written.height; height++) host.node.append(stored.findBlock(height) as Block);
  const { digest, state } = await writeCheckpoint(host.call, path.join(written.folder, "whole"), "all", noProgress);
  expect(state).toBe(written.written.state);
  expect(digest).not.toBe(written.written.digest);
});

test("it goes on like the other node and rolls back, with the same rows in every table", async () => {
  const host = written.emptyHost();
  await read(host);
  const events = written.goOn(5);
  expect(events.length).toBeGreaterThan(10);
  for (const event of events) appendEvent(host.node, event);
  const { node } = written.random;
  expectSameRows(host.database.dump(tables), node.database.dump(tables));
  const money = countMoney(host.node.chain, host.database);
  expect(money.found).toEqual(money.expected);
  // Below the checkpoint, too: it carries the undo records for that.
  for (const one of [host.node, node]) one.chain.forks.revertTo(written.written.height - 3, { isForced: true });
  expectSameRows(host.database.dump(tables), node.database.dump(tables));
});

test("a state that was started from the checkpoint is left as it is", async () => {
  expect((await read(started)).isKnown).toBe(true);
  const other = written.emptyHost();
  expect((await read(other, written.written.digest)).isKnown).toBe(false);
});

describe("a checkpoint that is loaded in several runs", () => {
  /** Client that lets `parts` parts through and then disconnects. */
  const cutOff = (host: CheckpointHost, parts: number): CheckpointCalls => {
    let remaining = parts;
    return (call) => {
      if (call.call === "add" && remaining-- === 0) throw new Error("the line is cut");
      return host.call(call);
    };
  };

  test("goes on with the missing parts, in another process; until then there is no chain", async () => {
    const first = written.emptyHost();
    await expect(readCheckpoint(cutOff(first, 4), written.file, undefined, noProgress)).rejects.toThrow(
      "the line is cut",
    );
    const second = first.again();
    expect(second.hasNode).toBe(false);
    const { loading, height } = await second.call({ call: "standing" });
    expect(height).toBe(0);
    expect(loading?.digest).toBe(written.written.digest);
    expect(loading?.missing).toHaveLength((loading?.parts ?? 0) - 4);
    await expect(second.call({ call: "beginExport" })).rejects.toThrow("there is no chain");
    await expect(second.call({ call: "goOn" })).rejects.toThrow("parts of the checkpoint are missing");
    let sent = 0;
    const counted: CheckpointCalls = (call) => {
      if (call.call === "add") sent += 1;
      return second.call(call);
    };
    await readCheckpoint(counted, written.file, undefined, noProgress);
    expect(sent).toBe(loading?.missing.length);
    expectSameRows(second.database.dump(tables), carried);
  });

  test("is given up at the owner's request: the node begins with the genesis block", async () => {
    const host = written.emptyHost();
    const fresh = host.database.dump(tables);
    await expect(readCheckpoint(cutOff(host, 4), written.file, undefined, noProgress)).rejects.toThrow(
      "the line is cut",
    );
    const again = host.again();
    await again.call({ call: "giveUp" });
    expect(again.node.height).toBe(1);
    expectSameRows(again.database.dump(tables), fresh);
    await expect(again.call({ call: "giveUp" })).rejects.toThrow("no checkpoint is being loaded");
    expect(again.again().hasNode).toBe(true);
  });

  test("accepts no other one in between", async () => {
    const host = written.emptyHost();
    await expect(readCheckpoint(cutOff(host, 1), written.file, undefined, noProgress)).rejects.toThrow(
      "the line is cut",
    );
    const other = path.join(written.folder, "other");
    started.node.chain.forks.revertTo(started.node.height - 1, { isForced: true });
    await writeCheckpoint(started.call, other, "all", noProgress);
    await expect(readCheckpoint(host.call, other, undefined, noProgress)).rejects.toThrow(
      "another checkpoint is being loaded",
    );
  });
});

test.each<readonly [ChainVariant, seed: number, rounds: number]>([
  ["staged", 3, 16],
  ["halfway", 4, 6],
])("a checkpoint of a chain of changing rules is accepted: %s", async (variant, seed, rounds) => {
  const one = await writtenChain(seed, rounds, variant);
  try {
    const host = one.emptyHost();
    await readCheckpoint(host.call, one.file, undefined, noProgress);
    expectSameRows(host.database.dump(tables), one.random.node.database.dump(tables));
  } finally {
    one.remove();
  }
});

describe("while a checkpoint is written", () => {
  test("the chain pauses, and goes on after a minute without a request", async () => {
    const host = written.emptyHost();
    await read(host);
    const { nowMs } = host;
    await host.call({ call: "beginExport" });
    expect(host.hasNode).toBe(false);
    expect(host.lookAtMs).toBe(nowMs + 60_000);
    host.nowMs = nowMs + 59_999;
    await host.look();
    expect(host.hasNode).toBe(false);
    const { next } = await host.call({ call: "exportPart", place: { table: 0 } });
    host.nowMs += 59_999;
    await host.look();
    expect(host.hasNode).toBe(false);
    host.nowMs += 1;
    await host.look();
    expect(host.hasNode).toBe(true);
    await expect(host.call({ call: "exportPart", place: next ?? { table: 0 } })).rejects.toThrow("for a minute");
  });

  test("no other one is written", async () => {
    const host = written.emptyHost();
    await read(host);
    await host.call({ call: "beginExport" });
    expect(await host.call({ call: "beginExport", past: "all" })).toHaveProperty("head");
    await expect(host.call({ call: "beginExport", past: "none" })).rejects.toThrow("another past");
    await host.call({ call: "endExport" });
    expect(await host.call({ call: "beginExport", past: "none" })).toHaveProperty("head");
  });

  test("a broken connection leaves no file, and the chain goes on", async () => {
    const host = written.emptyHost();
    await read(host);
    let remaining = 3;
    const cut: CheckpointCalls = (call) => {
      if (call.call === "exportPart" && remaining-- === 0) throw new Error("the line is cut");
      return host.call(call);
    };
    const file = path.join(written.folder, "cut");
    await expect(writeCheckpoint(cut, file, "all", noProgress)).rejects.toThrow("the line is cut");
    expect(host.hasNode).toBe(true);
    await expect(readCheckpoint(written.emptyHost().call, file, undefined, noProgress)).rejects.toThrow("no such file");
  });

  test("a chain with only its genesis block has none", async () => {
    const host = written.emptyHost();
    await expect(host.call({ call: "beginExport" })).rejects.toThrow("only its genesis block");
    expect(host.hasNode).toBe(true);
  });
});

describe("a checkpoint is refused", () => {
  test("by a node that has a chain", async () => {
    const host = written.emptyHost();
    for (const event of written.random.events.slice(0, 3)) appendEvent(host.node, event);
    await expect(read(host)).rejects.toThrow("the node has a chain already");
    expect(host.node.height).toBeGreaterThan(1);
  });

  test("if another one was expected", async () => {
    await expect(read(written.emptyHost(), "00".repeat(32))).rejects.toThrow(written.written.digest);
  });

  test("if the node has to serve more of the past than it has", async () => {
    const { node, ...settings } = written.random.settings;
    const { CheckpointHost: Host } = await import("../../../support/fakes/checkpoint-host.ts");
    const deeper = { ...settings, node: { ...node, maxRollbackDepth: node.maxRollbackDepth + 1 } };
    const host = new Host(deeper, { nowMs: written.random.node.nowMs });
    await expect(read(host)).rejects.toThrow("db.max-rollback-depth");
  });
});

test("an export that is ended while the node is still closing leaves the node open", async () => {
  const host = written.emptyHost();
  await read(host);
  let publish = () => {};
  host.published = new Promise((resolve) => {
    publish = resolve;
  });
  const begins = host.call({ call: "beginExport" });
  const ends = host.call({ call: "endExport" });
  publish();
  await Promise.all([begins, ends]);
  expect(host.hasNode).toBe(true);
});
