/**
 * When a dev chain gets blocks: for each transaction, after so much time, or when its owner asks. They are valid blocks of a
 * generator of this node; where its turn comes later than the clock shows, the clock is put forward to it.
 */
import * as z from "zod";
import { LAST_TIME_MS } from "../../src/network/dev-settings.ts";
import { Feature } from "../../src/network/features.ts";
import type { Block } from "../../src/protocol/blocks/block.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import type { Chain } from "../chain/open-chain.ts";
import type { BlockProduction, Miner, MinerStep } from "../miner/miner.ts";
import { findObstacle } from "../miner/mining-obstacle.ts";
import { tipTimestampMs } from "../miner/mining-schedule.ts";
import type { Offered, Outcome, UtxPool } from "../pool/utx-pool.ts";
import type { DevClock } from "./dev-clock.ts";
import { findRecord, jsonRecord, type MetaRecords } from "./kept-record.ts";
import { DevRefused, stateExchanged } from "./refusal.ts";

/** Blocks that are made in one go, while nobody is answered. */
const SLICE_BLOCKS = 64;
/** Transactions that get a block each in one go. */
const SLICE_TRANSACTIONS = 16;

/** What its owner may choose. */
export interface Pace {
  /** Whether each transaction gets a block at once. */
  readonly automine: boolean;
  /** How long after a block the next one comes by itself, ms by the clock of the wall; null: never. */
  readonly intervalMs: number | null;
}

interface PaceRecord extends Pace {
  /** When the next block comes by itself, by the clock of the wall. */
  readonly nextBlockWallMs: number;
}

export const paceRecord = jsonRecord<PaceRecord>(
  "devPace",
  z.object({
    automine: z.boolean(),
    intervalMs: z.int().min(1).max(LAST_TIME_MS).nullable(),
    // After an interval from the present.
    nextBlockWallMs: z
      .int()
      .min(0)
      .max(2 * LAST_TIME_MS),
  }),
);

export interface BlockControlFacts {
  readonly miner: Pick<Miner, "schedule" | "makeKeyBlock" | "makeMicroBlock" | "microBlockDueMs">;
  readonly chain: Pick<Chain, "view" | "forks">;
  readonly pool: UtxPool;
  readonly clock: DevClock;
  readonly meta: MetaRecords;
  /** Where nobody has chosen any. */
  readonly usualPace: Pace;
  /** Whether blocks come without being asked for. */
  readonly isMining: () => boolean;
  /** Takes back what stands above the height; nobody is told yet. */
  readonly takeBack: (height: number) => void;
  /** See `Node.attempt`. */
  readonly attempt: <T>(run: () => T) => Promise<Awaited<T>>;
  /** Resolves when readers see the chain as it is, or have to wait because the read model does not answer. */
  readonly publish: () => Promise<void>;
  /** Resolves after whoever waits to be answered has had a turn. */
  readonly othersTurn: () => Promise<void>;
}

export class BlockControls implements BlockProduction {
  readonly #facts: BlockControlFacts;
  #pace: PaceRecord;
  #generation = 0;

  constructor(facts: BlockControlFacts) {
    this.#facts = facts;
    this.#pace = this.#readPace();
  }

  get pace(): Pace {
    return this.#pace;
  }

  /** Is another one as soon as another state is in the place of this one. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * To be called after somebody else has changed what is kept. The next block comes after a whole interval, and who is mining
   * ends: those blocks were for the state that is gone.
   */
  reload(): void {
    this.#generation += 1;
    this.#pace = this.#readPace();
    this.#waitInterval();
  }

  /** @param chosen the rest stays */
  choosePace(chosen: Partial<Pace>): void {
    this.#put({ ...this.#pace, ...chosen });
    this.#waitInterval();
  }

