/**
 * The chain as ChainState holds it: appends blocks and micro-blocks, decides between competing ones, takes blocks back.
 * Each of its calls is one SQLite transaction.
 * @source spec/consensus-and-finality.md 1.8, 1.9; Waves: state/BlockchainUpdaterImpl.scala
 */
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { equalBytes } from "../../src/crypto/bytes.ts";
import { Feature } from "../../src/network/features.ts";
import type { BlockchainSettings, NodeSettings } from "../../src/network/settings.ts";
import type { Block, BlockId, MicroBlock, SignedHeader } from "../../src/protocol/blocks/block.ts";
import { hasValidBlockSignature } from "../../src/protocol/blocks/block-signature.ts";
import { genesisBlock } from "../../src/protocol/blocks/genesis-block.ts";
import {
  extendLiquidBlock,
  hasValidMicroBlockSignature,
  type LiquidBlock,
  liquidBlock,
} from "../../src/protocol/blocks/liquid-block.ts";
import { encodeBlock } from "../../src/protocol/blocks/parse-block.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import { parseSignedTransaction, parseTransaction } from "../../src/protocol/transactions/parse-transaction.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import {
  addTransactions,
  applyBlock,
  applyGenesis,
  isNgActive,
  type ParentFacts,
  type TransactionHandling,
  verifyStateHash,
} from "../../src/rules/blocks/apply-block.ts";
import { BlockRun, type BlockUsage } from "../../src/rules/blocks/block-run.ts";
import { verifyHeader } from "../../src/rules/blocks/verify-header.ts";
import { blockLimits } from "../../src/rules/consensus/block-limits.ts";
import { BlockVersion } from "../../src/rules/consensus/block-version.ts";
import { OverlayView } from "../../src/rules/state/overlay-view.ts";
import { type BlockRow, microBlockTable } from "../../src/tables/blocks.ts";
import type { RowChange } from "../../src/tables/schema/row-change.ts";
import { SqliteView } from "../../src/tables/view/table-view.ts";
import { expireAssetBalanceHistory, expireBalanceHistory } from "../state/expire-history.ts";
import type { StateStore } from "../state/state-store.ts";
import { prefetch } from "./prefetch.ts";
import { blockRow, encodeHeader, type StepFacts, stepRows } from "./rows/block-rows.ts";
import { featureRows, preActivatedFeatureRows } from "./rows/feature-rows.ts";
import { listRows } from "./rows/list-rows.ts";
import { stateHashChange } from "./rows/state-hash-row.ts";

export interface ChainFacts {
  readonly store: StateStore;
  readonly settings: BlockchainSettings;
  /** Runs all or nothing: an error thrown inside leaves the tables as they were. */
  readonly transaction: <T>(run: () => T) => T;
  /** Blocks that may be taken back, and for which balances at a height are answered. */
  readonly maxRollbackDepth: number;
  /** What to keep that no rule needs; by default nothing. */
  readonly keeps?: KeptRecords;
}

/** @see NodeSettings */
export type KeptRecords = Pick<NodeSettings, "storeStateHashes" | "storeSnapshots">;

export interface AppendContext extends TransactionHandling {
  readonly nowMs: number;
  /** False where the generator's signature is already checked. */
  readonly verifyBlockSignature?: boolean;
}

/** What an append did to transactions that were in the chain before. */
export interface Appended {
  /** False for a block that the chain already has in this or a longer form. */
  readonly isNew: boolean;
  /** Transactions of blocks or micro-blocks that the new one replaced: they go back to the pool. */
  readonly discarded: readonly Transaction[];
}

/** A micro-block in the making. */
export interface OpenedMicroBlock {
  /** Total id of the liquid block that the run stands on. */
  readonly reference: BlockId;
  readonly run: BlockRun;
  readonly overlay: OverlayView;
}

const keepsNothing: KeptRecords = { storeStateHashes: false, storeSnapshots: false };
/** After every micro-block of the height. */
const WHOLE_BLOCK = Number.MAX_SAFE_INTEGER;
/** Blocks that the generating balance of an account looks back at most, and one for the balance at their start. */
const GENERATING_BALANCE_BLOCKS = 1_001;
/** How often undo records that are too old are dropped, in blocks. */
const PRUNE_INTERVAL = 100;
/** Rows that a batch gathers before they are written: one has about 1 kB in memory. */
const MAX_GATHERED_ROWS = 2_000;

