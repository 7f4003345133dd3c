/**
 * Block production by alarm: reports its next wake time, and forges one block or micro-block per call. The clock, the
 * random bytes and the use of a forged block are passed in, so that a test can let years pass.
 * @source docs/protocol/consensus-and-finality.md 1.3, 1.8; Waves: mining/Miner.scala,
 *   mining/microblocks/MicroBlockMinerImpl.scala
 */
import { bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import type { NodeSettings } from "../../../src/network/settings.ts";
import type { Block, BlockId, FinalizationVoting, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { ParentInfo } from "../../../src/rules/blocks/apply-block.ts";
import { hasLightNodeFields } from "../../../src/rules/consensus/block-version.ts";
import { isExtendedByGenerator } from "../../../src/rules/consensus/extensible-blocks.ts";
import { RemoteStateMissing } from "../../../src/rules/state/remote-state-missing.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import type { LiquidChain, OpenedMicroBlock } from "../chain/liquid-chain.ts";
import type { StoredChain } from "../chain/stored-chain.ts";
import type { AddResult, ParsedSubmission, UtxPool } from "../pool/utx-pool.ts";
import { forgeKeyBlock } from "./forge-key-block.ts";
import { forgeMicroBlock } from "./forge-micro-block.ts";
import { GeneratorDraws } from "./generator-draw.ts";
import { isChainTooOld, type MiningSchedule, miningSchedule, miningTurn } from "./mining-schedule.ts";
import { PackLimit } from "./pack-limit.ts";

/** Forges the node's blocks when they are due. */
export interface BlockProduction {
  /** Time of the next call of `run`, ms; undefined: not before something changes. */
  nextWakeMs(nowMs: number): number | undefined;
  /** Forges the block that is due. @throws error of the node's own block */
  run(nowMs: number): MinerStep;
  /** `UtxPool.addAll` at the tip. */
  admit(submitted: readonly ParsedSubmission[], nowMs: number): readonly AddResult[];
  /**
   * To be called after `count` transactions got into the pool together. Their senders wait for it.
   * @returns whether something may be due now, or due earlier than before
   */
  admitted(count: number, nowMs: number): Promise<boolean>;
}

export interface MinerOptions {
  readonly stored: StoredChain;
  readonly liquid: LiquidChain;
  readonly pool: UtxPool;
  /** Accounts that may generate: those of the wallet at the time of the call. */
  readonly accounts: () => readonly KeyPair[];
  readonly node: Pick<NodeSettings, "miner" | "supportedFeatures" | "desiredReward"> &
    Partial<Pick<NodeSettings, "isLight">>;
  readonly connectedPeers: () => number;
  /** Clock for work that must end: ms since any time. */
  readonly clockMs: () => number;
  readonly random: RandomSource;
  /** Appends an own block, or throws. */
  readonly append: (block: Block, nowMs: number) => void;
  /** Appends an own micro-block, or throws. @param opened run in which it was packed */
  readonly appendMicroBlock: (microBlock: MicroBlock, nowMs: number, opened: OpenedMicroBlock) => void;
  /** Voting for the next micro-block on the tip. */
  readonly voting?: (() => FinalizationVoting | undefined) | undefined;
  /** Receives a transaction whose block could not be written although it broke no rule. */
  readonly unwritable: (transaction: Transaction) => void;
}

export type MinerStep =
  | { readonly kind: "keyBlock"; readonly block: Block }
  | { readonly kind: "microBlock"; readonly microBlock: MicroBlock }
  | { readonly kind: "nothing" };

/**
 * Pause before micro-blocks after the first transaction of an idle pool, and before a retry: this time, or the interval
 * of micro-blocks if that is shorter. The reference always waits a second.
 */
const PAUSE_MS = 1_000;
/** Minimum time between two tries, also if micro-blocks have no interval. */
const MIN_RETRY_MS = 100;
/** Packing ends after this time, if the clock runs, or after an interval of micro-blocks. */
const MAX_PACK_MS = 1_000;
/**
 * Pause before the next attempt while peers are missing, and for their blocks once they are connected: a block on an
 * outdated tip would be a branch with the same weight as theirs.
 */
export const QUORUM_PAUSE_MS = 5_000;

/** Round of one key block. */
interface Round {
  readonly height: number;
  readonly timestamp: bigint;
  isBlockFull: boolean;
  /** No micro-block before this time, ms. */
  microBlockNotBeforeMs: number;
}

function isProvedByHeaders(view: StateView): boolean {
  const { functionality } = view.settings;
  return hasLightNodeFields({ height: view.height, features: view, functionality });
}

export class Miner implements BlockProduction {
  readonly #options: MinerOptions;
  /** Draws of the accounts. */
  readonly draws: GeneratorDraws;
  #round: Round | undefined;
  #schedule: { readonly tipId: BlockId; readonly schedule: MiningSchedule } | undefined;
  #keyBlockNotBeforeMs = 0;
  /** Last time with too few peers, ms. A node that has just started has received nothing from them. */
  #withoutQuorumMs = Number.POSITIVE_INFINITY;
  readonly #packLimit = new PackLimit();

  constructor(options: MinerOptions) {
    this.#options = options;
    this.draws = new GeneratorDraws(options.random);
  }

  /** Turns and obstacles of all accounts for the block after the tip. */
  schedule(): MiningSchedule {
    const { accounts } = this.#options;
    const view = this.#view;
    const tipId = view.findHeader(view.height)?.id;
    if (tipId === undefined) return { next: undefined, accounts: [] };
    if (this.#schedule === undefined || !equalBytes(this.#schedule.tipId, tipId))
      this.#schedule = { tipId, schedule: miningSchedule(view, accounts(), this.draws) };
    return this.#schedule.schedule;
  }

  /** To be called after the chain was replaced: drops all pending waits. */
  forget(): void {
    this.#round = undefined;
    this.#schedule = undefined;
    this.#keyBlockNotBeforeMs = 0;
  }

  /** To be called after an account was added to the wallet or removed from it. */
  accountsChanged(): void {
    this.#schedule = undefined;
    // No keys of a removed account stay cached.
    this.draws.forget();
  }

  admit(submitted: readonly ParsedSubmission[], nowMs: number): readonly AddResult[] {
    return this.#options.pool.addAll(submitted, this.#view, nowMs);
  }

  async admitted(count: number, nowMs: number): Promise<boolean> {
    return this.transactionsAdded(count, nowMs);
  }

  /**
   * To be called after `count` transactions got into the pool together.
   * @returns whether the pool was empty before: otherwise they are waited for already
   */
  transactionsAdded(count: number, nowMs: number): boolean {
    if (this.#options.pool.size > count) return false;
    const round = this.#currentRound();
    // More transactions may follow the first ones soon.
    if (round !== undefined)
      round.microBlockNotBeforeMs = Math.max(round.microBlockNotBeforeMs, nowMs + this.#gatherMs);
    return true;
  }

  get #gatherMs(): number {
    return Math.min(PAUSE_MS, this.#options.node.miner.microBlockIntervalMs);
  }

  get #retryMs(): number {
    return Math.max(this.#gatherMs, MIN_RETRY_MS);
  }

  /**
   * Time of the next call of `run`, ms; undefined: not before the tip, the pool or the peers change. To be called again
   * after each of these, and after each `run`.
   */
  nextWakeMs(nowMs: number): number | undefined {
    const keyBlockMs = this.#keyBlockDueMs(nowMs);
    const microBlockMs = this.microBlockDueMs();
    const dueMs = Math.min(keyBlockMs ?? Number.POSITIVE_INFINITY, microBlockMs ?? Number.POSITIVE_INFINITY);
    return dueMs === Number.POSITIVE_INFINITY ? undefined : Math.max(dueMs, nowMs);
  }

  /**
   * Forges a key block if one is due, or else a micro-block.
   * @throws errors of `append`; the next attempt is a second later
   */
  run(nowMs: number): MinerStep {
    const keyBlockMs = this.#keyBlockDueMs(nowMs);
    if (keyBlockMs !== undefined && keyBlockMs <= nowMs) {
      const block = this.#mineKeyBlock(nowMs);
      if (block !== undefined) return { kind: "keyBlock", block };
    }
    const microBlockMs = this.microBlockDueMs();
    if (microBlockMs !== undefined && microBlockMs <= nowMs) {
      const microBlock = this.makeMicroBlock(nowMs);
      if (microBlock !== undefined) return { kind: "microBlock", microBlock };
    }
    return { kind: "nothing" };
  }

  get #view(): StateView {
    return this.#options.stored.view;
  }

  #keyBlockDueMs(nowMs: number): number | undefined {
    const { node, liquid } = this.#options;
    if (!node.miner.enable || liquid.missingFeatures().length > 0 || isChainTooOld(this.#view, node.miner, nowMs))
      return undefined;
    // Until then nothing proves the state before the block. @source Waves: mining/Miner.scala (scheduleMining)
    if (node.isLight === true && !isProvedByHeaders(this.#view)) return undefined;
    const quorumMs = this.#quorumMs(nowMs);
    const { next } = this.schedule();
    if (next === undefined) return undefined;
    // A pause longer than any dates from before the clock was set back.
    const isPauseOver = this.#keyBlockNotBeforeMs > nowMs + this.#retryMs;
    const dueMs = Math.max(Number(next.timestampMs), isPauseOver ? 0 : this.#keyBlockNotBeforeMs);
    return Math.max(dueMs, quorumMs);
  }

  /** Time at which the quorum has lasted long enough, ms. To be called whenever the number of peers changes. */
  #quorumMs(nowMs: number): number {
    const { node, connectedPeers } = this.#options;
    if (node.miner.quorum === 0) return nowMs;
    // A clock that was set back starts another pause.
    if (connectedPeers() < node.miner.quorum || this.#withoutQuorumMs > nowMs) this.#withoutQuorumMs = nowMs;
    return this.#withoutQuorumMs + QUORUM_PAUSE_MS;
  }

  #mineKeyBlock(nowMs: number): Block | undefined {
    const { next } = this.schedule();
    if (next === undefined) return undefined;
    // A failure below, or a later timestamp, must not lead to an immediate retry.
    this.#keyBlockNotBeforeMs = nowMs + this.#retryMs;
    try {
      const block = this.#onReferencedBlock(nowMs, () => this.#forgeKeyBlock(next.account, nowMs));
      if (block === undefined) return undefined;
      this.#appendKeyBlock(block, nowMs);
      this.#keyBlockNotBeforeMs = 0;
      return block;
    } catch (error) {
      // It is retried as soon as the state has arrived.
      if (error instanceof RemoteStateMissing) this.#keyBlockNotBeforeMs = 0;
      throw error;
    }
  }

  #appendKeyBlock(block: Block, nowMs: number): void {
    this.#append(block.transactions, () => this.#options.append(block, nowMs));
  }

  /**
   * Forges a key block on the whole tip, due or not.
   * @param timestampMs of the block, not later than the clock
   * @returns undefined: none of the accounts has its turn by then
   * @throws errors of `append`
   */
  makeKeyBlock(timestampMs: number, nowMs: number): Block | undefined {
    const { next } = this.schedule();
    const block = next && this.#forgeKeyBlock(next.account, nowMs, BigInt(timestampMs));
    if (block !== undefined) this.#appendKeyBlock(block, nowMs);
    return block;
  }

  #forgeKeyBlock(account: KeyPair, nowMs: number, timestampMs?: bigint): Block | undefined {
    const { stored, pool, node, random } = this.#options;
    const { view } = stored;
    const turn = miningTurn(view, account, this.draws);
    if (turn.code !== "turn") return undefined;
    const parent: ParentInfo = {
      carryFee: stored.tip().carryFee,
      transactions: () => stored.transactionsAt(view.height),
    };
    const maxTransactions = this.#packLimit.transactions;
    return forgeKeyBlock({
      view,
      parent,
      turn,
      pool,
      node,
      maxTransactions,
      nowMs,
      timestampMs,
      isTimeUp: this.#packTime(),
      random,
    });
  }

  /** Leaves out micro-blocks that are too young to have reached other generators, which would drop them as well. */
  #onReferencedBlock<T>(nowMs: number, forge: () => T): T {
    const { stored, liquid, node } = this.#options;
    if (stored.isTipFinal()) return forge();
    const oldEnough = stored.microBlocksUntil(nowMs - node.miner.minMicroBlockAgeMs);
    return oldEnough === stored.microBlockCount() ? forge() : liquid.withLiquidForm(oldEnough, forge);
  }

  /** Time of the next call of `makeMicroBlock`, ms; undefined: not before the tip or the pool changes. */
  microBlockDueMs(): number | undefined {
    const { pool, node, stored } = this.#options;
    const round = this.#currentRound();
    if (round === undefined || round.isBlockFull || pool.size === 0 || this.#generator() === undefined)
      return undefined;
    const lastMs = stored.lastMicroBlockMs();
    const afterLastMs = lastMs === undefined ? 0 : lastMs + node.miner.microBlockIntervalMs;
    return Math.max(afterLastMs, round.microBlockNotBeforeMs);
  }

  /**
   * Extends the tip, if it is our own block, with transactions of the pool, due or not.
   * @returns undefined if nothing was packed
   * @throws errors of `appendMicroBlock`
   */
  makeMicroBlock(nowMs: number): MicroBlock | undefined {
    const round = this.#currentRound();
    const account = this.#generator();
    if (round === undefined || account === undefined) return undefined;
    round.microBlockNotBeforeMs = nowMs + this.#retryMs;
    try {
      const microBlock = this.#forgeMicroBlock(round, account, nowMs);
      if (microBlock !== undefined) round.microBlockNotBeforeMs = 0;
      return microBlock;
    } catch (error) {
      // See above.
      if (error instanceof RemoteStateMissing) round.microBlockNotBeforeMs = 0;
      throw error;
    }
  }

  #forgeMicroBlock(round: Round, account: KeyPair, nowMs: number): MicroBlock | undefined {
    const { liquid, pool, node, voting, random } = this.#options;
    const opened = liquid.openMicroBlock({ verifySignatures: true });
    const { microBlock, isBlockFull } = forgeMicroBlock({
      view: liquid.view,
      liquid: liquid.block(),
      run: opened.run,
      pool,
      account,
      voting,
      maxTransactions: Math.min(node.miner.maxTransactionsInMicroBlock, this.#packLimit.transactions),
      nowMs,
      isTimeUp: this.#packTime(),
      random,
    });
    if (microBlock !== undefined)
      this.#append(microBlock.transactions, () => this.#options.appendMicroBlock(microBlock, nowMs, opened));
    round.isBlockFull = isBlockFull;
    return microBlock;
  }

  /** Returns a function that tells whether the packing that starts now has to end. */
  #packTime(): () => boolean {
    const { clockMs, node } = this.#options;
    const endMs = clockMs() + Math.min(node.miner.microBlockIntervalMs, MAX_PACK_MS);
    return () => clockMs() >= endMs;
  }

  /** @param transactions of the block or micro-block. Under NG a key block has none, and proves nothing about any. */
  #append(transactions: readonly Transaction[], append: () => void): void {
    if (transactions.length === 0) {
      append();
      return;
    }
    try {
      append();
    } catch (error) {
      const unwritable = error instanceof RuleError ? undefined : this.#packLimit.failed(transactions);
      if (unwritable !== undefined) this.#options.unwritable(unwritable);
      throw error;
    }
    this.#packLimit.succeeded();
  }

  /** Account that generated the tip, if it is our own and can extend the tip. */
  #generator(): KeyPair | undefined {
    const { accounts, node, stored } = this.#options;
    const view = this.#view;
    const { height } = view;
    const header = view.findHeader(height)?.header;
    if (header === undefined || !node.miner.enable || stored.isTipFinal()) return undefined;
    if (!isExtendedByGenerator({ height, header }, view)) return undefined;
    const generator = bytesKey(header.generator);
    return accounts().find(({ publicKey }) => bytesKey(publicKey) === generator);
  }

  #currentRound(): Round | undefined {
    const view = this.#view;
    const { height } = view;
    const timestamp = view.findHeader(height)?.header.timestamp;
    if (timestamp === undefined) return undefined;
    if (this.#round?.height !== height || this.#round.timestamp !== timestamp)
      this.#round = { height, timestamp, isBlockFull: false, microBlockNotBeforeMs: 0 };
    return this.#round;
  }
}
