/**
 * Block production of a dev chain: a block for each transaction, after an interval, or on the owner's request. The
 * blocks are valid blocks of a generator of this node; if its turn is later than the clock, the clock is advanced to
 * it.
 */
import * as z from "zod";
import { LAST_TIME_MS } from "../../../src/network/dev-settings.ts";
import { Feature } from "../../../src/network/features.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Chain } from "../chain/open-chain.ts";
import type { BlockProduction, Miner, MinerStep } from "../miner/miner.ts";
import { findObstacle } from "../miner/mining-obstacle.ts";
import { tipTimestampMs } from "../miner/mining-schedule.ts";
import type { AddResult, ParsedSubmission, UtxPool } from "../pool/utx-pool.ts";
import type { DevClock } from "./dev-clock.ts";
import { findRecord, jsonRecord, type MetaStore } from "./meta-record.ts";
import { DevRefused, stateReplaced } from "./refusal.ts";

/** Number of blocks that are forged in one task, while other requests wait. */
const SLICE_BLOCKS = 64;
/** Number of transactions that get a block each in one task. */
const SLICE_TRANSACTIONS = 16;

/** Mining mode, chosen by the owner. */
export interface MiningMode {
  /** Whether each transaction gets a block at once. */
  readonly automine: boolean;
  /** Time between a block and the next automatic one, ms of real time; null: no automatic blocks. */
  readonly intervalMs: number | null;
}

interface MiningModeRecord extends MiningMode {
  /** Real time of the next automatic block, ms. */
  readonly nextBlockWallMs: number;
}

export const miningModeRecord = jsonRecord<MiningModeRecord>(
  "devPace",
  z.object({
    automine: z.boolean(),
    intervalMs: z.int().min(1).max(LAST_TIME_MS).nullable(),
    // An interval after the present at most.
    nextBlockWallMs: z
      .int()
      .min(0)
      .max(2 * LAST_TIME_MS),
  }),
);

export interface BlockControlsOptions {
  readonly miner: Pick<Miner, "schedule" | "makeKeyBlock" | "makeMicroBlock" | "microBlockDueMs">;
  readonly chain: Pick<Chain, "view" | "forks">;
  readonly pool: UtxPool;
  readonly clock: DevClock;
  readonly meta: MetaStore;
  /** Mining mode until the owner chooses one. */
  readonly defaultMiningMode: MiningMode;
  /** Whether blocks are forged automatically. */
  readonly isMining: () => boolean;
  /** Rolls back to the height; no events are sent yet. */
  readonly rollBack: (height: number) => void;
  /** See `Node.attempt`. */
  readonly attempt: <T>(run: () => T) => Promise<Awaited<T>>;
  /** Resolves when readers see the current chain, or have to wait because the read model does not respond. */
  readonly publish: () => Promise<void>;
  /** Resolves after waiting requests had their turn. */
  readonly yieldToEventLoop: () => Promise<void>;
}

export class BlockControls implements BlockProduction {
  readonly #options: BlockControlsOptions;
  #miningMode: MiningModeRecord;
  #generation = 0;

  constructor(options: BlockControlsOptions) {
    this.#options = options;
    this.#miningMode = this.#readMiningMode();
  }

  get miningMode(): MiningMode {
    return this.#miningMode;
  }

  /** Number of the current state; grows when another state replaces it. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * To be called after the stored records were changed elsewhere. The next block comes after a whole interval, and
   * `mine` ends: its blocks were for the former state.
   */
  reload(): void {
    this.#generation += 1;
    this.#miningMode = this.#readMiningMode();
    this.#waitInterval();
  }

  /** @param chosen new values; the others stay */
  setMiningMode(chosen: Partial<MiningMode>): void {
    this.#put({ ...this.#miningMode, ...chosen });
    this.#waitInterval();
  }

  /**
   * Forges blocks now, the first with the pool's transactions.
   * @param intervalMs minimum distance of the timestamps
   * @throws RuleError, DevRefused if no block is possible, or the state was replaced meanwhile
   */
  async mine(blocks: number, intervalMs = 0): Promise<void> {
    const { publish, yieldToEventLoop, pool, attempt } = this.#options;
    const generation = this.#generation;
    for (let count = 0; count < blocks; ) {
      count += await attempt(() => {
        this.#assertGeneration(generation);
        return pool.size > 0 || count === 0 ? this.#makeFull(intervalMs) : this.#makeEmpty(blocks - count, intervalMs);
      });
      // Keeps the outbox short. If the read model does not respond, there is no wait, and no other request has a turn
      // meanwhile.
      await publish();
      await yieldToEventLoop();
    }
    this.#assertGeneration(generation);
  }

  /** @throws DevRefused if another state has replaced that one */
  #assertGeneration(generation: number): void {
    if (generation !== this.#generation) throw new DevRefused(stateReplaced);
  }

  /** Reason why no block can be forged now; undefined: one can. */
  obstacle(): string | undefined {
    const { miner, clock, chain } = this.#options;
    const dueMs = Math.max(clock.nextBlockMs ?? clock.nowMs(), Number(tipTimestampMs(chain.view)) + 1);
    return dueMs > LAST_TIME_MS ? `the chain's time ends at ${LAST_TIME_MS}` : findObstacle(miner.schedule());
  }

