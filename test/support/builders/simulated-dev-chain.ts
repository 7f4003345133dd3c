/** Dev chain over a database in memory, with a wall clock that only the test moves, and a D1 that follows. */
import type { DatabaseSync } from "node:sqlite";
import type { MiningMode } from "../../../durable/chain-state/dev/block-controls.ts";
import { DevChain } from "../../../durable/chain-state/dev/dev-chain.ts";
import { DevClock } from "../../../durable/chain-state/dev/dev-clock.ts";
import { Impersonation } from "../../../durable/chain-state/dev/impersonation.ts";
import { Node } from "../../../durable/chain-state/node.ts";
import { d1Sink, type ReadModelSink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { openTables } from "../../../durable/chain-state/state/open-tables.ts";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import type { SubmissionResult } from "../../../src/env.ts";
import { devSettings } from "../../../src/network/dev-settings.ts";
import { privateNetwork, privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import type { NetworkSettings } from "../../../src/network/settings.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { genesisText } from "../../../src/tables/chain.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { type TestDatabase, testDatabase } from "../../../verification/sqlite/test-database.ts";

export interface DevSimulationOptions {
  /** By default automine without an interval. */
  readonly defaultMiningMode?: MiningMode;
  /** By default those of the private network. */
  readonly settings?: NetworkSettings;
  readonly wallMs?: number;
  /** Called before and after each batch of the read model. */
  readonly onBatch?: () => Promise<void>;
}

export class SimulatedDevChain {
  readonly database: TestDatabase = testDatabase();
  readonly settings: NetworkSettings;
  /** Read model, and its tables. */
  readonly d1: D1Database;
  readonly readModel: DatabaseSync;
  readonly #sink: ReadModelSink;
  readonly #random = new SeededRandom("dev");
  readonly #defaultMiningMode: MiningMode;
  readonly #onBatch: () => Promise<void>;
  /** Number of statements of each publication. */
  readonly batches: number[] = [];
  wallMs: number;
  /** Next alarm of the object, by the wall clock. */
  alarmMs: number | undefined;
  clock!: DevClock;
  node!: Node;
  dev!: DevChain;

  constructor({
    defaultMiningMode = { automine: true, intervalMs: null },
    settings = devSettings(privateNetwork),
    wallMs = 1_700_000_000_000,
    onBatch = async () => {},
  }: DevSimulationOptions = {}) {
    const { d1, sqlite } = d1Double();
    this.d1 = d1;
    this.readModel = sqlite;
    this.#sink = d1Sink(d1);
    this.settings = settings;
    this.#defaultMiningMode = defaultMiningMode;
    this.#onBatch = onBatch;
    this.wallMs = wallMs;
    this.restart();
  }

  /** Evicts the object and creates it again on its tables. */
  restart(): void {
    const { database, settings } = this;
    const store = new StateStore(database);
    openTables(store, genesisText(settings.blockchain));
    this.clock = new DevClock(store, () => this.wallMs);
    const impersonation = new Impersonation(settings, store);
    const random = (sizeBytes: number) => this.#random.bytes(sizeBytes);
    this.node = new Node({
      settings,
      walletSeed: privateNetworkSecrets.walletSeed,
      database,
      readModel: {
        batch: async (statements) => {
          this.batches.push(statements.length);
          await this.#onBatch();
          const rows = await this.#sink.batch(statements);
          await this.#onBatch();
          return rows;
        },
      },
      nowMs: () => this.clock.nowMs(),
      random,
      wakeAt: async (timeMs) => {
        this.alarmMs = this.clock.wallMsAt(timeMs);
      },
      connectedPeers: () => 0,
      exemption: impersonation.exemption,
    });
    this.node.mine(true);
    const { node, clock } = this;
    const othersTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
    this.dev = new DevChain({
      node,
      clock,
      defaultMiningMode: this.#defaultMiningMode,
      random,
      impersonation,
      yieldToEventLoop: othersTurn,
    });
  }

  get height(): number {
    return this.node.chain.view.height;
  }

  /** Timestamp of the block at the height, by default of the tip. */
  timestampMs(height = this.height): number {
    return Number(this.node.chain.view.findHeader(height)?.header.timestamp);
  }

  /** Submits transactions as one batch, until each has its result. */
  async broadcast(...transactions: readonly Transaction[]): Promise<readonly SubmissionResult[]> {
    const submissions = transactions.map((transaction) => ({ signedTransaction: encodeProtobuf(transaction) }));
    const results: SubmissionResult[] = [];
    while (results.length < submissions.length)
      results.push(...(await this.node.poolCalls.broadcastAll(submissions.slice(results.length))));
    return results;
  }

  /** Moves the clock; the object wakes at its alarms. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.wallMs + byMs;
    while (this.alarmMs !== undefined && this.alarmMs <= endMs) {
      this.wallMs = Math.max(this.wallMs, this.alarmMs);
      this.alarmMs = undefined;
      await this.node.work();
      await this.node.publish();
    }
    this.wallMs = endMs;
  }

  /** Height of a transaction in the read model. */
  readHeight(transaction: Transaction): number | undefined {
    const row = this.readModel.prepare("SELECT height FROM tx WHERE id = ?").get(transaction.id);
    return row === undefined ? undefined : Number(row["height"]);
  }
}
