/** Reads of scripts from blocks and transactions older than those that the rules look back to. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CheckpointExport } from "../../../durable/chain-state/checkpoint/export-checkpoint.ts";
import { readCheckpoint } from "../../../local/checkpoint/read-checkpoint.ts";
import { writeCheckpoint } from "../../../local/checkpoint/write-checkpoint.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import { type CheckpointPast, checkpointPasts } from "../../../src/env.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { NetworkSettings } from "../../../src/network/settings.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { Script, Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import type { Value } from "../../../src/ride/values/value.ts";
import { HistoryMissing } from "../../../src/rules/state/history-missing.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { StateEnvironment } from "../../../src/rules/transactions/scripts/state-environment.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { forge } from "../../support/builders/forged-checkpoint.ts";
import { networkOf } from "../../support/builders/next-block.ts";
import { signedBy } from "../../support/builders/signed-by.ts";
import { signedTransfer, walletKey } from "../../support/builders/signed-transfer.ts";
import { treeScript } from "../../support/builders/test-scripts.ts";
import { withoutPast } from "../../support/builders/without-past.ts";
import { type WrittenChain, writtenChain } from "../../support/builders/written-chain.ts";
import { CheckpointHost } from "../../support/fakes/checkpoint-host.ts";

const noProgress = () => {};

/** Starts the host from the file. */
async function begunWith(host: CheckpointHost, file: string): Promise<CheckpointHost> {
  await readCheckpoint(host.call, file, undefined, noProgress);
  return host;
}

describe("a node that began with a checkpoint of a chain of every kind of transaction", () => {
  let made: WrittenChain;
  let whole: CheckpointHost;
  let recent: CheckpointHost;
  let firstHeight: number;
  beforeAll(async () => {
    made = await writtenChain(8, 14);
    firstHeight = made.written.height - 3;
    const file = path.join(made.folder, "recent");
    await forge(made.file, file, withoutPast(firstHeight));
    whole = await begunWith(made.emptyHost(), made.file);
    recent = await begunWith(made.emptyHost(), file);
  });
  afterAll(() => made.remove());

  const environmentOf = (view: StateView) => {
    const address = addressOfPublicKey(walletKey(0).publicKey, view.settings.chainId);
    return new StateEnvironment({
      ...{ view, owner: { kind: "account", address }, transactionId: () => new Uint8Array(32), libraryVersion: 8 },
    });
  };

  interface Query {
    readonly what: string;
    readonly isOfThePast: boolean;
    run(environment: StateEnvironment): unknown;
  }

  /** All reads of the chain by an id or a height that a script chooses. */
  function questions(): Query[] {
    const { node } = made.random;
    const all: Query[] = [];
    const { height } = made.written;
    const rows = node.node.store.rows("SELECT id, height FROM tx WHERE height <= ?", height);
    const ids = rows.map(([id, at]) => ({ id: new Uint8Array(id as ArrayBuffer), at: Number(at) }));
    const nobodys = [32, 64].map((size) => ({ id: new Uint8Array(size).fill(7), at: 0 }));
    for (const { id, at } of [...ids, ...nobodys]) {
      const isOfThePast = at < firstHeight;
      for (const name of ["findTransactionHeight", "findTransaction", "findTransfer"] as const)
        all.push({ what: `${name} at ${at}`, isOfThePast, run: (environment) => environment[name](id) });
    }
    for (let at = 0; at <= height + 1; at++) {
      const isOfThePast = at >= 1 && at < firstHeight;
      all.push({ what: `block ${at}`, isOfThePast, run: (environment) => environment.findBlock(at) });
    }
    return all;
  }

  test("returns the same to scripts as the other node, if the checkpoint has its past", () => {
    const [own, theirs] = [environmentOf(whole.node.chain.view), environmentOf(made.random.node.chain.view)];
    const queries = questions();
    for (const { what, run } of queries) expect(run(own), what).toEqual(run(theirs));
    // Every kind of result occurs.
    const results = queries.filter(({ isOfThePast, run }) => isOfThePast && run(theirs) !== undefined);
    for (const kind of ["findTransactionHeight", "findTransaction", "findTransfer", "block"])
      expect(results.some(({ what }) => what.startsWith(kind))).toBe(true);
    expect(whole.node.chain.view.historyFrom).toBe(1);
  });

  test("returns no result about the past, if the checkpoint has none", () => {
    const [own, theirs] = [environmentOf(recent.node.chain.view), environmentOf(made.random.node.chain.view)];
    for (const { what, isOfThePast, run } of questions()) {
      if (isOfThePast) expect(() => run(own), what).toThrow(HistoryMissing);
      else expect(run(own), what).toEqual(run(theirs));
    }
    expect(recent.node.chain.view.historyFrom).toBe(firstHeight);
  });

  test("writes the part of the past that it has", async () => {
    const file = path.join(made.folder, "again");
    expect(await writeCheckpoint(whole.call, file, "all", noProgress)).toEqual(made.written);
    expect((await writeCheckpoint(recent.call, file, "all", noProgress)).firstHeight).toBe(firstHeight);
  });
});

