/**
 * Candidate chain: a branch that is validated in work slices while it weighs less than the chain. It grows block by
 * block in tables of its own, until its rows replace the chain's in one transaction. The chain continues meanwhile, and
 * progress survives a reset of the object.
 * @see docs/decisions/0074-candidate-chain.md
 */
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId, SignedHeader } from "../../../src/protocol/blocks/block.ts";
import { hasValidBlockSignature } from "../../../src/protocol/blocks/block-signature.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { RuleError, WireError } from "../../../src/protocol/errors.ts";
import type { SlicedValidation } from "../../../src/rules/blocks/block-validation.ts";
import { generatingBalanceWindow, minimumBalance } from "../../../src/rules/consensus/generating-balance.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { keyText } from "../../../src/tables/schema/row-text.ts";
import type { Table } from "../../../src/tables/schema/table.ts";
import { TableView } from "../../../src/tables/view/table-view.ts";
import { CandidateDatabase } from "../state/candidate-database.ts";
import { type CommitPosition, StateStore } from "../state/state-store.ts";
import { invertChange, type OverwrittenRow, overwrittenRows } from "../state/undo-journal.ts";
import type { SharedAppendContext } from "./append-context.ts";
import type { Branch, BranchBlock } from "./branch.ts";
import { Committer, type CommitterOptions, STORED_TIP, WHOLE_BLOCK } from "./committer.ts";
import { LiquidChain } from "./liquid-chain.ts";
import { StoredChain } from "./stored-chain.ts";
import { SliceSpent } from "./work-slice.ts";

/** Rows of the candidate in memory, as a share of the chain's. */
const CACHE_SHARE = 0.1;
/** Characters of undo records per unit of work: rolling back a row takes 30 µs, and a row has some sixty. */
const CHARACTERS_PER_WORK = 80;
/** Time after its last call during which other branches do not displace an unrefused candidate, ms. */
const PATIENCE_MS = 10 * 60_000;
/** Name of the stored value with the `CandidateRecord`. */
const RECORD = "candidate";

/** Error for a branch that cannot be followed now; the sender is not to blame. */
export class BranchPutOff extends Error {
  override readonly name = "BranchPutOff";
}

interface CandidateRecord {
  /** First block of the branch, base58. */
  readonly first: string;
  /** Last commit that the chain and the candidate share. */
  readonly base: CommitPosition;
  /** Last block of the chain whose changes the candidate has followed. */
  readonly known: { readonly height: number; readonly id: string };
  /** Time of the last unfinished call; undefined: the branch was refused. */
  readonly usedMs?: number;
  /** Height above which blocks of another branch are being rolled back. */
  readonly leavingAbove?: number;
}

/** Branch that weighs more than the chain, according to its headers. */
export interface HeavierBranch {
  readonly branch: Branch;
  /** Number of its blocks that the chain has. */
  readonly known: number;
  /** Header of the lowest block that the chain lacks. */
  readonly first: SignedHeader;
  /** Position in the chain at which the branch begins. */
  readonly position: CommitPosition;
}

export type CandidateChainOptions = Pick<CommitterOptions, "maxRollbackDepth" | "storage"> & {
  readonly store: StateStore;
  readonly stored: StoredChain;
};

/** Chain components over the tables of the candidate. */
interface Parts {
  readonly store: StateStore;
  readonly stored: StoredChain;
  readonly steps: Committer;
  readonly liquid: LiquidChain;
}

export class CandidateChain {
  readonly #options: CandidateChainOptions;
  readonly #database: CandidateDatabase;
  #parts: Parts | undefined;

  constructor(facts: CandidateChainOptions) {
    this.#options = facts;
    this.#database = new CandidateDatabase(facts.store.sql);
  }

  /** Whether the candidate belongs to a branch that begins with the block. */
  isFor(first: BlockId): boolean {
    return this.#findRecord()?.first === encodeBase58(first);
  }

  /** Position at which the candidate leaves the chain. */
  get base(): CommitPosition {
    return this.#record.base;
  }

  /** Blocks above the base, lowest first. */
  blockIds(): readonly BlockId[] {
    const { stored } = this.#open();
    const { base } = this.#record;
    const count = stored.view.height - base.height;
    return Array.from({ length: count }, (_, index) => stored.rowAt(base.height + 1 + index).id as BlockId);
  }