  /**
   * Makes blocks now, the first of them with what the pool has.
   * @param intervalMs timestamps are at least so far apart
   * @throws RuleError, DevRefused why there can be none, or that the state was exchanged meanwhile
   */
  async mine(blocks: number, intervalMs = 0): Promise<void> {
    const { publish, othersTurn, pool, attempt } = this.#facts;
    const generation = this.#generation;
    for (let made = 0; made < blocks; ) {
      made += await attempt(() => {
        this.#expectGeneration(generation);
        return pool.size > 0 || made === 0 ? this.#makeFull(intervalMs) : this.#makeEmpty(blocks - made, intervalMs);
      });
      // The outbox stays short. Where the read model does not answer nobody waits for it, nor has a turn meanwhile.
      await publish();
      await othersTurn();
    }
    this.#expectGeneration(generation);
  }

  /** @throws DevRefused where the state is another one since then */
  #expectGeneration(generation: number): void {
    if (generation !== this.#generation) throw new DevRefused(stateExchanged);
  }

  /** Why no block can be made now, in words; undefined: one can. */
  obstacle(): string | undefined {
    const { miner, clock, chain } = this.#facts;
    const dueMs = Math.max(clock.nextBlockMs ?? clock.nowMs(), Number(tipTimestampMs(chain.view)) + 1);
    return dueMs > LAST_TIME_MS ? `the chain's time ends at ${LAST_TIME_MS}` : findObstacle(miner.schedule());
  }

  /**
   * Makes a block now, and from NG on puts nothing into it.
   * @returns takes it back, with what stands on it: as if it had not been made
   * @throws RuleError, DevRefused why there can be none
   */
  makeEmptyBlock(): () => void {
    const { chain, clock, takeBack } = this.#facts;
    const { height } = chain.view;
    const { nextBlockMs } = clock;
    this.#makeKeyBlock();
    return () => {
      takeBack(height);
      clock.expectBlock(nextBlockMs);
    };
  }

