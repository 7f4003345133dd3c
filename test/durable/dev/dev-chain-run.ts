/** A random chain whose owner keeps states of it and puts it back to them, with a read model that follows. */
import type { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { openChain } from "../../../durable/chain/open-chain.ts";
import { DevState } from "../../../durable/dev/dev-state.ts";
import { keptMeta } from "../../../durable/dev/kept-tables.ts";
import { copiedTables } from "../../../durable/dev/state-copies.ts";
import { d1Sink } from "../../../durable/publish/read-model-sink.ts";
import { StateStore } from "../../../durable/state/state-store.ts";
import type { ChainVariant } from "../../../scripts/tools/chain-maker/made-network.ts";
import { answersOf } from "../../../scripts/tools/simulation/chain-answers.ts";
import { countMoney } from "../../../scripts/tools/simulation/conserved-money.ts";
import { d1Double } from "../../../scripts/tools/sqlite/d1-double.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { genesisText } from "../../../src/tables/chain.ts";
import { differencesBetween } from "../../product/stored-state.ts";
import { RandomChain } from "../chain/random-chain.ts";

const tables = copiedTables.map(({ table }) => table.name);

/** The state as the tables and the pool show it. */
export interface Stand {
  readonly tables: string;
  readonly pool: readonly string[];
}

export class DevChainRun {
  readonly chain: RandomChain;
  readonly readModel: DatabaseSync;
  state: DevState;

  constructor(variant: ChainVariant, seed: number, options: { readonly maxRollbackDepth?: number } = {}) {
    const { d1, sqlite } = d1Double();
    this.readModel = sqlite;
    this.chain = new RandomChain(variant, seed, { ...options, readModel: d1Sink(d1) });
    this.state = this.#open();
  }

  #open(): DevState {
    const { node } = this.chain.node;
    return new DevState({
      store: node.store,
      genesis: genesisText(this.chain.settings.blockchain),
      height: () => node.chain.view.height,
      exchangeState: (rewrite) => node.exchangeState(rewrite, () => {}),
    });
  }

  /** Another process on the same tables. */
  restart(): void {
    this.chain.restart();
    this.state = this.#open();
  }

  async revert(name: string): Promise<void> {
    expect(await this.state.revert(name)).toBeUndefined();
  }

  stand(): Stand {
    const { database, pool } = this.chain.node;
    const isState = (line: string) => !keptMeta.some((name) => line.startsWith(`${name}|`));
    const dump = database.dump(tables).split("\n").filter(isState).join("\n");
    return { tables: dump, pool: [...pool.ids()].map((id) => encodeBase58(id)).sort() };
  }

  expectStand(expected: Stand, when: string): void {
    const found = this.stand();
    const lines = found.tables.split("\n");
    const wanted = expected.tables.split("\n");
    const at = lines.findIndex((line, index) => line !== wanted[index]);
    if (at >= 0 || lines.length !== wanted.length)
      throw new Error(`${when}, line ${at} of the tables is\n${lines[at]}\nand was\n${wanted[at]}`);
    expect(found.pool, when).toEqual(expected.pool);
  }

  /** What is published is the state, and nothing waits. */
  async expectPublished(): Promise<void> {
    const { node, database } = this.chain.node;
    await node.drain();
    expect(differencesBetween(database.database, this.readModel)).toEqual([]);
    const [shown] = this.readModel.prepare("SELECT version, epoch, height, is_whole FROM chain").all();
    const { version, epoch, height } = node.chain.stored.state();
    expect(shown).toEqual({ version, epoch, height, is_whole: 1 });
  }

  /** What the node remembers is what a node that was just started reads, and no money has come or gone. */
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
    expect(answersOf(chain, subjects)).toBe(answersOf(started, subjects));
    const { found, expected } = countMoney(chain, database);
    expect(found).toEqual(expected);
  }

  /** A key block by any of the generators. */
  extend(): void {
    const { height } = this.chain.node;
    for (let generator = 0; generator < 4 && this.chain.node.height === height; generator++)
      this.chain.run({ kind: "keyBlock", generator, dropped: 0 });
    expect(this.chain.node.height).toBeGreaterThan(height);
  }
}
