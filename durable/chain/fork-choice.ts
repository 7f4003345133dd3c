/**
 * Where a block or a branch goes, and what leaves the chain for it. A branch that weighs more than what stands in its
 * place replaces it whole or not at all.
 * @source spec/consensus-and-finality.md 1.8, 1.9; Waves: state/appender/BlockAppender.scala, ExtensionAppender.scala
 */
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { bytesKey, equalBytes } from "../../src/crypto/bytes.ts";
import type { Block, BlockId } from "../../src/protocol/blocks/block.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { blockScore } from "../../src/rules/consensus/block-score.ts";
import { finalizedHeight } from "../../src/rules/finality/finalized-height.ts";
import type { StateStore, StepPlace } from "../state/state-store.ts";
import type { BranchBlocks } from "./branch-blocks.ts";
import { type CommitStep, type DroppedBlock, WHOLE_BLOCK } from "./commit-step.ts";
import type { AppendContext, LiquidChain } from "./liquid-chain.ts";
import { prefetch } from "./prefetch.ts";
import type { StoredChain } from "./stored-chain.ts";

/** What became of the chain and its transactions, none of which stands in two of the lists. */
export interface ChainChange {
  /** False where the chain is as it was: it already has the block, in this or a longer form. */
  readonly hasChanged: boolean;
  /** Of the blocks that came into the chain. */
  readonly appended: readonly Transaction[];
  /** Of micro-blocks, or of the whole liquid block, that a key block left behind: they go first in the pool. */
  readonly discarded: readonly Transaction[];
  /** Of blocks that a branch took the place of, or that were taken back: they wait in the pool like any other. */
  readonly dropped: readonly Transaction[];
}

const noChange: ChainChange = { hasChanged: false, appended: [], discarded: [], dropped: [] };
const changed: ChainChange = { ...noChange, hasChanged: true };

/** Rows that a batch gathers before they are written: one has about 1 kB in memory. */
const MAX_GATHERED_ROWS = 2_000;

/** Names of values that the store keeps. */
const EPOCH = "epoch";
const FINALIZED_HEIGHT = "finalizedHeight";

export class ForkChoice {
  readonly #store: StateStore;
  readonly #stored: StoredChain;
  readonly #steps: CommitStep;
  readonly #liquid: LiquidChain;
  readonly #branches: BranchBlocks;
  /** Whether rows wait for those of the next blocks. */
  #isBatch = false;

  constructor(facts: {
    readonly store: StateStore;
    readonly stored: StoredChain;
    readonly steps: CommitStep;
    readonly liquid: LiquidChain;
    readonly branches: BranchBlocks;
  }) {
    this.#store = facts.store;
    this.#stored = facts.stored;
    this.#steps = facts.steps;
    this.#liquid = facts.liquid;
    this.#branches = facts.branches;
  }