  /**
   * Forges a block now; from NG on it is empty.
   * @returns rolls it back with everything on top of it
   * @throws RuleError, DevRefused if no block is possible
   */
  makeEmptyBlock(): () => void {
    const { chain, clock, rollBack } = this.#options;
    const { height } = chain.view;
    const { nextBlockMs } = clock;
    this.#makeKeyBlock();
    return () => {
      rollBack(height);
      clock.expectBlock(nextBlockMs);
    };
  }

  /** Forges one block with the pool's transactions. */
  #makeFull(intervalMs: number): number {
    this.#makeKeyBlock(intervalMs);
    this.#fill();
    return 1;
  }

  #makeEmpty(atMost: number, intervalMs: number): number {
    const blocks = Math.min(atMost, SLICE_BLOCKS);
    this.#options.chain.forks.inBatch(() => {
      for (let count = 0; count < blocks; count++) this.#makeKeyBlock(intervalMs);
    });
    return blocks;
  }

  // BlockProduction.

  nextWakeMs(nowMs: number): number | undefined {
    const { clock, miner } = this.#options;
    const { intervalMs, nextBlockWallMs, automine } = this.#miningMode;
    if (intervalMs === null) return undefined;
    const keyBlockMs = clock.timeMsAt(nextBlockWallMs);
    const microBlockMs = automine ? undefined : miner.microBlockDueMs();
    return Math.max(Math.min(keyBlockMs, microBlockMs ?? keyBlockMs), nowMs);
  }

  run(nowMs: number): MinerStep {
    const { clock, miner } = this.#options;
    const { intervalMs, nextBlockWallMs, automine } = this.#miningMode;
    if (intervalMs === null) return { kind: "nothing" };
    if (clock.timeMsAt(nextBlockWallMs) <= nowMs) {
      // A failure below must not lead to an immediate retry.
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

  admit(submissions: readonly ParsedSubmission[], nowMs: number): readonly AddResult[] {
    const { pool, chain } = this.#options;
    if (!this.#automines || this.obstacle() !== undefined) return pool.addAll(submissions, chain.view, nowMs);
    return submissions.slice(0, SLICE_TRANSACTIONS).map((submission) => this.#admitInBlock(submission));
  }

  /** Without automine the transactions go into a micro-block of the tip, if blocks are automatic. */
  async admitted(): Promise<boolean> {
    const { attempt, publish, isMining } = this.#options;
    const fills = !this.#miningMode.automine && this.#miningMode.intervalMs !== null && isMining();
    if (fills) await attempt(() => this.#fill());
    if (fills || this.#automines) await publish();
    return true;
  }

  get #automines(): boolean {
    return this.#miningMode.automine && this.#options.isMining();
  }

  /** Adds the transaction in the context of the block that will include it: with its height and timestamp. */
  #admitInBlock(submission: ParsedSubmission): AddResult {
    const { pool, chain } = this.#options;
    const { id } = submission.transaction;
    if (pool.has(id) || !chain.view.has(Feature.Ng)) return this.#admitBefore(submission);
    const rollBackBlock = this.makeEmptyBlock();
    const result = this.#admitAtTip(submission);
    if ("error" in result) rollBackBlock();
    else this.#fill();
    return this.#isIncludedOrPending(id) ? result : notIncluded(result);
  }

  /** Before NG transactions are in the key block. */
  #admitBefore(submission: ParsedSubmission): AddResult {
    const result = this.#admitAtTip(submission);
    if ("error" in result || !result.isNew) return result;
    this.#makeKeyBlock();
    return this.#isIncludedOrPending(submission.transaction.id) ? result : notIncluded(result);
  }

  #admitAtTip(submission: ParsedSubmission): AddResult {
    const { pool, chain, clock } = this.#options;
    const [result] = pool.addAll([submission], chain.view, clock.nowMs());
    if (result === undefined) throw new Error("the pool returned no result for a transaction");
    return result;
  }

  #isIncludedOrPending(id: ParsedSubmission["transaction"]["id"]): boolean {
    const { pool, chain } = this.#options;
    return chain.view.findTransaction(id) !== undefined || pool.has(id);
  }

  /** Puts the pool's transactions into micro-blocks of the tip, as far as there is room. */
  #fill(): void {
    const { pool, miner, clock } = this.#options;
    while (pool.size > 0 && miner.makeMicroBlock(clock.nowMs()) !== undefined);
  }

  /** @throws RuleError, DevRefused if no block is possible */
  #makeKeyBlock(afterTipMs = 0): Block {
    const { miner, chain, clock } = this.#options;
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
    if (block === undefined) throw new Error("the account with the turn forged no block");
    clock.blockMade();
    this.#waitInterval();
    return block;
  }

  /** Restarts the interval now. */
  #waitInterval(): void {
    const { intervalMs } = this.#miningMode;
    const { clock } = this.#options;
    if (intervalMs !== null)
      this.#put({ ...this.#miningMode, nextBlockWallMs: clock.wallMsAt(clock.nowMs()) + intervalMs });
  }

  #put(miningMode: MiningModeRecord): void {
    this.#options.meta.putMeta(miningModeRecord.name, JSON.stringify(miningMode));
    this.#miningMode = miningMode;
  }

  #readMiningMode(): MiningModeRecord {
    return (
      findRecord(this.#options.meta, miningModeRecord) ?? { ...this.#options.defaultMiningMode, nextBlockWallMs: 0 }
    );
  }
}

/** Result for a transaction that the pool accepted and no block includes. */
function notIncluded(result: AddResult): AddResult {
  if ("error" in result) return result;
  return { error: new RuleError({ code: "generic", message: "No block takes the transaction" }) };
}
