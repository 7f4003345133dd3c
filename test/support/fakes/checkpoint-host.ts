/** Node as ChainState holds it: it is closed while a checkpoint is written or loaded, and opened again afterwards. */
import { Checkpoints } from "../../../durable/chain-state/checkpoint/checkpoints.ts";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import type { CheckpointCalls } from "../../../local/checkpoint/checkpoint-calls.ts";
import { UsageError } from "../../../local/cli/usage-error.ts";
import type { NetworkSettings } from "../../../src/network/settings.ts";
import { SimulatedNode, type SimulationOptions } from "../../../verification/simulation/simulated-node.ts";
import { type TestDatabase, testDatabase } from "../../../verification/sqlite/test-database.ts";

export class CheckpointHost {
  readonly database: TestDatabase;
  readonly settings: NetworkSettings;
  nowMs: number;
  /** Time at which the host wants its next call. */
  lookAtMs: number | undefined;
  /** Publication that the node waits for before it is closed. */
  published: Promise<void> = Promise.resolve();
  readonly #checkpoints: Checkpoints;
  #node: SimulatedNode | undefined;

  constructor(settings: NetworkSettings, { nowMs, database = testDatabase() }: HostOptions) {
    this.settings = settings;
    this.database = database;
    this.nowMs = nowMs;
    this.#startNodeIfMay();
    this.#checkpoints = new Checkpoints({
      ...{ store: new StateStore(database), settings, nowMs: () => this.nowMs },
      node: () => this.#node?.node,
      endNode: async () => {
        await this.published;
        this.#node = undefined;
      },
      startNode: async () => this.#start(),
      scheduleCheck: async (timeMs) => {
        this.lookAtMs = timeMs;
      },
    });
  }

  get node(): SimulatedNode {
    if (this.#node === undefined) throw new Error(this.#checkpoints.reason);
    return this.#node;
  }

  get hasNode(): boolean {
    return this.#node !== undefined;
  }

  readonly call: CheckpointCalls = async (call) => {
    const result = await this.#checkpoints.call(call);
    if (result.kind === "refused") throw new UsageError(result.reason);
    return result;
  };

  look(): Promise<void> {
    return this.#checkpoints.checkExpiry();
  }

  /** Another process over the same database. */
  again(): CheckpointHost {
    const { nowMs, database } = this;
    return new CheckpointHost(this.settings, { nowMs, database });
  }

  #startNodeIfMay(): void {
    const store = new StateStore(this.database);
    const isNew = store.scalar("SELECT 1 FROM sqlite_master WHERE name = 'meta'") === undefined;
    if (isNew || store.findMeta("checkpointLoading") === undefined) this.#start();
  }

  #start(): void {
    const { blockchain, node } = this.settings;
    this.#node = new SimulatedNode({ blockchain, node, startMs: this.nowMs, database: this.database });
  }
}

interface HostOptions extends Pick<SimulationOptions, "database"> {
  readonly nowMs: number;
}
