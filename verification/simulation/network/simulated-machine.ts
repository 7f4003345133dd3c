/**
 * A node of a simulated network: the object of its chain and the object of its peers, which call each other, durable
 * databases, and a host. It can crash at any instant, as a whole or one of the two objects, and restarts from its
 * databases.
 */

import { hubMethods } from "../../../durable/chain-state/peers/dispatch-hub-call.ts";
import type { SinkRows } from "../../../durable/chain-state/publish/read-model-sink.ts";
import type { Cancel, Connection } from "../../../durable/peer-hub/connection.ts";
import type { ChainForPeers, ChainListener } from "../../../src/rpc/chain-for-peers.ts";
import { nodeDatabase } from "../../sqlite/node-database.ts";
import { type ChainObject, openChainObject } from "./chain-object.ts";
import { Lifetime, timersOf } from "./lifetime.ts";
import type { MachineOptions, TaskCrash } from "./machine-options.ts";
import { openPeersObject, type PeersObject } from "./peers-object.ts";
import { type Callee, remoteCalls } from "./remote-calls.ts";

/** Delay before a failed alarm is retried. */
const ALARM_RETRY_MS = 2_000;
/** Longest latency of a call between two objects, one way. */
const HOP_MS = 2;
const MOST_PUBLICATION_MS = 100;
/** Time after which a call to an unavailable read model fails. @see TIME_LIMIT_MS of `d1Sink` */
const MOST_SILENCE_MS = 40_000;
export const READ_MODEL_AWAY = "the read model is away";

export class SimulatedMachine {
  readonly name: string;
  readonly options: MachineOptions;
  /** Time at which its read model is available again. */
  readModelAvailableMs = 0;
  /** Database of the chain's object. */
  readonly storage = nodeDatabase();
  /** Database of the peers' object. */
  readonly #peersStorage = nodeDatabase();
  #alarmMs: number | undefined;
  #cancelAlarm: Cancel = () => {};
  #isUp = false;
  #isMining = true;
  #chain: ChainObject | undefined;
  #peers: PeersObject | undefined;
  readonly #chainCallee: Callee<ChainForPeers>;
  readonly #lastArrivalMs = { toChain: 0, toPeers: 0 };

  constructor(options: MachineOptions) {
    this.options = options;
    this.name = `${options.isLight ? "light node" : "node"} ${options.index + 1}`;
    this.#chainCallee = {
      enter: (run, failed) => this.enterChain(({ calls, lifetime }) => run(calls, lifetime), failed),
      respond: (run) => this.#hop("toPeers", run),
    };
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** The object in memory, for reading. */
  get chain(): ChainObject | undefined {
    return this.#chain;
  }

  get peers(): PeersObject | undefined {
    return this.#peers;
  }

  nowMs(): number {
    return this.options.clock.nowMs() + this.options.skewMs;
  }

