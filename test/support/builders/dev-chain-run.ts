/** Random chain with dev snapshots and reverts, and a read model that follows. */
import type { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { openChain } from "../../../durable/chain-state/chain/open-chain.ts";
import { DevState } from "../../../durable/chain-state/dev/dev-state.ts";
import { nonStateMeta } from "../../../durable/chain-state/dev/non-state-tables.ts";
import { copiedTables } from "../../../durable/chain-state/dev/state-copies.ts";
import { d1Sink, type ReadModelSink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { DumpPosition, LoadResult } from "../../../src/env.ts";
import { LAST_CHOSEN_TIME_MS } from "../../../src/network/dev-settings.ts";
import type { ChainVariant } from "../../../verification/chain-generator/generated-network.ts";
import { chainQueryResults } from "../../../verification/simulation/chain-query-results.ts";
import { countMoney } from "../../../verification/simulation/conserved-money.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import type { TestDatabase } from "../../../verification/sqlite/test-database.ts";
import { differencesBetween } from "../fixtures/stored-state.ts";
import { RandomChain } from "./random-chain.ts";

const tables = copiedTables.map(({ table }) => table.name);

/** State as the tables and the pool show it. */
export interface ChainContent {
  readonly tables: string;
  readonly pool: readonly string[];
}

export class DevChainRun {
  readonly chain: RandomChain;
  readonly readModel: DatabaseSync;
  state: DevState;
  /** Batches that the read model still accepts; then it does not respond. */
  remainingBatches = Number.POSITIVE_INFINITY;

  /** @param options `database`: of the node, by default one that never fails */
  constructor(
    variant: ChainVariant,
    seed: number,
    options: { readonly maxRollbackDepth?: number; readonly database?: TestDatabase } = {},
  ) {
    const { d1, sqlite } = d1Double();
    this.readModel = sqlite;
    const sink = d1Sink(d1);
    const readModel: ReadModelSink = {
      batch: async (statements) => {
        const writes = statements.length > 1;
        if (this.remainingBatches <= 0) throw new Error("the read model is away");
        if (writes) this.remainingBatches -= 1;
        return sink.batch(statements);
      },
    };
    this.chain = new RandomChain(variant, seed, { ...options, readModel, isDevChain: true });
    this.state = this.#open();
  }

  #open(): DevState {
    const { node } = this.chain.node;
    return new DevState({
      store: node.store,
      genesis: encodeBase58(node.chain.stored.rowAt(1).id),
      firstHeight: 1,
      height: () => node.chain.view.height,
      timeMsWith: () => this.chain.node.nowMs,
      latestTimeMs: () => LAST_CHOSEN_TIME_MS,
      replaceState: async (rewrite) => {
        await node.replaceState(rewrite, () => {});
        return { height: node.chain.view.height, timeMs: this.chain.node.nowMs };
      },
    });
  }

  /** Restarts the node on the same tables. */
  restart(): void {
    this.chain.restart();
    this.state = this.#open();
  }

  async revert(name: string): Promise<void> {
    const epoch = this.chain.node.chain.forks.epoch();
    expect(await this.state.revert(name)).toMatchObject({ kind: "done" });
    expect(this.chain.node.chain.forks.epoch()).toBe(epoch + 1);
  }

  /** Adds some transactions in a micro-block, and a key block. */
  grow(): void {
    this.chain.run({ kind: "transactions", count: 4 });
    this.chain.run({ kind: "microBlock" });
    this.extend();
  }

  /** Lines of a dump, requested part by part. @param between runs after each part */
  async dump(between: () => void = () => {}): Promise<readonly string[]> {
    let text = "";
    for (let position: DumpPosition | undefined, isLast = false; !isLast; isLast = position === undefined) {
      const part = this.state.dump(position);
      if (part.kind === "refused") throw new Error(part.reason);
      text += part.lines;
      position = part.next;
      between();
    }
    return text.split("\n").slice(0, -1);
  }

  /** Loads lines in parts. @returns the result of the last one, or the refusal */
  async load(lines: readonly string[], partLength = 3): Promise<LoadResult> {
    let load: number | undefined;
    for (let at = 0; ; at += partLength) {
      const isLast = at + partLength >= lines.length;
      const result = await this.state.load({ load, lines: lines.slice(at, at + partLength), isLast });
      if (isLast || result.kind === "refused") return result;
      load = result.load;
    }
  }

  content(): ChainContent {
    const { database, pool } = this.chain.node;
    const isState = (line: string) => !nonStateMeta.some((name) => line.startsWith(`${name}|`));
    const dump = database.dump(tables).split("\n").filter(isState).join("\n");
    return { tables: dump, pool: [...pool.ids()].map((id) => encodeBase58(id)).sort() };
  }

  expectContent(expected: ChainContent, when: string): void {
    const found = this.content();
    const lines = found.tables.split("\n");
    const expectedLines = expected.tables.split("\n");
    const at = lines.findIndex((line, index) => line !== expectedLines[index]);
    if (at >= 0 || lines.length !== expectedLines.length)
      throw new Error(`${when}, line ${at} of the tables is\n${lines[at]}\nand was\n${expectedLines[at]}`);
    expect(found.pool, when).toEqual(expected.pool);
  }

  /** Publishes, and expects the state in the read model and an empty outbox. */
  async expectPublished(): Promise<void> {
    const { node, database } = this.chain.node;
    await node.drain();
    expect(differencesBetween(database.database, this.readModel)).toEqual([]);
    const [shown] = this.readModel.prepare("SELECT version, epoch, height, is_whole FROM chain").all();
    const { version, epoch, height } = node.chain.stored.state();
    expect(shown).toEqual({ version, epoch, height, is_whole: 1 });
  }

  /** Expects the same in the node's memory as in a restarted node, and a conserved amount of WAVES. */
  expectSound(): void {
    const { chain, database, pool } = this.chain.node;
    expect(pool.size).toBe([...pool.ids()].length);
    const { generators, users, wallets } = this.chain.accounts;
    const addresses = [...generators, ...users, ...wallets].map(({ address }) => address);
    const subjects = { addresses, transactions: this.chain.transactions() };
    const started = openChain({
      store: new StateStore(database),
      settings: chain.view.settings,
      transaction: database.transaction,
      maxRollbackDepth: 100,
    });
    expect(chainQueryResults(chain, subjects)).toBe(chainQueryResults(started, subjects));
    const { found, expected } = countMoney(chain, database);
    expect(found).toEqual(expected);
  }

  /** Appends a key block by any of the generators. */
  extend(): void {
    const { height } = this.chain.node;
    for (let generator = 0; generator < 4 && this.chain.node.height === height; generator++)
      this.chain.run({ kind: "keyBlock", generator, dropped: 0 });
    expect(this.chain.node.height).toBeGreaterThan(height);
  }
}
