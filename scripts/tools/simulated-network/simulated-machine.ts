/**
 * A node of a simulated network: the object of its chain and the object of its peers, which call each other, the databases that
 * outlive them, and a host. It can end at any instant, whole or one of the two objects alone, and comes back from what it has
 * written.
 */
import type { ChainForPeers, ChainListener } from "../../../durable/peers/chain-for-peers.ts";
import type { Cancel, Connection } from "../../../durable/peers/connection.ts";
import type { SinkRows } from "../../../durable/publish/read-model-sink.ts";
import { nodeDatabase } from "../sqlite/node-database.ts";
import { type ChainObject, openChainObject } from "./chain-object.ts";
import { Life, timersOf } from "./life.ts";
import type { MachineFacts, TurnEnd } from "./machine-facts.ts";
import { openPeersObject, type PeersObject } from "./peers-object.ts";
import { type Callee, remoteCalls } from "./remote-calls.ts";

/** An alarm that failed is tried again after this time. */
const ALARM_RETRY_MS = 2_000;
/** What a call between two objects takes at most, one way. */
const HOP_MS = 2;
const MOST_PUBLICATION_MS = 100;
/** Whoever asks a read model that is away hears of it by then. @see TIME_LIMIT_MS of `d1Sink` */
const MOST_SILENCE_MS = 40_000;
export const READ_MODEL_AWAY = "the read model is away";

export class SimulatedMachine {
  readonly name: string;
  readonly facts: MachineFacts;
  /** When its read model answers again. */
  readModelBackMs = 0;
  /** What the chain's object has written. */
  readonly storage = nodeDatabase();
  /** What the peers' object has written. */
  readonly #peersStorage = nodeDatabase();
  #alarmMs: number | undefined;
  #cancelAlarm: Cancel = () => {};
  #isUp = false;
  #isMining = true;
  #chain: ChainObject | undefined;
  #peers: PeersObject | undefined;
  readonly #chainCallee: Callee<ChainForPeers>;
  readonly #lastArrivalMs = { toChain: 0, toPeers: 0 };

  constructor(facts: MachineFacts) {
    this.facts = facts;
    this.name = `${facts.isLight ? "light node" : "node"} ${facts.index + 1}`;
    this.#chainCallee = {
      enter: (run, failed) => this.enterChain(({ calls, life }) => run(calls, life), failed),
      leave: (run) => this.#hop("toPeers", run),
    };
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** The object in memory, for looking. */
  get chain(): ChainObject | undefined {
    return this.#chain;
  }

  get peers(): PeersObject | undefined {
    return this.#peers;
  }