  start(): void {
    if (this.#isUp) return;
    this.#isUp = true;
    this.enterChain(
      ({ node }) => void node.wake(),
      () => {},
    );
    this.#armAlarm();
    this.startPeers();
  }

  /** Ends both objects between two tasks. */
  kill(): void {
    this.#isUp = false;
    this.endChain();
    this.endPeers();
    this.#cancelAlarm();
  }

  /** Ends the node for good. */
  close(): void {
    this.kill();
    this.storage.database.close();
    this.#peersStorage.database.close();
  }

  /** Ends the chain's object. The next call or alarm loads it again. */
  endChain(): void {
    const chain = this.#chain;
    this.#chain = undefined;
    chain?.lifetime.end();
    // Its work in progress has no effect.
    chain?.database.fail({ kind: "dead", after: 0 });
  }

  /** Ends the peers' object, with its connections. */
  endPeers(): void {
    const { host, internet } = this.options;
    const peers = this.#peers;
    this.#peers = undefined;
    host.accept = undefined;
    host.processNumber += 1;
    peers?.lifetime.end();
    internet.cut((hosts) => hosts.includes(host));
  }

  /** Loads the peers' object, if it is not in memory. */
  startPeers(): void {
    if (!this.#isUp || this.#peers !== undefined) return;
    const { options } = this;
    const life = new Lifetime();
    const peers = openPeersObject({
      lifetime: life,
      machine: options,
      timers: timersOf(life, options.clock, options.skewMs),
      storage: this.#peersStorage,
      chain: remoteCalls(life, this.#chainCallee, chainMethods),
    });
    this.#peers = peers;
    options.host.accept = (connection: Connection) => peers.peering.accept(connection);
    peers.peering.start();
  }

  /** Starts or stops forging. */
  mine(isMining: boolean): void {
    this.#isMining = isMining;
    this.enterChain(
      ({ node }) => {
        node.mine(isMining);
        void node.schedule();
      },
      () => {},
    );
  }

  /**
   * Runs a call in the chain's object, in a task of its own.
   * @param failed called when it cannot be run
   */
  enterChain(run: (chain: ChainObject) => void, failed: (error: Error) => void): void {
    let end: TaskCrash | undefined;
    const alarmMs = this.#alarmMs;
    this.#hop(
      "toChain",
      () => {
        if (!this.#isUp) {
          failed(new Error("the process is gone"));
          return;
        }
        end = this.options.drawTaskCrash();
        if (end !== undefined) this.storage.database.exec("SAVEPOINT turn");
        const chain = this.#openChain(end);
        if (chain !== undefined) run(chain);
      },
      () => {
        if (end !== undefined) this.#die(end, alarmMs);
      },
    );
  }

  /** Sends a request to the chain's object. @param onResult not called when the object ends before, or fails */
  request<T>(request: (chain: ChainObject) => Promise<T>, onResult: (result: T) => void): void {
    this.enterChain(
      (chain) => {
        const leave = (run: () => void): void => this.#hop("toPeers", () => !chain.lifetime.isOver && run());
        request(chain).then(
          (result) => leave(() => onResult(result)),
          (error: unknown) => leave(() => this.options.failed(error)),
        );
      },
      () => {},
    );
  }

  #openChain(end: TaskCrash | undefined): ChainObject | undefined {
    if (this.#chain !== undefined) {
      if (end !== undefined) this.#chain.database.fail({ kind: "dead", after: end.after });
      return this.#chain;
    }
    const { options } = this;
    const life = new Lifetime();
    try {
      this.#chain = openChainObject({
        lifetime: life,
        machine: options,
        nowMs: () => this.nowMs(),
        storage: this.storage,
        deadAfter: end?.after,
        wakeAt: (timeMs) => {
          if (life.isOver) return;
          this.#alarmMs = timeMs;
          this.#armAlarm();
        },
        peers: this.#listener(life),
        readModel: { batch: () => this.#publish(life) },
      });
    } catch (error) {
      // The process ends during its start.
      if (end === undefined) throw error;
      return undefined;
    }
    this.#chain.node.mine(this.#isMining);
    return this.#chain;
  }

  /** Ends the process in a task. */
  #die({ persists }: TaskCrash, alarmMs: number | undefined): void {
    this.kill();
    this.storage.database.exec(persists ? "RELEASE turn" : "ROLLBACK TO turn; RELEASE turn");
    if (!persists || this.#alarmMs === undefined) this.#alarmMs = alarmMs;
    this.options.died();
  }

  /** A publication that takes time; its rows are discarded. */
  #publish(life: Lifetime): Promise<readonly SinkRows[]> {
    const { clock, random } = this.options;
    const { after } = timersOf(life, clock, 0);
    return new Promise((resolve, reject) => {
      const isAway = this.readModelAvailableMs > clock.nowMs();
      if (isAway) after(random.below(MOST_SILENCE_MS), () => reject(new Error(READ_MODEL_AWAY)));
      else after(random.below(MOST_PUBLICATION_MS), () => resolve([]));
    });
  }

  /** Notifies the peers' object of chain events. */
  #listener(life: Lifetime): ChainListener {
    return {
      onChainEvents: (events) =>
        new Promise((resolve) => {
          const copied = structuredClone(events);
          const respond = (): void => this.#hop("toChain", () => !life.isOver && resolve());
          this.#hop("toPeers", () => {
            if (life.isOver) return;
            // A call loads an object that is not in memory.
            this.startPeers();
            void this.#peers?.peering.onChainEvents(copied).then(respond);
          });
        }),
    };
  }

  #armAlarm(): void {
    this.#cancelAlarm();
    const alarmMs = this.#alarmMs;
    if (alarmMs === undefined) return;
    this.#cancelAlarm = this.options.clock.after(alarmMs - this.nowMs(), () => this.#ring());
  }

  #ring(): void {
    const again = (): void => {
      this.#alarmMs ??= this.nowMs() + ALARM_RETRY_MS;
      if (this.#isUp) this.#armAlarm();
    };
    this.enterChain(({ node }) => {
      this.#alarmMs = undefined;
      node.work().catch(again);
    }, again);
  }

  /** Delivers a call or a result after earlier ones of the same direction. */
  #hop(way: "toChain" | "toPeers", run: () => void, settled?: () => void): void {
    const { clock, random } = this.options;
    const nowMs = clock.nowMs();
    const arrivalMs = Math.max(this.#lastArrivalMs[way], nowMs + random.below(HOP_MS + 1));
    this.#lastArrivalMs[way] = arrivalMs;
    clock.after(arrivalMs - nowMs, run, settled);
  }
}

const chainMethods = Object.keys(hubMethods) as (keyof ChainForPeers)[];