export class Chain {
  readonly view: SqliteView;
  readonly #store: StateStore;
  readonly #transaction: ChainFacts["transaction"];
  readonly #maxRollbackDepth: number;
  readonly #keeps: KeptRecords;
  #liquid: LiquidBlock | undefined;
  #lastAppended: Block | undefined;
  /** Whether rows wait for those of the next blocks. */
  #isBatch = false;

  constructor({ store, settings, transaction, maxRollbackDepth, keeps = keepsNothing }: ChainFacts) {
    this.#store = store;
    this.#transaction = transaction;
    this.#maxRollbackDepth = maxRollbackDepth;
    this.#keeps = keeps;
    this.view = new SqliteView(store, settings);
  }

  get height(): number {
    return this.view.height;
  }

  /** Row of the tip. */
  tip(): BlockRow {
    return this.#rowAt(this.view.height);
  }

  /** Makes the genesis block, if the chain has none. @throws RuleError when the settings do not make a valid one */
  ensureGenesis(nowMs: number): void {
    if (this.view.height > 0) return;
    const block = genesisBlock(this.view.settings);
    const applied = applyGenesis(this.view, block);
    const sizeBytes = encodeBlock(block, this.view.settings.chainId).length;
    const hitSource = block.header.generationSignature;
    const row = blockRow(block, applied, { hitSource, parent: undefined, sizeBytes });
    this.#atomic(() => {
      this.#commit(0, row, block, [
        ...stepRows(row, applied.placed, applied.overlay, this.#stepFacts(0, row, nowMs)),
        ...preActivatedFeatureRows(this.view),
      ]);
    });
  }

  /**
   * Appends a block: on the tip, on an earlier form of the liquid block (its later micro-blocks are dropped), or in place
   * of a liquid block with the same parent that came later.
   * @throws RuleError what is wrong with it; the chain is then as it was
   */
  appendBlock(block: Block, context: AppendContext): Appended {
    const place = this.#placeOf(block);
    if (place === undefined) return { isNew: false, discarded: [] };
    if (this.#isBatch && place.height === this.height && place.step === WHOLE_BLOCK) {
      this.#appendOnTip(block, context);
      if (this.#store.gatheredRows > MAX_GATHERED_ROWS) this.#store.flush();
      return { isNew: true, discarded: [] };
    }
    return this.#atomic(() => {
      const discarded = this.#rollback(place.height, place.step);
      this.#appendOnTip(block, context);
      this.#expire(this.height - 1);
      return { isNew: true, discarded };
    });
  }

  /**
   * Runs appends of many blocks whose rows are written together: one statement for the rows of a table, not one for each
   * row. A block that is refused leaves the ones before it. Nothing may be awaited inside: a crash loses the whole batch.
   */
  inBatch<T>(run: () => T): T {
    const before = this.height;
    this.#isBatch = true;
    try {
      return run();
    } finally {
      this.#isBatch = false;
      this.#atomic(() => this.#expire(before));
    }
  }

  /** Says which transactions come next, in many small blocks: what they need is read in one go. */
  expect(transactions: readonly Transaction[]): void {
    prefetch(this.#store, transactions);
  }

  #appendOnTip(block: Block, context: AppendContext): void {
    const { view } = this;
    const hitSource = verifyHeader(block, view, context);
    const parent = this.tip();
    prefetch(this.#store, block.transactions);
    const applied = applyBlock(view, block, hitSource, this.#parentFacts(parent), context);
    const sizeBytes = encodeBlock(block, view.settings.chainId).length;
    const row = blockRow(block, applied, { hitSource, parent, sizeBytes });
    const votes = featureRows(block.header, row.height, view, this.#store);
    this.#commit(0, row, block, [
      ...stepRows(row, applied.placed, applied.overlay, this.#stepFacts(0, row, context.nowMs)),
      ...votes,
      ...this.#closedMicroBlocks(),
    ]);
    this.#lastAppended = block;
  }

  /**
   * Appends a micro-block to the liquid block.
   * @throws RuleError
   */
  appendMicroBlock(microBlock: MicroBlock, context: AppendContext): void {
    this.#extendLiquidBlock(microBlock, context.nowMs, () => {
      const opened = this.openMicroBlock(context);
      prefetch(this.#store, microBlock.transactions);
      addTransactions(opened.run, microBlock.transactions, context.place);
      return opened;
    });
  }

  /**
   * Appends a micro-block that was packed here: its transactions were applied in the run and are not applied again.
   * @param opened by `openMicroBlock`, its run filled with exactly the micro-block's transactions
   * @throws RuleError as `appendMicroBlock`
   * @throws Error when the run stands on an earlier tip, or holds other transactions
   */
  appendOwnMicroBlock(microBlock: MicroBlock, opened: OpenedMicroBlock, nowMs: number): void {
    if (!equalBytes(opened.reference, this.tip().id)) throw new Error("the run was opened on an earlier tip");
    const { placed } = opened.run;
    const { transactions } = microBlock;
    const isSame =
      placed.length === transactions.length && placed.every((item, at) => item.transaction === transactions[at]);
    if (!isSame) throw new Error("the run holds other transactions than the micro-block");
    this.#extendLiquidBlock(microBlock, nowMs, () => opened);
  }

  #extendLiquidBlock(microBlock: MicroBlock, nowMs: number, applied: () => OpenedMicroBlock): void {
    const { view } = this;
    const { height } = view;
    const tip = this.tip();
    const base = view.findHeader(height);
    if (base === undefined) throw new Error("the tip has no header");
    verifyMicroBlock(microBlock, tip, base.header.generator);
    const { chainId } = view.settings;
    const liquid = extendLiquidBlock(this.liquid(), microBlock, chainId);
    const { block } = liquid;
    if (!hasValidBlockSignature(block, chainId))
      throw new RuleError({ code: "microBlockRefused", reason: "the signature of the whole block does not verify" });
    this.#atomic(() => {
      const { run, overlay } = applied();
      verifyStateHash(microBlock.stateHash, run.stateHash, view, height);
      const row: BlockRow = {
        ...tip,
        id: block.id,
        header: encodeHeader(block, chainId),
        sizeBytes: encodeBlock(block, chainId).length,
        transactionCount: block.transactions.length,
        totalFee: tip.totalFee + run.totalFee,
        carryFee: tip.carryFee + run.carryFee,
        stateHash: run.stateHash,
      };
      const step = this.liquidStep() + 1;
      this.#commit(step, row, block, stepRows(row, run.placed, overlay, this.#stepFacts(step, row, nowMs)));
    });
    this.#liquid = liquid;
  }

  /** The tip with its transactions, ready to be extended. Kept in memory: a block has 1 MB at most. */
  liquid(): LiquidBlock {
    const { id } = this.tip();
    if (this.#liquid !== undefined && equalBytes(this.#liquid.block.id, id)) return this.#liquid;
    const block = this.findBlock(this.view.height);
    if (block === undefined) throw new Error("the tip has no header");
    this.#liquid = liquidBlock(block);
    return this.#liquid;
  }

  /** A run of transactions on top of the liquid block: to apply a received micro-block, or to fill an own one. */
  openMicroBlock({ verifySignatures }: Pick<AppendContext, "verifySignatures">): OpenedMicroBlock {
    const { view } = this;
    const { height } = view;
    const tip = this.tip();
    const header = view.findHeader(height)?.header;
    if (header === undefined) throw new Error("the tip has no header");
    const overlay = new OverlayView(view, { height });
    const run = new BlockRun({
      overlay,
      blockVersion: header.version,
      generator: addressOfPublicKey(header.generator, view.settings.chainId),
      blockTimestamp: header.timestamp,
      previousBlockTimestamp: view.findHeader(height - 1)?.header.timestamp,
      limits: blockLimits(height - 1, view),
      usage: this.#liquidUsage(height),
      stateHash: tip.stateHash as BlockRun["stateHash"],
      verifySignatures,
    });
    return { reference: tip.id as BlockId, run, overlay };
  }

  /** Number of micro-blocks of the tip. */
  liquidStep(): number {
    return Number(this.#store.scalar("SELECT MAX(position) FROM micro_block WHERE height = ?", this.view.height) ?? 0);
  }

  /** Total block ids of the tip, oldest first, with the time at which each was made or received. */
  liquidIds(): readonly { readonly id: BlockId; readonly timestampMs: number }[] {
    return this.#store
      .rows("SELECT total_block_id, timestamp FROM micro_block WHERE height = ? ORDER BY position", this.view.height)
      .map(([id, timestampMs]) => ({
        id: new Uint8Array(id as ArrayBuffer) as BlockId,
        timestampMs: timestampMs as number,
      }));
  }

  /**
   * What `question` answers while the tip is as it was after its first `microBlocks` micro-blocks: the form that a
   * generator references. Afterwards the chain is as it was.
   */
  withLiquidBlock<T>(microBlocks: number, question: () => T): T {
    const { height } = this.view;
    const answers: T[] = [];
    const undone = new Error("taken back on purpose");
    try {
      this.#atomic(() => {
        this.#rollback(height, microBlocks);
        answers.push(question());
        throw undone;
      });
    } catch (error) {
      if (error !== undone) throw error;
    }
    return answers[0] as T;
  }

  /**
   * Takes back every block above the height.
   * @returns their transactions, oldest first
   * @throws RuleError rollbackTooDeep
   */
  rollbackTo(height: number): readonly Transaction[] {
    const lowestHeight = this.#store.lowestRollbackHeight();
    if (height < lowestHeight) throw new RuleError({ code: "rollbackTooDeep", height, lowestHeight });
    return this.#atomic(() => this.#rollback(height, WHOLE_BLOCK));
  }

  /** Transactions of the block at the height, in order. */
  *transactionsAt(height: number): Iterable<Transaction> {
    const version = this.view.findHeader(height)?.header.version ?? 0;
    const { chainId } = this.view.settings;
    const parse = version >= BlockVersion.Protobuf ? parseSignedTransaction : parseTransaction;
    for (const { bytes } of this.view.transactionsAt(height)) yield parse(bytes, chainId);
  }

  /** The whole block at the height, as the network has it. */
  findBlock(height: number): Block | undefined {
    const header = this.view.findHeader(height);
    return header && { ...header, transactions: [...this.transactionsAt(height)] };
  }

  /** Where the block goes: after this step everything is dropped. Undefined for a block that is already there. */
  #placeOf(block: Block): { readonly height: number; readonly step: number } | undefined {
    const { view } = this;
    const { height } = view;
    const { reference, timestamp, generator } = block.header;
    const tip = this.tip();
    if (equalBytes(reference, tip.id)) return { height, step: WHOLE_BLOCK };
    const microBlock = this.liquidIds().findIndex(({ id }) => equalBytes(reference, id));
    if (microBlock >= 0) return { height, step: microBlock };
    const parent = view.findHeader(height - 1);
    const base = view.findHeader(height);
    if (parent === undefined || base === undefined || !equalBytes(reference, parent.id))
      throw new RuleError({
        code: "blockReferenceUnknown",
        reference: encodeBase58(reference),
        tip: encodeBase58(tip.id),
      });
    if (timestamp < base.header.timestamp) return { height: height - 1, step: WHOLE_BLOCK };
    if (timestamp === base.header.timestamp && equalBytes(generator, base.header.generator)) return undefined;
    throw new RuleError({ code: "competitorNotBetter", timestamp, currentTimestamp: base.header.timestamp });
  }

  /** Takes steps back and returns the transactions that fall out of the chain. */
  #rollback(height: number, step: number): readonly Transaction[] {
    const { view } = this;
    const before = view.height;
    if (before === height && (step === WHOLE_BLOCK || step >= this.liquidStep())) return [];
    const dropped: { readonly height: number; readonly transactions: readonly Transaction[] }[] = [];
    for (let at = height; at <= before; at++) dropped.push({ height: at, transactions: [...this.transactionsAt(at)] });
    this.#store.rollbackTo({ height, step });
    view.refresh();
    const kept = this.#rowAt(height).transactionCount;
    return dropped.flatMap((block) => (block.height === height ? block.transactions.slice(kept) : block.transactions));
  }

  #parentFacts(parent: BlockRow): ParentFacts {
    const known = this.#isLastAppended(parent) ? this.#lastAppended : undefined;
    return {
      carryFee: parent.carryFee,
      transactions: () => known?.transactions ?? this.transactionsAt(parent.height),
    };
  }

  #rowAt(height: number): BlockRow {
    const row = this.view.findBlockRow(height);
    if (row === undefined) throw new Error(`no block is known at height ${height}`);
    return row;
  }

  #liquidUsage(height: number): BlockUsage {
    const [sums] = this.#store.rows(
      "SELECT COUNT(*), COALESCE(SUM(LENGTH(bytes)), 0), COALESCE(SUM(spent_complexity), 0) FROM tx WHERE height = ?",
      height,
    );
    if (sums === undefined) throw new Error("a sum has no row");
    const [transactions, sizeBytes, complexity] = sums.map(Number) as [number, number, number];
    return { transactions, sizeBytes, scriptComplexity: BigInt(complexity) };
  }

  /** The micro-block ids of the tip, which go when a block follows it; a rollback brings them back with the tip. */
  #closedMicroBlocks(): RowChange[] {
    if (!isNgActive(this.view)) return [];
    const { height } = this;
    // PERF: in a batch a question about many rows would write what is gathered, and one row is all that there can be.
    const keyBlock = this.#isLastAppended(this.tip()) && this.#store.find(microBlockTable, { height, position: 0 });
    const rows = keyBlock ? [keyBlock] : this.#store.query(microBlockTable, "WHERE height <= ?", height);
    return rows.map((row) => ({ table: microBlockTable, row, removed: true }));
  }

  /** Whether the tip is the block that was appended last, without any micro-block. */
  #isLastAppended(tip: BlockRow): boolean {
    return this.#lastAppended !== undefined && equalBytes(this.#lastAppended.id, tip.id);
  }

  /** What the new tip lets go: history and undo records that nothing can ask for any more. */
  #expire(heightBefore: number): void {
    const { height } = this;
    if (height <= heightBefore) return;
    const askedBlocks = Math.max(this.#maxRollbackDepth, GENERATING_BALANCE_BLOCKS);
    const tipHeights = { from: heightBefore, to: height };
    expireBalanceHistory(this.#store, tipHeights, this.#maxRollbackDepth + askedBlocks);
    expireAssetBalanceHistory(this.#store, tipHeights, 2 * this.#maxRollbackDepth);
    if (height % PRUNE_INTERVAL < height - heightBefore) this.#store.prune(height - this.#maxRollbackDepth);
  }

  /** One SQLite transaction; when it fails, nothing in memory is ahead of the tables. */
  #atomic<T>(run: () => T): T {
    // What a batch has gathered so far stays, whatever becomes of this.
    this.#store.flush();
    try {
      return this.#transaction(() => {
        const result = run();
        this.#store.flush();
        return result;
      });
    } catch (error) {
      this.#store.forgetCache();
      this.view.refresh();
      throw error;
    }
  }

  #stepFacts(position: number, { height }: BlockRow, nowMs: number): StepFacts {
    // Light nodes ask for the change sets from the height on at which headers may prove them.
    const keepsSnapshots = this.#keeps.storeSnapshots || this.view.isActive(Feature.LightNode, height);
    return { position, nowMs, keepsSnapshots };
  }

  /** Takes in a step and lets the view follow. */
  #commit(step: number, row: BlockRow, header: SignedHeader, changes: readonly RowChange[]): void {
    const place = { height: row.height, step };
    const stateHash = this.#keeps.storeStateHashes
      ? stateHashChange(this.#store, place, changes, row.stateHash)
      : undefined;
    const lists = listRows({ store: this.#store, chainId: this.view.settings.chainId, place, changes });
    this.#store.gather(place, [...changes, ...lists, ...(stateHash ? [stateHash] : [])]);
    this.view.advance(row, { header: header.header, signature: header.signature, id: header.id }, changes);
  }
}

/** @throws RuleError microBlockRefused */
function verifyMicroBlock(microBlock: MicroBlock, tip: BlockRow, generator: Uint8Array): void {
  const refuse = (reason: string): never => {
    throw new RuleError({ code: "microBlockRefused", reason });
  };
  if (!equalBytes(microBlock.sender, generator)) refuse("the liquid block was generated by another account");
  if (!equalBytes(microBlock.reference, tip.id))
    refuse(`it references ${encodeBase58(microBlock.reference)}, the liquid block is ${encodeBase58(tip.id)}`);
  if (!hasValidMicroBlockSignature(microBlock)) refuse("its signature does not verify");
}
