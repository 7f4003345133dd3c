/**
 * Position of a block or branch in the chain, and removal of the blocks that leave for it. A branch that weighs more
 * than the blocks above its root replaces them entirely or not at all.
 * @source docs/protocol/consensus-and-finality.md 1.8, 1.9; Waves: state/appender/BlockAppender.scala,
 *   ExtensionAppender.scala
 */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { Block, BlockHeader, BlockId, SignedHeader } from "../../../src/protocol/blocks/block.ts";
import { briefBytesText } from "../../../src/protocol/blocks/brief-bytes.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { blockScore } from "../../../src/rules/consensus/block-score.ts";
import type { DiscardedTransaction } from "../../../src/rules/transactions/composite-view.ts";
import type { CommitPosition, StateStore } from "../state/state-store.ts";
import { type SharedAppendContext, withSnapshots } from "./append-context.ts";
import { type Branch, type BranchBlock, branchOf } from "./branch.ts";
import type { BranchBlocks } from "./branch-blocks.ts";
import { BranchPutOff, type CandidateChain, type HeavierBranch } from "./candidate-chain.ts";
import type { ChainChange } from "./chain-change.ts";
import { type Committer, type DroppedBlock, WHOLE_BLOCK } from "./committer.ts";
import type { AppendContext, LiquidChain } from "./liquid-chain.ts";
import { prefetch } from "./prefetch.ts";
import { EPOCH, FINALIZED_HEIGHT, type StoredChain } from "./stored-chain.ts";
import { BlocksUndone, PartlyApplied, SliceSpent } from "./work-slice.ts";

/**
 * Maximum size of the state snapshots of discarded transactions, bytes: they stay in memory, where their values take
 * several times as much of the 128 MB.
 */
const MAX_STATE_SNAPSHOT_BYTES = 2 * 2 ** 20;

/** Maximum size of undo records that one call rolls back for a branch, characters: 100,000 rows, which take 3 s. */
const MAX_LEAVING_CHARACTERS = 6_000_000;

/** Appends of many blocks whose rows are written together. */
interface Batch {
  readonly heightBefore: number;
  /** Transactions of the blocks that were appended to the tip. */
  readonly appended: Pick<Transaction, "id">[];
  /** Whether all of those blocks are in the chain: none was refused by the database, and none was replaced. */
  isStraight: boolean;
}

type Appended = readonly Pick<Transaction, "id">[];
/** Returns the chain change for the appended transactions and those that left the chain. */
type ChangeOf = (appended: Appended, left: Iterable<Transaction>) => ChainChange;

export interface RevertOptions {
  /** Allows a height below the finalized one, which then falls: a new epoch begins. */
  readonly isForced?: boolean;
  /** Whether the transactions of the blocks do not return to the pool. */
  readonly dropsTransactions?: boolean;
}

export class ForkChoice {
  readonly #store: StateStore;
  readonly #stored: StoredChain;
  readonly #committer: Committer;
  readonly #liquid: LiquidChain;
  readonly #branches: BranchBlocks;
  readonly #candidate: CandidateChain;
  #batch: Batch | undefined;

  constructor(facts: {
    readonly store: StateStore;
    readonly stored: StoredChain;
    readonly committer: Committer;
    readonly liquid: LiquidChain;
    readonly branches: BranchBlocks;
    readonly candidate: CandidateChain;
  }) {
    this.#store = facts.store;
    this.#stored = facts.stored;
    this.#committer = facts.committer;
    this.#liquid = facts.liquid;
    this.#branches = facts.branches;
    this.#candidate = facts.candidate;
  }

  /** Number that grows when an owner rolls back a final block: data published about it before is void. */
  epoch(): number {
    return this.#stored.epoch();
  }

  /** Sum of the weights of all blocks. */
  score(): bigint {
    return this.#stored.tip().score;
  }