  /** One block with what the pool has. */
  #makeFull(intervalMs: number): number {
    this.#makeKeyBlock(intervalMs);
    this.#fill();
    return 1;
  }

  #makeEmpty(atMost: number, intervalMs: number): number {
    const blocks = Math.min(atMost, SLICE_BLOCKS);
    this.#facts.chain.forks.inBatch(() => {
      for (let made = 0; made < blocks; made++) this.#makeKeyBlock(intervalMs);
    });
    return blocks;
  }

  // BlockProduction.

  nextWakeMs(nowMs: number): number | undefined {
    const { clock, miner } = this.#facts;
    const { intervalMs, nextBlockWallMs, automine } = this.#pace;
    if (intervalMs === null) return undefined;
    const keyBlockMs = clock.timeMsAt(nextBlockWallMs);
    const microBlockMs = automine ? undefined : miner.microBlockDueMs();
    return Math.max(Math.min(keyBlockMs, microBlockMs ?? keyBlockMs), nowMs);
  }

  run(nowMs: number): MinerStep {
    const { clock, miner } = this.#facts;
    const { intervalMs, nextBlockWallMs, automine } = this.#pace;
    if (intervalMs === null) return { kind: "nothing" };
    if (clock.timeMsAt(nextBlockWallMs) <= nowMs) {
      // Whatever fails below is not tried again at once.
      this.#waitInterval();
      if (this.obstacle() !== undefined) return { kind: "nothing" };
      const block = this.#makeKeyBlock();
      if (automine) this.#fill();
      return { kind: "keyBlock", block };
    }
    const microBlockMs = automine ? undefined : miner.microBlockDueMs();
    const microBlock =
      microBlockMs === undefined || microBlockMs > nowMs ? undefined : miner.makeMicroBlock(clock.nowMs());
    return microBlock === undefined ? { kind: "nothing" } : { kind: "microBlock", microBlock };
  }

  admit(offers: readonly Offered[], nowMs: number): readonly Outcome[] {
    const { pool, chain } = this.#facts;
    if (!this.#automines || this.obstacle() !== undefined) return pool.addAll(offers, chain.view, nowMs);
    return offers.slice(0, SLICE_TRANSACTIONS).map((offer) => this.#admitInBlock(offer));
  }

  /** What has no block of its own goes into a micro-block of the one there is, where blocks come by themselves. */
  async admitted(): Promise<boolean> {
    const { attempt, publish, isMining } = this.#facts;
    const fills = !this.#pace.automine && this.#pace.intervalMs !== null && isMining();
    if (fills) await attempt(() => this.#fill());
    if (fills || this.#automines) await publish();
    return true;
  }

  get #automines(): boolean {
    return this.#pace.automine && this.#facts.isMining();
  }

  /** The transaction is judged in the block in which it will be: at its height, with its time. */
  #admitInBlock(offer: Offered): Outcome {
    const { pool, chain } = this.#facts;
    const { id } = offer.transaction;
    if (pool.has(id) || !chain.view.has(Feature.Ng)) return this.#admitBefore(offer);
    const takeBlockBack = this.makeEmptyBlock();
    const outcome = this.#admitAtTip(offer);
    if ("error" in outcome) takeBlockBack();
    else this.#fill();
    return this.#isKept(id) ? outcome : leftOut(outcome);
  }

  /** Before NG transactions stand in the key block. */
  #admitBefore(offer: Offered): Outcome {
    const outcome = this.#admitAtTip(offer);
    if ("error" in outcome || !outcome.isNew) return outcome;
    this.#makeKeyBlock();
    return this.#isKept(offer.transaction.id) ? outcome : leftOut(outcome);
  }

  #admitAtTip(offer: Offered): Outcome {
    const { pool, chain, clock } = this.#facts;
    const [outcome] = pool.addAll([offer], chain.view, clock.nowMs());
    if (outcome === undefined) throw new Error("the pool leaves the first of what it is offered for later");
    return outcome;
  }

  #isKept(id: Offered["transaction"]["id"]): boolean {
    const { pool, chain } = this.#facts;
    return chain.view.findTransaction(id) !== undefined || pool.has(id);
  }

  /** Puts what the pool has, as far as it has room, into micro-blocks of the tip. */
  #fill(): void {
    const { pool, miner, clock } = this.#facts;
    while (pool.size > 0 && miner.makeMicroBlock(clock.nowMs()) !== undefined);
  }

  /** @throws RuleError, DevRefused why there can be none */
  #makeKeyBlock(afterTipMs = 0): Block {
    const { miner, chain, clock } = this.#facts;
    const { next } = miner.schedule();
    const obstacle = this.obstacle();
    if (next === undefined || obstacle !== undefined) throw new DevRefused(`no block can be made: ${obstacle}`);
    const tipMs = Number(tipTimestampMs(chain.view));
    const timestampMs = Math.max(
      clock.nextBlockMs ?? clock.nowMs(),
      Number(next.timestampMs),
      tipMs + Math.max(afterTipMs, 1),
    );
    clock.atLeast(timestampMs);
    const block = miner.makeKeyBlock(timestampMs, clock.nowMs());
    if (block === undefined) throw new Error("the account whose turn it is makes no block");
    clock.blockMade();
    this.#waitInterval();
    return block;
  }

  /** From now on. */
  #waitInterval(): void {
    const { intervalMs } = this.#pace;
    const { clock } = this.#facts;
    if (intervalMs !== null) this.#put({ ...this.#pace, nextBlockWallMs: clock.wallMsAt(clock.nowMs()) + intervalMs });
  }

  #put(pace: PaceRecord): void {
    this.#facts.meta.putMeta(paceRecord.name, JSON.stringify(pace));
    this.#pace = pace;
  }

  #readPace(): PaceRecord {
    return findRecord(this.#facts.meta, paceRecord) ?? { ...this.#facts.usualPace, nextBlockWallMs: 0 };
  }
}

/** What is said of a transaction that the pool took and no block. */
function leftOut(outcome: Outcome): Outcome {
  if ("error" in outcome) return outcome;
  return { error: new RuleError({ code: "generic", message: "No block takes the transaction" }) };
}