  /**
   * Drops a candidate that the chain leaves behind. To be called within the transaction in which the chain continues
   * from the position, its tip or an earlier one.
   * @param lowest height at which a branch may still begin
   */
  chainGoesOnFrom(position: CommitPosition, lowest: () => number): void {
    const base = this.#findRecord()?.base;
    if (base !== undefined && (isBefore(position, base) || base.height < lowest())) this.#drop();
  }

  /**
   * Validates the next blocks of the branch, each in a transaction of its own.
   * @returns if the branch weighed more than the chain before this call: it is ready for `moveIn`
   * @throws SliceSpent if the same call is to be repeated; BranchPutOff; RuleError or WireError for an invalid block:
   *   the blocks before it stay validated
   */
  goOn(heavier: HeavierBranch, terms: Required<SharedAppendContext>): void {
    try {
      this.#goOn(heavier, terms);
    } catch (error) {
      if (error instanceof SliceSpent) this.#note({ usedMs: terms.nowMs });
      throw error;
    }
  }

  /** Moves the rows into the chain's tables and drops the candidate. To be called within `Committer.exchange`. */
  moveIn(): void {
    this.#database.moveIn(STORED_TIP);
    this.#drop();
  }

  #goOn(heavier: HeavierBranch, { nowMs, slicedValidation }: Required<SharedAppendContext>): void {
    const { branch, known, first } = heavier;
    if (!this.#database.isThere || !this.#canFollow()) this.#begin(heavier);
    this.#follow(slicedValidation);
    if (this.#findPosition(first.header.reference) === undefined) {
      // The candidate left the chain below the root of this branch.
      this.#expectGenerators(heavier, 0);
      this.#expectIdle(this.#record.base.height, nowMs);
      this.#begin(heavier);
    }
    const root = this.#findPosition(first.header.reference);
    if (root === undefined) throw new Error("the candidate is another chain");
    const judged = this.#countValidated(Iterator.from(branch.heads()).drop(known), root.height);
    const goal = judged === 0 ? root : { height: root.height + judged, step: WHOLE_BLOCK };
    if (this.#isAt(goal) && this.#isHeavier) return;
    this.#expectGenerators(heavier, judged);
    this.#expectIdle(goal.height, nowMs);
    this.#note({ first: encodeBase58(first.id), leavingAbove: goal.height });
    this.#takeBack(goal, slicedValidation);
    this.#note({ leavingAbove: undefined });
    try {
      this.#append(branch.blocks(known + judged), slicedValidation);
    } catch (error) {
      if (error instanceof RuleError || error instanceof WireError) this.#note({ usedMs: undefined });
      throw error;
    }
  }

  #append(blocks: Iterable<BranchBlock>, portions: SlicedValidation): void {
    const { stored, steps, liquid } = this.#open();
    for (const { block, context } of blocks) {
      portions.assertBudget();
      steps.atomic(() => liquid.appendKeyBlock(block, context));
      portions.finished(stored.tip().sizeBytes);
      if (this.#isHeavier) throw new SliceSpent("the branch weighs more than the chain");
    }
  }

  /** Creates an empty candidate at the tip of the chain. @throws RuleError */
  #begin(heavier: HeavierBranch): void {
    this.#expectGenerators(heavier, 0);
    const { store, stored } = this.#options;
    store.flush();
    const { height, id } = stored.tip();
    const base = { height, step: stored.microBlockCount() };
    const record = { first: encodeBase58(heavier.first.id), base, known: { height, id: encodeBase58(id) } };
    store.sql.transaction(() => {
      this.#drop();
      this.#database.create();
      this.#put(record);
    });
  }