  nowMs(): number {
    return this.facts.clock.nowMs() + this.facts.skewMs;
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

  /** Everything ends, between two turns. */
  kill(): void {
    this.#isUp = false;
    this.endChain();
    this.endPeers();
    this.#cancelAlarm();
  }

  /** Everything ends for good. */
  close(): void {
    this.kill();
    this.storage.database.close();
    this.#peersStorage.database.close();
  }

  /** The chain's object leaves memory. Whoever calls it, or its alarm, brings it back. */
  endChain(): void {
    const chain = this.#chain;
    this.#chain = undefined;
    chain?.life.end();
    // What is still under way in it comes to nothing.
    chain?.database.fail({ kind: "dead", after: 0 });
  }

  /** The peers' object leaves memory, and its connections with it. */
  endPeers(): void {
    const { host, internet } = this.facts;
    const peers = this.#peers;
    this.#peers = undefined;
    host.accept = undefined;
    host.life += 1;
    peers?.life.end();
    internet.cut((hosts) => hosts.includes(host));
  }

  /** The peers' object comes into memory, if it is not there. */
  startPeers(): void {
    if (!this.#isUp || this.#peers !== undefined) return;
    const { facts } = this;
    const life = new Life();
    const peers = openPeersObject({
      life,
      facts,
      timers: timersOf(life, facts.clock, facts.skewMs),
      storage: this.#peersStorage,
      chain: remoteCalls(life, this.#chainCallee, chainMethods),
    });
    this.#peers = peers;
    facts.host.accept = (connection: Connection) => peers.peering.accept(connection);
    peers.peering.start();
  }

  /** Makes blocks from now on, or no more. */
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
   * Runs something in the chain's object, in a turn of its own.
   * @param failed is told where it cannot be run
   */
  enterChain(run: (chain: ChainObject) => void, failed: (error: Error) => void): void {
    let end: TurnEnd | undefined;
    const alarmMs = this.#alarmMs;
    this.#hop(
      "toChain",
      () => {
        if (!this.#isUp) {
          failed(new Error("the process is gone"));
          return;
        }
        end = this.facts.turnEnd();
        if (end !== undefined) this.storage.database.exec("SAVEPOINT turn");
        const chain = this.#openChain(end);
        if (chain !== undefined) run(chain);
      },
      () => {
        if (end !== undefined) this.#die(end, alarmMs);
      },
    );
  }

  /** Asks the chain's object for something. @param heard is not called where it ends before, or fails */
  ask<T>(question: (chain: ChainObject) => Promise<T>, heard: (answer: T) => void): void {
    this.enterChain(
      (chain) => {
        const leave = (run: () => void): void => this.#hop("toPeers", () => !chain.life.isOver && run());
        question(chain).then(
          (answer) => leave(() => heard(answer)),
          (error: unknown) => leave(() => this.facts.failed(error)),
        );
      },
      () => {},
    );
  }

  #openChain(end: TurnEnd | undefined): ChainObject | undefined {
    if (this.#chain !== undefined) {
      if (end !== undefined) this.#chain.database.fail({ kind: "dead", after: end.after });
      return this.#chain;
    }
    const { facts } = this;
    const life = new Life();
    try {
      this.#chain = openChainObject({
        life,
        facts,
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
      // A start during which the process ends.
      if (end === undefined) throw error;
      return undefined;
    }
    this.#chain.node.mine(this.#isMining);
    return this.#chain;
  }

  /** The process ends in a turn. */
  #die({ keeps }: TurnEnd, alarmMs: number | undefined): void {
    this.kill();
    this.storage.database.exec(keeps ? "RELEASE turn" : "ROLLBACK TO turn; RELEASE turn");
    if (!keeps || this.#alarmMs === undefined) this.#alarmMs = alarmMs;
    this.facts.died();
  }

  /** Nobody reads it, but it takes its time. */
  #publish(life: Life): Promise<readonly SinkRows[]> {
    const { clock, random } = this.facts;
    const { after } = timersOf(life, clock, 0);
    return new Promise((resolve, reject) => {
      const isAway = this.readModelBackMs > clock.nowMs();
      if (isAway) after(random.below(MOST_SILENCE_MS), () => reject(new Error(READ_MODEL_AWAY)));
      else after(random.below(MOST_PUBLICATION_MS), () => resolve([]));
    });
  }

  /** What the chain tells its peers, in the other object. */
  #listener(life: Life): ChainListener {
    return {
      told: (news) =>
        new Promise((resolve) => {
          const copied = structuredClone(news);
          const answer = (): void => this.#hop("toChain", () => !life.isOver && resolve());
          this.#hop("toPeers", () => {
            if (life.isOver) return;
            // An object that is not in memory comes there when it is called.
            this.startPeers();
            void this.#peers?.peering.told(copied).then(answer);
          });
        }),
    };
  }

  #armAlarm(): void {
    this.#cancelAlarm();
    const alarmMs = this.#alarmMs;
    if (alarmMs === undefined) return;
    this.#cancelAlarm = this.facts.clock.after(alarmMs - this.nowMs(), () => this.#ring());
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

  /** Lets a call or an answer travel: behind those that went the same way before. */
  #hop(way: "toChain" | "toPeers", run: () => void, settled?: () => void): void {
    const { clock, random } = this.facts;
    const nowMs = clock.nowMs();
    const arrivalMs = Math.max(this.#lastArrivalMs[way], nowMs + random.below(HOP_MS + 1));
    this.#lastArrivalMs[way] = arrivalMs;
    clock.after(arrivalMs - nowMs, run, settled);
  }
}

const methods: Readonly<Record<keyof ChainForPeers, true>> = {
  standing: true,
  lastBlockIds: true,
  blockIdsAfter: true,
  findBlock: true,
  findBlockSnapshot: true,
  findMicroBlockSnapshot: true,
  applyBlock: true,
  applyExtension: true,
  applyMicroBlock: true,
  offerTransactions: true,
  votingRound: true,
  applyEndorsements: true,
  connected: true,
};
const chainMethods = Object.keys(methods) as (keyof ChainForPeers)[];