  /**
   * Appends a block: to the tip, to an earlier form of the liquid block (its later micro-blocks are dropped), instead
   * of a liquid block with the same parent and a later timestamp, or to the end of a branch that thereby becomes
   * heavier.
   * @returns false for a block that the chain already has, in this or a longer form
   * @throws RuleError for an invalid block; the chain is then as it was
   */
  appendBlock(block: Block, context: AppendContext): boolean {
    const place = this.#positionOf(block);
    if (place === "known") return false;
    if (place === "branch") {
      this.#branches.trim(this.#stored.finalizedHeight());
      const kept = this.#branches.pathTo(block.header.reference, (id) => this.#isInChain(id));
      const blocks = kept.map(({ block: left, snapshots }) => ({
        block: left,
        context: withSnapshots({ ...context, ownsTransactions: false }, left, snapshots),
      }));
      return this.#appendStored(branchOf([...blocks, { block, context }]));
    }
    const batch = this.#batch;
    if (batch !== undefined && place.height === this.#height && place.step === WHOLE_BLOCK) {
      this.#liquid.appendKeyBlock(block, context);
      for (const { id } of block.transactions) batch.appended.push({ id });
      this.#committer.flushIfMany();
    } else {
      const changeSets = this.#stateSnapshotsAfter(place);
      this.#replace(place, [{ block, context }], (appended, left) => ({
        appended,
        discarded: withStateSnapshots(left, appended, changeSets),
        dropped: [],
      }));
    }
    return true;
  }

  /**
   * Position after which `appendBlock` puts a block that extends the tip or replaces it.
   * @returns undefined for a block that the chain has, or whose parent is on a branch
   * @throws RuleError as `appendBlock`
   */
  findPosition(block: Block): CommitPosition | undefined {
    const place = this.#positionOf(block);
    return typeof place === "string" ? undefined : place;
  }

  /**
   * Replaces the blocks above the root of a branch by the branch, if it weighs more.
   * @param blocks each the parent of the next; blocks that the chain already has are skipped
   * @returns false if the chain has all of them
   * @throws RuleError blockReferenceUnknown, headerFieldInvalid, branchNotBetter, rollbackTooDeep, or the error of an
   *   invalid block: the chain is then as it was
   */
  appendBranch(blocks: readonly Block[], context: AppendContext): boolean {
    return this.appendBranchStream(branchOf(blocks.map((block) => ({ block, context }))));
  }

  /**
   * Appends a branch like `appendBranch`, but its blocks need not fit into memory together.
   * @param terms with `slicedValidation`, the call may end unfinished
   * @throws RuleError as `appendBranch`; errors of reading the branch
   * @throws PartlyApplied if the chain has new blocks, SliceSpent if it has none: the same call again continues
   * @throws BranchPutOff
   */
  appendBranchStream(branch: Branch, terms?: SharedAppendContext): boolean {
    const heavier = this.#surveyOf(branch);
    if (heavier === undefined) return false;
    const { first, position: place } = heavier;
    const { nowMs, slicedValidation } = terms ?? {};
    if (slicedValidation === undefined || nowMs === undefined) {
      this.#replaceBy(heavier);
      return true;
    }
    const goOn = (): void => {
      this.#candidate.goOn(heavier, { nowMs, slicedValidation });
      this.#land(heavier);
    };
    if (this.#candidate.isFor(first.id) || this.#isFar(place)) {
      goOn();
      return true;
    }
    try {
      this.#replaceBy(heavier);
    } catch (error) {
      if (!(error instanceof BlocksUndone)) throw error;
      goOn();
    }
    return true;
  }

  /** Appends a branch of stored blocks and a new one. If it takes more than one call, it must come in an extension. */
  #appendStored(branch: Branch): boolean {
    const heavier = this.#surveyOf(branch);
    if (heavier === undefined) return false;
    if (this.#isFar(heavier.position))
      throw new BranchPutOff("more blocks leave the chain for it than one call takes back");
    try {
      this.#replaceBy(heavier);
    } catch (error) {
      if (!(error instanceof BlocksUndone)) throw error;
      throw new BranchPutOff("it weighs less than the chain for longer than a call may take", { cause: error });
    }
    return true;
  }

  /**
   * The branch above its last block that the chain has.
   * @returns undefined if the chain has all of it
   * @throws RuleError branchNotBetter, blockReferenceUnknown, rollbackTooDeep, headerFieldInvalid
   */
  #surveyOf(branch: Branch): HeavierBranch | undefined {
    const { first, known, weight } = this.#unknownPart(branch.heads());
    if (first === undefined) return undefined;
    const position = this.#rootOf(first);
    const score = this.#stored.rowAt(position.height).score + weight;
    if (score <= this.score()) throw new RuleError({ code: "branchNotBetter", score, currentScore: this.score() });
    return { branch, known, first, position };
  }

  /** Whether more blocks leave the chain for a branch at the position than one call can roll back. */
  #isFar({ height, step }: CommitPosition): boolean {
    return Number(this.#store.scalar(LEAVING_SQL, height, step) ?? 0) > MAX_LEAVING_CHARACTERS;
  }

  #replaceBy({ branch, known, position: place }: HeavierBranch): void {
    const change: ChangeOf = (appended, left) => ({ appended, discarded: [], dropped: without(left, appended) });
    this.#replace(place, branch.blocks(known), change);
  }

  /**
   * First head above the last block that the chain has, the number of heads before it, and the weight from it on.
   * @throws RuleError blockReferenceUnknown, headerFieldInvalid
   */
  #unknownPart(heads: Iterable<SignedHeader>): {
    readonly first: SignedHeader | undefined;
    readonly known: number;
    readonly weight: bigint;
  } {
    let first: SignedHeader | undefined;
    let last: SignedHeader | undefined;
    let known = 0;
    let count = 0;
    let weight = 0n;
    for (const head of heads) {
      count += 1;
      if (this.#isInChain(head.id)) {
        known = count;
        first = undefined;
        weight = 0n;
      } else {
        if (first !== undefined && last !== undefined) checkConnected(last, head);
        first ??= head;
        weight += claimedScore(head.header);
      }
      last = head;
    }
    return { first, known, weight };
  }

  /**
   * Rolls back every block above the height.
   * @returns false if there is none above it
   * @throws RuleError rollbackTooDeep
   */
  revertTo(height: number, { isForced = false, dropsTransactions = false }: RevertOptions = {}): boolean {
    if (height >= this.#height) return false;
    const finalized = this.#stored.finalizedHeight();
    const lowestHeight = Math.max(this.#store.lowestRollbackHeight(), isForced ? 1 : finalized);
    if (height < lowestHeight) throw new RuleError({ code: "rollbackTooDeep", height, lowestHeight });
    return this.#committer.atomic(() => {
      const dropped = this.#rollBack({ height, step: WHOLE_BLOCK });
      if (height < finalized) {
        this.#store.putMeta(EPOCH, String(this.epoch() + 1));
        // The voting of the new tip counts, too: no micro-block of it is on its way.
        this.#store.putMeta(FINALIZED_HEIGHT, String(this.#stored.view.storedFinalizedHeight(height)));
      }
      this.#committer.follow({ appended: [], discarded: [], dropped: dropsTransactions ? [] : dropped });
      // Blocks that an owner rolls back on purpose must not return with the next block on top of them.
      if (isForced) this.#branches.removeAbove(height);
      return true;
    });
  }

  /**
   * Runs appends of many blocks whose rows are written together: one statement for the rows of a table, not one for
   * each row. A refused block leaves the blocks before it. `run` must not await anything: a crash loses the whole
   * batch.
   */
  inBatch<T>(run: () => T): T {
    const batch: Batch = { heightBefore: this.#height, appended: [], isStraight: true };
    this.#batch = batch;
    let result: T;
    try {
      result = run();
    } catch (error) {
      batch.isStraight = false;
      try {
        this.#end(batch);
      } catch (later) {
        throw new AggregateError([error, later], String(error), { cause: error });
      }
      throw error;
    }
    this.#end(batch);
    return result;
  }

  #end({ heightBefore, appended, isStraight }: Batch): void {
    this.#batch = undefined;
    this.#committer.atomic(() => {
      this.#committer.expire(heightBefore);
      const placed = isStraight ? appended : appended.filter(({ id }) => this.#isIncluded(id));
      if (placed.length > 0) this.#committer.follow({ appended: placed, discarded: undefined, dropped: [] });
    });
  }

  /** Reads the rows for the next transactions, of many small blocks, at once. */
  prefetch(transactions: readonly Transaction[]): void {
    prefetch(this.#store, transactions);
  }

  #isIncluded(id: Transaction["id"]): boolean {
    return this.#stored.view.findTransaction(id) !== undefined;
  }

  get #height(): number {
    return this.#stored.view.height;
  }

  /** Whether the id is of a block of the chain, or of an earlier form of its tip. */
  #isInChain(id: Uint8Array): boolean {
    const { view } = this.#stored;
    return view.findHeightOf(id as BlockId) !== undefined || this.#stored.findLiquidForm(id) !== undefined;
  }

  /** Position of the commit before the block: everything after it is dropped. @throws RuleError */
  #positionOf(block: Block): CommitPosition | "known" | "branch" {
    const { view } = this.#stored;
    const { height } = view;
    const { reference, timestamp, generator } = block.header;
    const tip = this.#stored.tip();
    if (equalBytes(reference, tip.id)) return { height, step: WHOLE_BLOCK };
    const form = this.#stored.findLiquidForm(reference);
    if (form !== undefined) return this.#allowed({ height, step: form });
    const parent = view.findHeader(height - 1);
    const base = view.findHeader(height);
    if (parent !== undefined && base !== undefined && equalBytes(reference, parent.id)) {
      if (timestamp < base.header.timestamp) return this.#allowed({ height: height - 1, step: WHOLE_BLOCK });
      if (timestamp === base.header.timestamp && equalBytes(generator, base.header.generator)) return "known";
      throw new RuleError({ code: "competitorNotBetter", timestamp, currentTimestamp: base.header.timestamp });
    }
    if (this.#isInChain(block.id)) return "known";
    if (this.#branches.find(reference) !== undefined) return "branch";
    throw this.#unknownReference(reference);
  }

  /** Position in the chain at which a branch begins. @throws RuleError blockReferenceUnknown, rollbackTooDeep */
  #rootOf({ header: { reference } }: SignedHeader): CommitPosition {
    const height = this.#stored.view.findHeightOf(reference);
    if (height !== undefined) return this.#allowed({ height, step: WHOLE_BLOCK });
    const form = this.#stored.findLiquidForm(reference);
    if (form === undefined) throw this.#unknownReference(reference);
    return this.#allowed({ height: this.#height, step: form });
  }

  /** The position, if the chain may be rolled back to it. @throws RuleError rollbackTooDeep */
  #allowed(position: CommitPosition): CommitPosition {
    const lowestHeight = this.#lowestHeight();
    // A final block keeps all of its micro-blocks.
    const isAllowed = position.step === WHOLE_BLOCK ? position.height >= lowestHeight : position.height > lowestHeight;
    if (!isAllowed) throw new RuleError({ code: "rollbackTooDeep", height: position.height, lowestHeight });
    return position;
  }

  /** Lowest height at which a branch may begin. */
  #lowestHeight(): number {
    return Math.max(this.#stored.finalizedHeight(), this.#store.lowestRollbackHeight());
  }

  #unknownReference(reference: Uint8Array): RuleError {
    const tip = encodeBase58(this.#stored.tip().id);
    return new RuleError({ code: "blockReferenceUnknown", reference: briefBytesText(reference), tip });
  }

  /** State snapshots of the tip, if any of it leaves when a block is put at the position. */
  #stateSnapshotsAfter({ height, step }: CommitPosition): ReadonlyMap<BytesKey, Uint8Array> {
    const leavesNothing = height === this.#height && step === WHOLE_BLOCK;
    return leavesNothing ? new Map() : this.#stored.stateSnapshotsOfTip(MAX_STATE_SNAPSHOT_BYTES);
  }

  /**
   * Replaces the blocks after the position: by all blocks, or by as many as the call has time for, if those weigh more.
   * @throws RuleError; PartlyApplied, SliceSpent as `appendBranchStream`
   */
  #replace(position: CommitPosition, blocks: Iterable<BranchBlock>, changeOf: ChangeOf): void {
    if (this.#batch !== undefined) this.#batch.isStraight = false;
    const scoreBefore = this.score();
    let spent: SliceSpent | undefined;
    this.#committer.atomic(() => {
      const left = this.#rollBack(position);
      const appended: Pick<Transaction, "id">[] = [];
      const came: Pick<Block, "id">[] = [];
      for (const one of blocks) {
        try {
          if (came.length > 0) one.context.slicedValidation?.assertBudget();
          this.#appendNext(one);
        } catch (error) {
          if (!(error instanceof SliceSpent)) throw error;
          if (this.score() <= scoreBefore) throw came.length === 0 ? error : new BlocksUndone(error.message);
          spent = error;
          break;
        }
        this.#store.flushIfMany();
        came.push({ id: one.block.id });
        for (const { id } of one.block.transactions) appended.push({ id });
      }
      this.#branches.remove(came);
      this.#committer.expire(position.height);
      this.#committer.follow(changeOf(appended, left));
    });
    if (spent !== undefined) throw new PartlyApplied(spent.message);
  }

  #appendNext({ block, context }: BranchBlock): void {
    this.#liquid.appendKeyBlock(block, context);
    context.slicedValidation?.finished(this.#stored.tip().sizeBytes);
  }

  /**
   * Replaces the blocks above the candidate's base by those of the candidate.
   * @throws PartlyApplied if the branch has more blocks
   */
  #land({ branch, known }: HeavierBranch): void {
    const { base } = this.#candidate;
    const came = this.#candidate.blockIds();
    this.#committer.atomic(() => {
      const left = this.#leaving((keep) => this.#committer.exchange(base, () => this.#candidate.moveIn(), keep));
      this.#branches.remove(came.map((id) => ({ id })));
      this.#committer.expire(base.height);
      this.#committer.follow({ appended: this.#appendedAbove(base.height), discarded: [], dropped: left });
    });
    let count = -known;
    for (const _ of branch.heads()) count += 1;
    if (count > came.length) throw new PartlyApplied("the branch weighs more than the chain");
  }

  /** Transactions above the height, read lazily. */
  *#appendedAbove(height: number): Iterable<Pick<Transaction, "id">> {
    for (let at = height + 1; at <= this.#height; at++)
      for (const { id } of this.#stored.view.transactionsAt(at)) yield { id };
  }

  /**
   * Rolls back to the position. Blocks that leave are stored as a branch, and the finalized height does not fall.
   * @returns the transactions that leave, lowest block first
   */
  #rollBack(position: CommitPosition): Iterable<Transaction> {
    this.#candidate.chainGoesOnFrom(position, () => this.#lowestHeight());
    return this.#leaving((keep) => this.#committer.rollBack(position, keep));
  }

  /**
   * Stores the blocks that leave the chain as a branch.
   * @param run removes commits: calls back for each block that leaves whole, highest first, and returns the
   *   transactions of micro-blocks that leave the block below them
   * @returns the transactions that leave, lowest block first
   */
  #leaving(run: (keep: (block: DroppedBlock) => void) => readonly Transaction[]): Iterable<Transaction> {
    const finalized = this.#stored.finalizedHeight();
    const newest = this.#branches.newest();
    const left: Iterable<Transaction>[] = [];
    const ofMicroBlocks = run((block) => left.unshift(this.#branches.store(block)));
    if (left.length > 0) this.#store.putMeta(FINALIZED_HEIGHT, String(finalized));
    // Blocks that leave now stay stored until their transactions have been read.
    this.#branches.trim(finalized, newest);
    return concatenated([ofMicroBlocks, ...left]);
  }
}