  /** Height of the last block that no fork and no rollback takes back. It never falls, save by `revertTo` on purpose. */
  finalizedHeight(): number {
    return Math.max(finalizedHeight(this.#height), Number(this.#store.findMeta(FINALIZED_HEIGHT) ?? 1));
  }

  /** Grows when a final block is taken back on purpose: what was said of it before holds no more. */
  epoch(): number {
    return Number(this.#store.findMeta(EPOCH) ?? 0);
  }

  /** Sum of the weights of all blocks. */
  score(): bigint {
    return this.#stored.tip().score;
  }

  /**
   * Appends a block: on the tip, on an earlier form of the liquid block (its later micro-blocks are dropped), in place of
   * a liquid block with the same parent that came later, or at the end of a branch that so becomes the weightier one.
   * @returns no change for a block that the chain already has in this or a longer form
   * @throws RuleError what is wrong with it; the chain is then as it was
   */
  appendBlock(block: Block, context: AppendContext): ChainChange {
    const place = this.#placeOf(block);
    if (place === "known") return noChange;
    if (place === "branch")
      return this.appendBranch(
        [...this.#branches.pathTo(block.header.reference, (id) => this.#isInChain(id)), block],
        context,
      );
    if (this.#isBatch && place.height === this.#height && place.step === WHOLE_BLOCK) {
      this.#liquid.appendKeyBlock(block, context);
      if (this.#store.gatheredRows > MAX_GATHERED_ROWS) this.#store.flush();
      return { ...changed, appended: block.transactions };
    }
    const { appended, left } = this.#replace(place, [block], context);
    return { ...changed, appended, discarded: left };
  }

  /**
   * Puts a branch in the place of what stands above its root, if it weighs more.
   * @param blocks each the parent of the next; those that the chain already has are passed over
   * @throws RuleError blockReferenceUnknown, branchNotBetter, rollbackTooDeep, or what is wrong with one of the blocks: the
   *   chain is then as it was
   */
  appendBranch(blocks: readonly Block[], context: AppendContext): ChainChange {
    const unknown = blocks.slice(blocks.findLastIndex(({ id }) => this.#isInChain(id)) + 1);
    const [first] = unknown;
    if (first === undefined) return noChange;
    checkConnected(unknown);
    const place = this.#rootOf(first);
    const root = this.#stored.rowAt(place.height).score;
    const score = unknown.reduce((sum, { header }) => sum + blockScore(header.baseTarget), root);
    if (score <= this.score()) throw new RuleError({ code: "branchNotBetter", score, currentScore: this.score() });
    const { appended, left } = this.#replace(place, unknown, context);
    return { ...changed, appended, dropped: left };
  }

  /**
   * Takes back every block above the height.
   * @param isForced also below the finalized height, which then falls: a new epoch begins
   * @throws RuleError rollbackTooDeep
   */
  revertTo(height: number, { isForced = false }: { readonly isForced?: boolean } = {}): ChainChange {
    const finalized = this.finalizedHeight();
    const lowestHeight = Math.max(this.#store.lowestRollbackHeight(), isForced ? 1 : finalized);
    if (height < lowestHeight) throw new RuleError({ code: "rollbackTooDeep", height, lowestHeight });
    return this.#steps.atomic(() => {
      const dropped = this.#takeBack({ height, step: WHOLE_BLOCK }).flatMap(({ transactions }) => transactions);
      if (height < finalized) {
        this.#store.putMeta(EPOCH, String(this.epoch() + 1));
        this.#store.putMeta(FINALIZED_HEIGHT, String(finalizedHeight(height)));
      }
      return { ...changed, dropped };
    });
  }

  /**
   * Runs appends of many blocks whose rows are written together: one statement for the rows of a table, not one for each
   * row. A block that is refused leaves the ones before it. Nothing may be awaited inside: a crash loses the whole batch.
   */
  inBatch<T>(run: () => T): T {
    const before = this.#height;
    this.#isBatch = true;
    try {
      return run();
    } finally {
      this.#isBatch = false;
      this.#steps.atomic(() => this.#steps.expire(before));
    }
  }

  /** Says which transactions come next, in many small blocks: what they need is read in one go. */
  expect(transactions: readonly Transaction[]): void {
    prefetch(this.#store, transactions);
  }

  get #height(): number {
    return this.#stored.view.height;
  }

  /** As a block of the chain, or as an earlier form of its tip. */
  #isInChain(id: Uint8Array): boolean {
    return this.#stored.view.findHeightOf(id as BlockId) !== undefined || this.#liquidForm(id) >= 0;
  }

  /** Where the block goes: after this step everything is dropped. */
  #placeOf(block: Block): StepPlace | "known" | "branch" {
    const { view } = this.#stored;
    const { height } = view;
    const { reference, timestamp, generator } = block.header;
    const tip = this.#stored.tip();
    if (equalBytes(reference, tip.id)) return { height, step: WHOLE_BLOCK };
    const form = this.#liquidForm(reference);
    if (form >= 0) return { height, step: form };
    const parent = view.findHeader(height - 1);
    const base = view.findHeader(height);
    if (parent !== undefined && base !== undefined && equalBytes(reference, parent.id)) {
      if (timestamp < base.header.timestamp) return { height: height - 1, step: WHOLE_BLOCK };
      if (timestamp === base.header.timestamp && equalBytes(generator, base.header.generator)) return "known";
      throw new RuleError({ code: "competitorNotBetter", timestamp, currentTimestamp: base.header.timestamp });
    }
    if (this.#branches.find(reference) !== undefined) return "branch";
    throw this.#unknownReference(reference);
  }

  /** The place in the chain that a branch stands on. @throws RuleError blockReferenceUnknown, rollbackTooDeep */
  #rootOf({ header: { reference } }: Block): StepPlace {
    const height = this.#stored.view.findHeightOf(reference);
    if (height === undefined) {
      const form = this.#liquidForm(reference);
      if (form < 0) throw this.#unknownReference(reference);
      return { height: this.#height, step: form };
    }
    const lowestHeight = Math.max(this.finalizedHeight(), this.#store.lowestRollbackHeight());
    if (height < lowestHeight) throw new RuleError({ code: "rollbackTooDeep", height, lowestHeight });
    return { height, step: WHOLE_BLOCK };
  }

  /** Which form of the liquid block has the id, -1 for none. */
  #liquidForm(id: Uint8Array): number {
    return this.#stored.liquidForms().findIndex((form) => equalBytes(id, form.id));
  }

  #unknownReference(reference: Uint8Array): RuleError {
    const tip = encodeBase58(this.#stored.tip().id);
    return new RuleError({ code: "blockReferenceUnknown", reference: encodeBase58(reference), tip });
  }

  /** @returns transactions that came in, and those that left without coming back */
  #replace(
    place: StepPlace,
    blocks: readonly Block[],
    context: AppendContext,
  ): { readonly appended: readonly Transaction[]; readonly left: readonly Transaction[] } {
    return this.#steps.atomic(() => {
      const taken = this.#takeBack(place);
      for (const block of blocks) {
        this.#liquid.appendKeyBlock(block, context);
        if (this.#store.gatheredRows > MAX_GATHERED_ROWS) this.#store.flush();
      }
      this.#branches.remove(blocks);
      this.#steps.expire(place.height);
      const appended = blocks.flatMap(({ transactions }) => transactions);
      const back = new Set(appended.map(({ id }) => bytesKey(id)));
      const left = taken.flatMap(({ transactions }) => transactions.filter(({ id }) => !back.has(bytesKey(id))));
      return { appended, left };
    });
  }

  /** Takes steps back; blocks that leave are kept as a branch, and what was final stays so. */
  #takeBack(place: StepPlace): readonly DroppedBlock[] {
    const finalized = this.finalizedHeight();
    const dropped = this.#steps.takeBack(place);
    const whole = dropped.filter(({ height }) => height > place.height);
    if (whole.length > 0) {
      this.#store.putMeta(FINALIZED_HEIGHT, String(finalized));
      this.#branches.keep(whole, finalized);
    }
    return dropped;
  }
}

/** @throws RuleError blockReferenceUnknown */
function checkConnected(blocks: readonly Block[]): void {
  blocks.slice(1).forEach((block, index) => {
    const parent = blocks[index] as Block;
    const { reference } = block.header;
    if (!equalBytes(reference, parent.id))
      throw new RuleError({
        code: "blockReferenceUnknown",
        reference: encodeBase58(reference),
        tip: encodeBase58(parent.id),
      });
  });
}
