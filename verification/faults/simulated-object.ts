/**
 * Simulates Cloudflare for a node: durable storage, one alarm, a cron, a clock, and crashes at any instant. A task runs
 * until the node waits for something outside of it. Its writes are on disk at its end, or at an earlier statement;
 * before that, no message leaves the object.
 */
import type { ReadModelSink } from "../../durable/chain-state/publish/read-model-sink.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";
import { type FailingDatabase, type Failure, failingDatabase } from "../sqlite/failing-database.ts";
import type { NodeDatabase } from "../sqlite/node-database.ts";
import type { TestDatabase } from "../sqlite/test-database.ts";
import type { Connection, DistantReadModel } from "./distant-read-model.ts";

/** Fault within a task. */
export type TaskFault =
  | Failure
  /** The object ends at the statement. @param persists true: earlier writes of the task are on disk */
  | { readonly kind: "killed"; readonly after: number; readonly persists: boolean };

export type TaskResult<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown }
  /** The task waits for something outside, or the object has ended. */
  | { readonly kind: "silent" };

export interface TaskEnd<T> {
  readonly result: TaskResult<T>;
  /** True if the fault took effect: a task may end before it. */
  readonly isHit: boolean;
}

export interface SimulatedObjectOptions {
  readonly storage: NodeDatabase;
  readonly readModel: DistantReadModel;
  readonly open: (options: {
    readonly database: TestDatabase;
    readonly readModel: ReadModelSink;
    readonly wakeAt: (timeMs: number) => Promise<void>;
  }) => SimulatedNode;
  /** The object's clock. */
  readonly nowMs: () => number;
}

/** An alarm overdue for longer has failed. @see ChainState.wake */
const OVERDUE_MS = 2_000;

/** Delay before a failed alarm is retried. */
const ALARM_RETRY_MS = 2_000;

interface Living {
  readonly database: FailingDatabase;
  readonly connection: Connection;
  node: SimulatedNode | undefined;
}

export class SimulatedObject {
  /** Time by the object's clock. */
  alarmMs: number | undefined;
  readonly #options: SimulatedObjectOptions;
  #living: Living | undefined;
  /** True if the object ends with the task. */
  #isDying = false;
  /** Failed tasks since the object was loaded. */
  failures = 0;
  tasks = 0;

  constructor(options: SimulatedObjectOptions) {
    this.#options = options;
  }

  /** Undefined while it is not in memory. */
  get node(): SimulatedNode | undefined {
    return this.#living?.node;
  }

  /** Removes the object from memory between two tasks. */
  evict(): void {
    this.#living?.connection.close();
    this.#living = undefined;
    this.failures = 0;
  }

  /** Fires the alarm. A failed one fires again. */
  async alarm(fault?: TaskFault): Promise<TaskEnd<void>> {
    const end = await this.runTask(
      ({ node }) => node.work(),
      fault,
      () => {
        this.alarmMs = undefined;
      },
    );
    if (end.result.kind === "failed") this.alarmMs ??= this.#options.nowMs() + ALARM_RETRY_MS;
    return end;
  }

  /** Like `ChainState.wake`, which the cron calls. */
  wake(fault?: TaskFault): Promise<TaskEnd<void>> {
    return this.runTask(async ({ node }) => {
      if (this.alarmMs !== undefined && this.alarmMs < this.#options.nowMs() - OVERDUE_MS) await node.work();
      await node.wake();
    }, fault);
  }

  /**
   * Runs a call of the object until it waits for something outside.
   * @param before platform's action at the beginning of the task
   */
  async runTask<T>(
    run: (node: SimulatedNode) => T | Promise<T>,
    fault?: TaskFault,
    before: () => void = () => {},
  ): Promise<TaskEnd<T>> {
    const { storage, readModel } = this.#options;
    this.tasks += 1;
    const living = this.#awake();
    const start = { alarmMs: this.alarmMs, sent: readModel.sent };
    this.#isDying = fault?.kind === "killed";
    if (this.#isDying) storage.database.exec("SAVEPOINT turn");
    if (fault !== undefined) living.database.fail(fault.kind === "killed" ? { ...fault, kind: "dead" } : fault);
    let result: TaskResult<T> = { kind: "silent" };
    const running = (async () => {
      before();
      return await run(this.#open(living));
    })();
    running.then(
      (value) => {
        result = { kind: "done", value };
      },
      (error: unknown) => {
        result = { kind: "failed", error };
      },
    );
    await allSettled();
    if (fault?.kind === "killed") {
      this.#kill(fault.persists, start);
      return { result: { kind: "silent" }, isHit: true };
    }
    const isHit = fault !== undefined && living.database.mend() > fault.after;
    if (isHit) this.failures += 1;
    // An object whose start fails is not in memory.
    if (living.node === undefined) this.evict();
    return { result: result, isHit };
  }

  #kill(keeps: boolean, start: { readonly alarmMs: number | undefined; readonly sent: number }): void {
    const { storage, readModel } = this.#options;
    storage.database.exec(keeps ? "RELEASE turn" : "ROLLBACK TO turn; RELEASE turn");
    // An alarm whose handler was running fires again.
    if (!keeps || this.alarmMs === undefined) this.alarmMs = start.alarmMs;
    if (!keeps) readModel.withdraw(start.sent);
    this.evict();
  }

  #awake(): Living {
    this.#living ??= {
      database: failingDatabase(this.#options.storage),
      connection: this.#options.readModel.connect(),
      node: undefined,
    };
    return this.#living;
  }

  /** True for code still running of an object that has ended. */
  #hasEnded(living: Living): boolean {
    if (this.#living !== living) return true;
    if (!this.#isDying) return false;
    try {
      living.database.exec("SELECT 1");
      return false;
    } catch {
      return true;
    }
  }

  #open(living: Living): SimulatedNode {
    living.node ??= this.#options.open({
      database: living.database,
      readModel: living.connection,
      wakeAt: async (timeMs) => {
        if (this.#hasEnded(living)) return new Promise(() => {});
        this.alarmMs = timeMs;
      },
    });
    living.node.nowMs = this.#options.nowMs();
    return living.node;
  }
}

/** Resolves when everything waits for a response from outside. */
function allSettled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
