/** Chain of rows alone, with a read model that may fail in any way. */
import { expect } from "vitest";
import type { Publisher, PublisherOptions } from "../../../durable/chain-state/publish/publisher.ts";
import type { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { accountTable } from "../../../src/tables/accounts.ts";
import { aliasTable } from "../../../src/tables/aliases.ts";
import { type RowChange, written } from "../../../src/tables/schema/row-change.ts";
import { readModelDifferences } from "../../../verification/sqlite/compare-read-model.ts";
import type { TestDatabase } from "../../../verification/sqlite/test-database.ts";
import { UnreliableReadModel } from "../fakes/unreliable-read-model.ts";
import { testPublisher } from "./test-publisher.ts";
import { testStore } from "./test-store.ts";

export const addressOf = (number: number) =>
  Uint8Array.from({ length: 26 }, (_, index) => (number >>> (8 * (25 - index))) & 255) as Address;
export const account = (number: number, balance: number) =>
  written(accountTable, { address: addressOf(number), balance: BigInt(balance), leaseIn: 0n, leaseOut: 0n });
export const alias = (name: string, owner: number) =>
  written(aliasTable, { name, address: addressOf(owner), takenOver: false });

export class PublishedChain {
  store!: StateStore;
  database!: TestDatabase;
  publisher!: Publisher;
  height = 0;
  readonly readModel = new UnreliableReadModel();
  /** Messages of the publisher about copies. */
  messages: string[] = [];

  private constructor() {
    this.replaceChain();
  }

  /** Chain of two commits, which are published. */
  static async published(): Promise<PublishedChain> {
    const chain = new PublishedChain();
    chain.step(account(1, 10), account(2, 20), alias("one", 1));
    await chain.publish();
    chain.step(account(1, 11));
    await chain.publish();
    chain.expectHealed();
    chain.messages = [];
    return chain;
  }

  /** Replaces the chain by another one. The read model stays. */
  replaceChain(): void {
    ({ store: this.store, database: this.database } = testStore());
    this.height = 0;
    this.start();
  }

  /** Starts a publisher, as a start of the node does. */
  start(options: Partial<Pick<PublisherOptions, "maxWaitingLength">> = {}): void {
    const { store, readModel } = this;
    this.publisher = testPublisher({
      ...{ store, readModel, ...options },
      state: () => ({ version: `block:${this.height}`, height: this.height }),
      onCopy: (message) => this.messages.push(message),
    });
  }

  /** Commits the changes at the next height. */
  step(...changes: readonly RowChange[]): void {
    this.height += 1;
    this.store.commit({ height: this.height, step: 0 }, changes);
  }

  /** Drains until nothing waits, in a limited number of tries. */
  async publish(tries = 5): Promise<void> {
    for (let count = 0; count < tries; count++) {
      const hasFailed = await this.publisher.drain().then(
        () => false,
        () => true,
      );
      if (!hasFailed) return;
    }
    throw new Error("not published");
  }

  /** Number of pending entries. */
  outboxSize(): number {
    return Number(this.store.scalar("SELECT COUNT(*) FROM outbox"));
  }

  differences() {
    return readModelDifferences(this.database.database, this.readModel.sqlite);
  }

  expectHealed(): void {
    expect(this.differences()).toEqual([]);
    expect(this.readModel.chain?.is_whole).toBe(1);
    expect(this.publisher.isUpToDate).toBe(true);
  }
}

/** Read model of another chain, with this number of accounts. */
export async function otherChain(accounts: number) {
  const other = testStore();
  const theirs = new UnreliableReadModel();
  const changes = Array.from({ length: accounts }, (_, index) => account(1_000 + index, 7));
  other.store.commit({ height: 1, step: 0 }, [...changes, alias("theirs", 1_000)]);
  await testPublisher({ store: other.store, readModel: theirs, genesis: "other genesis" }).drain();
  return theirs.sqlite;
}