describe("a block whose script reads the past", () => {
  const askers = Array.from({ length: 6 }, (_, number) => walletKey(number + 1));
  const waves = 100_000_000n;
  const blockchain = networkOf(
    Feature.RideV6,
    askers.map((key) => ({ key, amount: 10n * waves })),
  );
  const settings: NetworkSettings = { name: "past", blockchain, node: privateNetwork.node };
  const startMs = Number(blockchain.genesis.blockTimestampMs);
  const { chainId } = blockchain;
  let origin: CheckpointHost;
  let old: Transaction;
  let blocks: readonly Block[];
  let folder: string;
  let made: WrittenFiles;

  interface WrittenFiles {
    readonly whole: string;
    readonly recent: string;
  }

  const constant = (value: Value): Expression => ({ kind: "constant", value });
  const called = (id: number, ...args: readonly Expression[]): Expression => ({ kind: "call", function: id, args });
  const equal = (left: Expression, right: Expression) => called(0, left, right);
  const field = (object: Expression, name: string): Expression => ({ kind: "getter", object, field: name });
  const [transactionById, heightById, blockByHeight, transferById] = [1000, 1001, 1005, 1006];
  const unit: Expression = { kind: "reference", name: "unit" };

  /** All reads that a script can make, each true on a node with the whole chain. */
  function scripts(): readonly Script[] {
    const id = constant(old.id);
    const nobodys = constant(new Uint8Array(32).fill(7));
    const { timestamp } = origin.node.chain.stored.rowAt(2);
    return [
      treeScript(equal(called(heightById, id), constant(2n)), 6),
      treeScript(equal(called(heightById, nobodys), unit), 6),
      treeScript(equal(field(called(transferById, id), "amount"), constant(77n)), 6),
      treeScript(equal(field(called(transactionById, id), "amount"), constant(77n)), 2),
      treeScript(equal(field(called(blockByHeight, constant(2n)), "timestamp"), constant(timestamp)), 6),
      treeScript(equal(called(transferById, nobodys), unit), 3),
    ];
  }

  const now = () => BigInt(origin.node.nowMs);
  function confirm(transactions: readonly Transaction[]): void {
    for (const transaction of transactions) origin.node.broadcast(transaction);
    origin.node.mineTo(origin.node.height + 2);
  }
  const setScript = (key: KeyPair, script: Script) =>
    signedBy(
      key,
      buildTransaction({
        ...{ type: TransactionType.SetScript, version: 2, chainId, sender: key.publicKey },
        ...{ feeAsset: null, fee: 1_000_000n, timestamp: now(), script, proofs: [] },
      }),
    );
  /** Transfer that the sender's script verifies. */
  const asking = (key: KeyPair) => signedTransfer({ key, fee: 500_000n, timestamp: now() });

  beforeAll(async () => {
    origin = new CheckpointHost(settings, { nowMs: startMs });
    origin.node.mineTo(2);
    old = signedTransfer({ timestamp: now(), amount: 77n });
    confirm([old]);
    expect(origin.node.chain.view.findTransaction(old.id)?.height).toBe(2);
    confirm(askers.map((key, index) => setScript(key, scripts()[index] as Script)));
    origin.node.mineTo(12);
    made = await writtenTo(origin);
    const { height } = origin.node;
    // The following blocks are in no micro-block of the checkpoint's tip.
    origin.node.mineTo(height + 1);
    for (const key of askers) confirm([asking(key)]);
    const { stored } = origin.node.chain;
    blocks = Array.from(
      { length: origin.node.height - height },
      (_, index) => stored.findBlock(height + 1 + index) as Block,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function writtenTo(host: CheckpointHost): Promise<WrittenFiles> {
    folder = mkdtempSync(path.join(os.tmpdir(), "past-"));
    const files = { whole: path.join(folder, "whole"), recent: path.join(folder, "recent") };
    await writeCheckpoint(host.call, files.whole, "all", noProgress);
    await forge(files.whole, files.recent, withoutPast(9));
    return files;
  }

  const beginning = (file: string) => begunWith(new CheckpointHost(settings, { nowMs: origin.node.nowMs }), file);

  test("is accepted by a node that has the past, with the same state", async () => {
    const host = await beginning(made.whole);
    for (const block of blocks) host.node.append(block);
    const tables = stateTables.map(({ name }) => name).filter((name) => name !== "micro_block");
    expect(host.database.dump(tables)).toBe(origin.database.dump(tables));
    const statuses = blocks
      .flatMap(({ transactions }) => transactions)
      .map(({ id }) => host.node.chain.view.findTransaction(id));
    expect(statuses).toHaveLength(askers.length);
    for (const found of statuses) expect(found?.status).toBe("succeeded");
  });

  test("stops at each of them without the past: no pool accepts them, and no peer is blamed", async () => {
    const host = await beginning(made.recent);
    for (const key of askers)
      expect(() => host.node.broadcast(asking(key))).toThrow(
        expect.objectContaining({
          violation: { code: "generic", message: expect.stringContaining("may stand below block 9, the first one") },
        }),
      );
    const height = host.node.height;
    expect(() => {
      for (const block of blocks) host.node.append(block);
    }).toThrow(HistoryMissing);
    expect(host.node.height).toBe(height);
  });
});

describe("a checkpoint of a chain of thousands of blocks", () => {
  const HEIGHT = 2_600;

  /** Chain with blocks as far as an export checks them before it reads their rows. */
  function longChain(): SimulatedNode {
    const node = new SimulatedNode({ startMs: Number(privateNetwork.blockchain.genesis.blockTimestampMs) });
    node.mineTo(3);
    const columns = node.database.database.prepare("SELECT name FROM pragma_table_info('block')").all();
    const others = columns
      .map(({ name }) => String(name))
      .filter((name) => !["height", "id", "timestamp"].includes(name));
    const list = others.join(", ");
    node.database.database.exec(
      `WITH RECURSIVE number (value) AS (SELECT 4 UNION ALL SELECT value + 1 FROM number WHERE value < ${HEIGHT})
       INSERT INTO block (height, id, timestamp, ${list})
       SELECT value, randomblob(32), timestamp + 60000 * (value - 3), ${list} FROM block, number WHERE height = 3`,
    );
    node.chain.view.refresh();
    return node;
  }

  const firstOf = (node: SimulatedNode, past: CheckpointPast) => {
    const { store } = node.node;
    return new CheckpointExport({ store, chain: node.chain, maxRollbackDepth: 2_000, past }).head.firstHeight;
  };

  test("has all its blocks, or the last ones", () => {
    const node = longChain();
    expect(node.height).toBe(HEIGHT);
    expect(checkpointPasts.map((past) => firstOf(node, past))).toEqual([1, HEIGHT - 1_999]);
  });
});