  #drop(): void {
    this.#database.drop();
    this.#parts = undefined;
  }

  /** Lowest height at which the chain may have changed since the last call. */
  #changedFrom(): number {
    const { stored } = this.#options;
    const { base, known } = this.#record;
    const isKnown = known.height <= stored.view.height && encodeBase58(stored.rowAt(known.height).id) === known.id;
    return isKnown ? known.height + 1 : base.height;
  }

  /** Whether the chain still has the undo records of all its changes since the last call. */
  #canFollow(): boolean {
    const lowest = this.#options.store.lowestRollbackHeight();
    return lowest === 1 || this.#changedFrom() > lowest;
  }

  /** Keeps the candidate's rows as they were where the chain has changed since the last call. */
  #follow(portions: SlicedValidation): void {
    const { base } = this.#record;
    const { height } = this.#options.stored.view;
    for (let changed = this.#changedFrom(); changed <= height; changed++) {
      portions.assertBudget();
      const after = { height: changed, step: changed === base.height ? base.step : -1 };
      const characters = this.#storedBefore(after);
      portions.work.spend(Math.ceil(characters / CHARACTERS_PER_WORK));
      portions.finished(0);
    }
  }

  #storedBefore(position: CommitPosition): number {
    try {
      return this.#database.transaction(() => this.#keepBefore(position));
    } finally {
      // Rows that were read before all changes of the chain are followed may be wrong.
      this.#parts = undefined;
    }
  }

  /** Keeps rows as they were before the chain's commits at a height. @returns characters of the undo records */
  #keepBefore({ height, step }: CommitPosition): number {
    const { store, stored } = this.#options;
    let characters = 0;
    for (const [entries] of store.rows(UNDO_SQL, height, step)) {
      characters += String(entries).length;
      const overwritten = Map.groupBy(overwrittenRows(store.tables, String(entries)), ({ table }) => table);
      for (const [table, rows] of overwritten) this.#keepRows(table, rows);
    }
    this.#database.hideUndo({ height, step });
    this.#note({ known: { height, id: encodeBase58(stored.rowAt(height).id) } });
    return characters;
  }

  /** @param rows their earlier values, in the order of writing */
  #keepRows(table: Table, rows: readonly OverwrittenRow[]): void {
    const { store } = this.#open();
    const oldest = new Map<string, OverwrittenRow>();
    for (const row of rows) {
      const key = keyText(table, row.key);
      if (!oldest.has(key)) oldest.set(key, row);
    }
    const unchanged = this.#database.unchanged(table, [...oldest.keys()]);
    store.gatherUnjournaled([...oldest].filter(([key]) => unchanged.has(key)).map(([, row]) => invertChange(row)));
    store.flush();
  }

  /** Rolls the candidate back to the position. */
  #takeBack(goal: CommitPosition, portions: SlicedValidation): void {
    const { store, stored, steps } = this.#open();
    while (!this.#isAt(goal)) {
      portions.assertBudget();
      const { height } = stored.view;
      const characters = Number(
        store.scalar("SELECT SUM(octet_length(entries)) FROM undo WHERE height = ?", height) ?? 0,
      );
      steps.atomic(() => {
        steps.rollBack(height - 1 > goal.height ? { height: height - 1, step: WHOLE_BLOCK } : goal);
        const place = { height: stored.view.height, step: stored.microBlockCount() };
        if (isBefore(place, this.#record.base)) this.#note({ base: place });
      });
      portions.work.spend(Math.ceil(characters / CHARACTERS_PER_WORK));
      portions.finished(0);
    }
  }

  #isAt({ height, step }: CommitPosition): boolean {
    const { stored } = this.#open();
    return stored.view.height === height && (step === WHOLE_BLOCK || stored.microBlockCount() <= step);
  }

  get #isHeavier(): boolean {
    return this.#open().stored.tip().score > this.#options.stored.tip().score;
  }

  #findPosition(id: BlockId): CommitPosition | undefined {
    const { stored } = this.#open();
    const height = stored.view.findHeightOf(id);
    if (height !== undefined) return { height, step: WHOLE_BLOCK };
    const form = stored.findLiquidForm(id);
    return form === undefined ? undefined : { height: stored.view.height, step: form };
  }

  /** Number of leading heads that the candidate has above the height. */
  #countValidated(heads: Iterable<SignedHeader>, height: number): number {
    const { view } = this.#open().stored;
    let judged = 0;
    for (const { id } of heads) {
      const own = view.findHeader(height + judged + 1);
      if (own === undefined || !equalBytes(own.id, id)) break;
      judged += 1;
    }
    return judged;
  }

  /**
   * Requires that no unfinished branch loses blocks above the height.
   * @throws BranchPutOff
   */
  #expectIdle(height: number, nowMs: number): void {
    const { usedMs, base, leavingAbove = Number.POSITIVE_INFINITY } = this.#record;
    const isLost = this.#open().stored.view.height > Math.max(height, base.height) && height < leavingAbove;
    const unusedMs = usedMs === undefined ? PATIENCE_MS : nowMs - usedMs;
    // A negative time means that the clock was set back.
    if (isLost && unusedMs >= 0 && unusedMs < PATIENCE_MS) throw new BranchPutOff("another branch is being validated");
  }

  /**
   * Refuses a branch with headers that their generators have not signed, or whose generators lack the minimum balance,
   * before any work for it. The balance where the branch begins bounds the generating balances of all blocks whose
   * window reaches down to it.
   * @param judged number of validated blocks
   * @throws RuleError blockSignatureInvalid, generatingBalanceTooLow
   */
  #expectGenerators({ branch, known, position: place }: HeavierBranch, judged: number): void {
    const { view } = this.#options.stored;
    const { functionality, chainId } = view.settings;
    // An earlier form of the tip lacks some of the block's changes.
    const height = place.step === WHOLE_BLOCK ? place.height : place.height - 1;
    let parentHeight = place.height + judged;
    for (const head of Iterator.from(branch.heads()).drop(known + judged)) {
      const { header } = head;
      // The signature of an older block covers its transactions.
      if (header.version >= BlockVersion.Protobuf && !hasValidBlockSignature({ ...head, transactions: [] }, chainId))
        throw new RuleError({ code: "blockSignatureInvalid", blockId: encodeBase58(head.id) });
      const { from } = generatingBalanceWindow({ parentHeight, features: view, functionality });
      parentHeight += 1;
      if (from > height || header.timestamp < functionality.lastTimeBasedForkParameter) continue;
      const { generator, challengedHeader } = header;
      const accounts = challengedHeader === undefined ? [generator] : [generator, challengedHeader.generator];
      const got = accounts.reduce((sum, key) => {
        const [at] = view.balanceHistory(addressOfPublicKey(key, chainId), height, height);
        return at === undefined ? sum : sum + at.balance + at.in - at.out;
      }, 0n);
      if (got < minimumBalance)
        throw new RuleError({
          code: "generatingBalanceTooLow",
          generator: addressText(addressOfPublicKey(generator, chainId)),
          required: minimumBalance,
          got,
        });
    }
  }

  get #record(): CandidateRecord {
    const record = this.#findRecord();
    if (record === undefined) throw new Error("there is no candidate");
    return record;
  }

  #findRecord(): CandidateRecord | undefined {
    const text = this.#database.isThere ? this.#open().store.findMeta(RECORD) : undefined;
    return text === undefined ? undefined : (JSON.parse(text) as CandidateRecord);
  }

  #note(changes: { readonly [Name in keyof CandidateRecord]?: CandidateRecord[Name] | undefined }): void {
    this.#put({ ...this.#record, ...changes } as CandidateRecord);
  }

  #put(record: CandidateRecord): void {
    this.#open().store.putMeta(RECORD, JSON.stringify(record));
  }

  #open(): Parts {
    if (this.#parts !== undefined) return this.#parts;
    const { maxRollbackDepth, storage, stored: chain } = this.#options;
    const store = new StateStore(this.#database, stateTables, CACHE_SHARE);
    const { settings, exemption } = chain.view;
    const stored = new StoredChain(new TableView(store, settings, exemption), store);
    const transaction = this.#database.transaction.bind(this.#database);
    const follow = () => () => {};
    const takenBack = () => {};
    const steps = new Committer({ store, stored, transaction, maxRollbackDepth, storage, follow, takenBack });
    this.#parts = { store, stored, steps, liquid: new LiquidChain({ store, stored, committer: steps }) };
    return this.#parts;
  }
}

const UNDO_SQL = "SELECT entries FROM undo WHERE height = ? AND step > ? ORDER BY step, part";

function isBefore(position: CommitPosition, other: CommitPosition): boolean {
  return position.height === other.height ? position.step < other.step : position.height < other.height;
}