/** Size of the undo records of the commits after a position, characters. */
const LEAVING_SQL = "SELECT SUM(octet_length(entries)) FROM undo WHERE (height, step) > (?, ?)";

function* concatenated<T>(parts: readonly Iterable<T>[]): Iterable<T> {
  for (const part of parts) yield* part;
}

/**
 * Transactions that the block does not have, with their state snapshots. These were made on the parent's state: they
 * are left out if the block has transactions, since the state is then another one.
 */
function* withStateSnapshots(
  transactions: Iterable<Transaction>,
  appended: Appended,
  changeSets: ReadonlyMap<BytesKey, Uint8Array>,
): Iterable<DiscardedTransaction> {
  for (const transaction of without(transactions, appended)) {
    const changeSet = appended.length === 0 ? changeSets.get(bytesKey(transaction.id)) : undefined;
    yield { transaction, stateSnapshot: changeSet };
  }
}

function* without(transactions: Iterable<Transaction>, others: Appended): Iterable<Transaction> {
  const ids = new Set(others.map(({ id }) => bytesKey(id)));
  for (const transaction of transactions) if (!ids.has(bytesKey(transaction.id))) yield transaction;
}

/** Weight of a block whose header is not verified yet. @throws RuleError headerFieldInvalid */
function claimedScore({ baseTarget }: BlockHeader): bigint {
  if (baseTarget <= 0n)
    throw new RuleError({ code: "headerFieldInvalid", field: "baseTarget", reason: "not positive" });
  return blockScore(baseTarget);
}

/** @throws RuleError blockReferenceUnknown */
function checkConnected(parent: SignedHeader, { header: { reference } }: SignedHeader): void {
  if (equalBytes(reference, parent.id)) return;
  throw new RuleError({
    code: "blockReferenceUnknown",
    reference: briefBytesText(reference),
    tip: encodeBase58(parent.id),
  });
}
