/**
 * The tip: key blocks follow it, micro-blocks extend it. Every append is validated entirely before anything is written.
 * @source docs/protocol/consensus-and-finality.md 1.8; Waves: state/BlockchainUpdaterImpl.scala, state/NgState.scala
 */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { concatBytes, equalBytes } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import type {
  Block,
  BlockHeader,
  BlockId,
  FinalizationVoting,
  MicroBlock,
} from "../../../src/protocol/blocks/block.ts";
import { hasValidBlockSignature } from "../../../src/protocol/blocks/block-signature.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import {
  extendLiquidBlock,
  hasValidMicroBlockSignature,
  type LiquidBlock,
  liquidBlock,
} from "../../../src/protocol/blocks/liquid-block.ts";
import { blockSizeBytes } from "../../../src/protocol/blocks/parse-block.ts";
import { transactionsTree } from "../../../src/protocol/blocks/transactions-root.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Snapshot } from "../../../src/protocol/snapshots/snapshot.ts";
import {
  addTransactions,
  applyBlock,
  applyGenesis,
  isNgActive,
  type ParentInfo,
  type TransactionHandling,
  verifyStateHash,
} from "../../../src/rules/blocks/apply-block.ts";
import { BlockRun, type BlockUsage } from "../../../src/rules/blocks/block-run.ts";
import {
  type BlockValidation,
  type SlicedValidation,
  singleCallValidation,
} from "../../../src/rules/blocks/block-validation.ts";
import { type ExecutionVariant, resultOfFirstValid } from "../../../src/rules/blocks/execution-variants.ts";
import { validateChallenge } from "../../../src/rules/blocks/validate-challenge.ts";
import { type VerifyOptions, verifyBlock } from "../../../src/rules/blocks/verify-block.ts";
import { type BlockLimits, blockLimits, ownBlockLimits } from "../../../src/rules/consensus/block-limits.ts";
import { acceptsMicroBlocks } from "../../../src/rules/consensus/extensible-blocks.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import { unimplementedFeatures } from "../../../src/rules/consensus/unimplemented-features.ts";
import { blsSignaturesBy, type EndorsementSignatures } from "../../../src/rules/finality/endorsement-signatures.ts";
import { isParentFinalized, weightsWithout } from "../../../src/rules/finality/finalization.ts";
import { finalizedAfter } from "../../../src/rules/finality/finalized-height.ts";
import { generationPeriodAt } from "../../../src/rules/finality/generation-period.ts";
import { type GeneratorSet, generatorsAfter } from "../../../src/rules/finality/generator-set.ts";
import { countedVoting, verifyVoting } from "../../../src/rules/finality/verify-voting.ts";
import { deterministicOnly } from "../../../src/rules/state/deterministic-only.ts";
import { type OverlayBlock, OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { type BlockRow, microBlockTable } from "../../../src/tables/blocks.ts";
import { added, type RowChange } from "../../../src/tables/schema/row-change.ts";
import { transactionTreeRow, transactionTreeTable } from "../../../src/tables/transaction-trees.ts";
import type { TableView } from "../../../src/tables/view/table-view.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Committer } from "./committer.ts";
import { prefetch } from "./prefetch.ts";
import { blockRow, challengeRows, conflictRows, encodeHeader } from "./rows/block-rows.ts";
import { featureRows, preActivatedFeatureRows } from "./rows/feature-rows.ts";
import { generatorRows } from "./rows/generator-rows.ts";
import type { StoredChain } from "./stored-chain.ts";

export interface AppendContext extends TransactionHandling {
  readonly nowMs: number;
  /** False if the generator's signature is already verified. */
  readonly verifyBlockSignature?: boolean;
  /** Whether the block is known to be a key block, as it was before any micro-block. */
  readonly ownsTransactions?: boolean;
  /** By default a block is validated in one call. */
  readonly slicedValidation?: SlicedValidation;
}

/** A micro-block in the making. */
export interface OpenedMicroBlock {
  /** Total id of the liquid block that the run extends. */
  readonly reference: BlockId;
  readonly run: BlockRun;
  readonly overlay: OverlayView;
}

/** Change of the state without a transaction. */
export interface StateOverride {
  readonly snapshot: Snapshot;
  /** Increase of the wavelets in existence; negative: decrease. */
  readonly issuedWavelets: bigint;
}

export class LiquidChain {
  readonly stored: StoredChain;
  readonly view: TableView;
  readonly #store: StateStore;
  readonly #committer: Committer;
  #liquid: LiquidBlock | undefined;
  /** Generator set of the block at the height with the reference. */
  #generators: { readonly height: number; readonly reference: BlockId; readonly set: GeneratorSet } | undefined;
  /** Last appended key block, unless a micro-block came after it. It may no longer be in the chain. */
  #lastAppended: Block | undefined;

  constructor(facts: {
    readonly store: StateStore;
    readonly stored: StoredChain;
    readonly committer: Committer;
  }) {
    this.#store = facts.store;
    this.#committer = facts.committer;
    this.stored = facts.stored;
    this.view = facts.stored.view;
  }

  /** Makes the genesis block, if the chain has none. @throws RuleError if the settings do not make a valid one */
  ensureGenesis(nowMs: number): void {
    const { view } = this;
    if (view.height > 0) return;
    this.#checkImplemented();
    const block = genesisBlock(view.settings);
    const applied = applyGenesis(view, block);
    const { overlay, included, usage } = applied;
    const sizeBytes = blockSizeBytes(block, view.settings.chainId);
    const hitSource = block.header.generationSignature;
    const finalizedHeight = finalizedAfter(1, 1, false);
    const row = blockRow(block, applied, { hitSource, parent: undefined, sizeBytes, finalizedHeight });
    const more = preActivatedFeatureRows(view);
    this.#committer.atomic(() =>
      this.#committer.commit({ row, header: block, position: 0, included, usage, overlay, more, nowMs }),
    );
  }

  /**
   * Appends a key block to the tip. To be called within `Committer.atomic`, or in a batch.
   * @throws RuleError for an invalid block
   */
  appendKeyBlock(block: Block, context: AppendContext): void {
    const { view } = this;
    this.#checkImplemented();
    const { slicedValidation } = context;
    const work = slicedValidation?.work;
    const signatures = signaturesOf(slicedValidation);
    const { hitSource, challenged, generators } = verifyBlock(block, view, { ...context, signatures });
    const parent = this.stored.tip();
    prefetch(this.#store, block.transactions);
    const parentFacts = this.#parentInfo(parent);
    // With given state snapshots the challenge is not validated: those of the challenged block's transactions are
    // unknown, or this node has validated the challenge before.
    const isByRules = context.include === undefined;
    const handling = { ...context, work };
    if (challenged !== undefined && (isByRules || block.transactions.length === 0)) {
      const judge = (judging: BlockValidation) => validateChallenge(view, challenged, parentFacts, handling, judging);
      if (slicedValidation === undefined) judge(singleCallValidation(true));
      else slicedValidation.justify(block.id, judge);
    }
    // The challenger of a micro-block has stored the parent by then, and challenges the key block with it.
    const isOfKeyBlock = context.ownsTransactions === true && challenged === undefined;
    const ownsTransactions = isOfKeyBlock || !view.isActive(Feature.Ng, parent.height + 1);
    const judging = validationOf(block.id, ownsTransactions, slicedValidation);
    const apply = (way?: ExecutionVariant) => {
      const place = way && judging.includerOf(way, handling, challenged !== undefined);
      return applyBlock(view, block, hitSource, parentFacts, { ...handling, ...way, ...(place && { include: place }) });
    };
    // Given state snapshots come from one execution variant.
    const applied = isByRules ? resultOfFirstValid(judging.variants, apply) : apply();
    const sizeBytes = blockSizeBytes(block, view.settings.chainId);
    const { finalizationVoting } = block.header;
    const finalizedHeight = this.#finalizedAfter(block, parent.height + 1, applied.generator, generators);
    const row = blockRow(block, applied, { hitSource, parent, sizeBytes, finalizedHeight });
    const votes = featureRows(block.header, row.height, view, this.#store);
    const period = generationPeriodAt(row.height, view);
    const weighed = period === undefined ? [] : generatorRows(row.height, period, generators, this.generators());
    this.#committer.commit({
      row,
      header: block,
      position: 0,
      included: applied.included,
      usage: applied.usage,
      overlay: applied.overlay,
      more: [
        ...votes,
        ...weighed,
        ...challengeRows(applied.overlay),
        ...this.#conflictRows(finalizationVoting, row.height),
        ...this.#closedMicroBlocks(),
        ...this.#closedTree(parent),
      ],
      generatorWeights: this.#countedWeights(row.height, generators, finalizationVoting),
      nowMs: context.nowMs,
    });
    this.#lastAppended = block;
    this.#generators = { height: row.height, reference: block.header.reference, set: generators };
  }

  /**
   * Appends a micro-block to the liquid block. A refused one leaves it as it was, and another one may be appended
   * instead.
   * @throws RuleError
   */
  appendMicroBlock(microBlock: MicroBlock, context: AppendContext): void {
    const { slicedValidation } = context;
    this.#extend(microBlock, { nowMs: context.nowMs, signatures: signaturesOf(slicedValidation) }, ({ id }) => {
      const { view } = this;
      const limits = blockLimits(view.height - 1, view);
      prefetch(this.#store, microBlock.transactions);
      // A whole block may have the same id, and the total id that a micro-block names does not prove its content.
      const judging = validationOf(concatBytes(id, microBlock.reference), true, slicedValidation);
      const handling = { ...context, work: slicedValidation?.work };
      return resultOfFirstValid(judging.variants, (way) => {
        const { foreignAddresses, spellings } = way;
        const scripts = { mayRefuseWork: false, foreignAddresses, spellings, workMeter: handling.work };
        const opened = this.#openMicroBlock(context, limits, scripts);
        addTransactions(opened.run, microBlock.transactions, judging.includerOf(way, handling));
        verifyStateHash(microBlock.stateHash, opened.run.stateHash, view, view.height);
        return opened;
      });
    });
  }

  /**
   * Appends a micro-block that this node packed: its transactions were applied in the run and are not applied again.
   * @param opened by `openMicroBlock`, its run filled with exactly the micro-block's transactions
   * @throws RuleError as `appendMicroBlock`
   * @throws Error if the run was opened on an earlier tip, or holds other transactions
   */
  appendOwnMicroBlock(microBlock: MicroBlock, opened: OpenedMicroBlock, nowMs: number): void {
    if (!equalBytes(opened.reference, this.stored.tip().id)) throw new Error("the run was opened on an earlier tip");
    const { included } = opened.run;
    const { transactions } = microBlock;
    const isSame =
      included.length === transactions.length && included.every((item, at) => item.transaction === transactions[at]);
    if (!isSame) throw new Error("the run holds other transactions than the micro-block");
    this.#extend(microBlock, { nowMs }, () => opened);
  }

  /**
   * Appends a state override to the tip: a commit of its own, like a micro-block, but the block keeps its id. Only the
   * owner of a dev chain makes such changes: other nodes would not know of it.
   * @throws RuleError microBlockRefused if the tip takes no further commit
   */
  appendOverride({ snapshot, issuedWavelets }: StateOverride): void {
    const { view } = this;
    const { height } = view;
    const tip = this.stored.tip();
    const header = view.findHeader(height);
    if (header === undefined) throw new Error("the tip has no header");
    this.#checkExtensible(header.header);
    const overlay = new OverlayView(view, { height });
    overlay.apply(snapshot);
    const row: BlockRow = { ...tip, wavesAmount: tip.wavesAmount + issuedWavelets };
    const position = this.stored.microBlockCount() + 1;
    const usage = this.#usage(tip);
    // Timestamp of the block: the next one follows this form and no earlier one, whatever its generator's clock says.
    const nowMs = Number(tip.timestamp);
    const generatorWeights = this.#countedWeights(height, this.generators(), header.header.finalizationVoting);
    this.#committer.atomic(() => {
      this.#committer.commit({ row, header, position, included: [], usage, overlay, generatorWeights, nowMs });
      // Earlier state snapshots of priority transactions were made on another state.
      this.#committer.follow({ appended: [], discarded: [], dropped: [] });
    });
    this.#lastAppended = undefined;
  }

  /** The tip with its transactions, ready to be extended. Cached in memory: a block has 1 MB at most. */
  block(): LiquidBlock {
    const { id } = this.stored.tip();
    if (this.#liquid !== undefined && equalBytes(this.#liquid.block.id, id)) return this.#liquid;
    const block = this.stored.findBlock(this.view.height);
    if (block === undefined) throw new Error("the tip has no header");
    this.#liquid = liquidBlock(block);
    return this.#liquid;
  }

  /** Generator set of the tip: micro-blocks do not change it. Cached in memory. */
  generators(): GeneratorSet {
    const { height } = this.view;
    const { reference } = headerAt(this.view, height).header;
    const known = this.#generators;
    if (known?.height === height && equalBytes(known.reference, reference)) return known.set;
    const set = generatorsAfter(height - 1, this.view);
    this.#generators = { height, reference, set };
    return set;
  }

  /**
   * Finalized height that the block passes on to the next one. Its whole voting counts, as it finally is: a block
   * finalizes the same, in whatever micro-blocks it has come.
   */
  #finalizedAfter({ header }: Block, height: number, generator: Address, generators: GeneratorSet): number {
    const isFinalizing = isParentFinalized(generators, generator, countedVoting(header.finalizationVoting, this.view));
    return finalizedAfter(height, this.view.storedFinalizedHeight(height - 1), isFinalizing);
  }

  /** Weights for the older state hash, which has the genesis block in its first form. */
  #countedWeights(
    height: number,
    generators: GeneratorSet,
    voting: FinalizationVoting | undefined,
  ): readonly bigint[] | undefined {
    if (height === 1 || !this.view.isActive(Feature.DeterministicFinality, height)) return undefined;
    return weightsWithout(generators, voting).filter((weight) => weight > 0n);
  }

  #conflictRows(voting: FinalizationVoting | undefined, height: number): RowChange[] {
    const period = generationPeriodAt(height, this.view);
    return period === undefined ? [] : conflictRows(voting, period.start, height);
  }

  /** Drops cached data. To be called when the chain has become another one. */
  forget(): void {
    this.#generators = undefined;
    this.#liquid = undefined;
    this.#lastAppended = undefined;
  }

  /** Opens a run of transactions on top of the liquid block, to fill a micro-block of this node. */
  openMicroBlock(context: Pick<AppendContext, "verifySignatures">): OpenedMicroBlock {
    const limits = ownBlockLimits(this.view.height - 1, this.view);
    return this.#openMicroBlock(context, limits, deterministicOnly());
  }

  #openMicroBlock(
    { verifySignatures }: Pick<AppendContext, "verifySignatures">,
    limits: BlockLimits,
    scripts: Pick<OverlayBlock, "mayRefuseWork" | "foreignAddresses" | "spellings" | "workMeter">,
  ): OpenedMicroBlock {
    const { view } = this;
    const { height } = view;
    const tip = this.stored.tip();
    const header = view.findHeader(height)?.header;
    if (header === undefined) throw new Error("the tip has no header");
    const overlay = new OverlayView(view, { height, ...scripts });
    const run = new BlockRun({
      overlay,
      blockVersion: header.version,
      generator: addressOfPublicKey(header.generator, view.settings.chainId),
      blockTimestamp: header.timestamp,
      previousBlockTimestamp: view.findHeader(height - 1)?.header.timestamp,
      limits,
      usage: this.#usage(tip),
      stateHash: tip.stateHash as BlockRun["stateHash"],
      verifySignatures,
    });
    return { reference: tip.id as BlockId, run, overlay };
  }

  /**
   * Returns the result of `question`, called while the tip is as it was after its first `microBlocks` micro-blocks: the
   * form that a generator references. Afterwards the chain is as it was.
   */
  withLiquidForm<T>(microBlocks: number, question: () => T): T {
    return this.#committer.whileRolledBack({ height: this.view.height, step: microBlocks }, question);
  }

  /** The liquid block extended by the micro-block; it need not be valid. */
  extended(microBlock: MicroBlock): Block {
    return this.#extended(microBlock).block;
  }

  #extended(microBlock: MicroBlock): LiquidBlock {
    return extendLiquidBlock(this.block(), microBlock, this.view.settings.chainId);
  }

  #extend(
    microBlock: MicroBlock,
    { nowMs, signatures }: Pick<AppendContext, "nowMs"> & Pick<VerifyOptions, "signatures">,
    applied: (block: Block) => OpenedMicroBlock,
  ): void {
    const { view } = this;
    const { height } = view;
    const tip = this.stored.tip();
    const base = view.findHeader(height);
    if (base === undefined) throw new Error("the tip has no header");
    // First: a peer that sends a micro-block with an invalid signature is to blame, wherever the micro-block belongs.
    if (!hasValidMicroBlockSignature(microBlock))
      throw new RuleError({ code: "microBlockSignatureInvalid", totalBlockId: encodeBase58(microBlock.totalBlockId) });
    this.#checkExtensible(base.header);
    verifyMicroBlock(microBlock, tip, base.header.generator);
    const { chainId } = view.settings;
    const liquid = this.#extended(microBlock);
    const { block } = liquid;
    if (!hasValidBlockSignature(block, chainId)) refuseMicroBlock("the signature of the whole block does not verify");
    const generators = this.generators();
    const { finalizationVoting } = microBlock;
    // Earlier votings of the block are still valid.
    if (finalizationVoting !== undefined) verifyVoting({ header: block.header, height, generators }, view, signatures);
    this.#committer.atomic(() => {
      const { run, overlay } = applied(block);
      verifyStateHash(microBlock.stateHash, run.stateHash, view, height);
      const row: BlockRow = {
        ...tip,
        id: block.id,
        header: encodeHeader(block, chainId),
        sizeBytes: blockSizeBytes(block, chainId),
        transactionCount: block.transactions.length,
        totalFee: tip.totalFee + run.totalFee,
        carryFee: tip.carryFee + run.carryFee,
        stateHash: run.stateHash,
        finalizedHeight: this.#finalizedAfter(block, height, tip.generator, generators),
      };
      const position = this.stored.microBlockCount() + 1;
      const { included, usage } = run;
      const more = this.#conflictRows(finalizationVoting, height);
      const generatorWeights = this.#countedWeights(height, generators, block.header.finalizationVoting);
      this.#committer.commit({
        row,
        header: block,
        position,
        included,
        usage,
        overlay,
        more,
        generatorWeights,
        nowMs,
      });
      this.#committer.follow({ appended: microBlock.transactions, discarded: undefined, dropped: [] });
    });
    this.#liquid = liquid;
    this.#lastAppended = undefined;
  }

  /** @throws RuleError microBlockRefused */
  #checkExtensible(header: BlockHeader): void {
    const { view } = this;
    if (!acceptsMicroBlocks({ height: view.height, header }, view))
      refuseMicroBlock("the liquid block takes none before feature 2, nor in place of another one");
    if (this.stored.isTipFinal()) refuseMicroBlock("the liquid block is final");
  }

  /**
   * Features in force at the next block whose rules are missing in this release: the chain stops before them.
   * @returns ascending
   */
  missingFeatures(): readonly number[] {
    return unimplementedFeatures(this.view.height + 1, this.view.activations());
  }

  /** @throws RuleError featuresUnimplemented */
  #checkImplemented(): void {
    const features = this.missingFeatures();
    if (features.length > 0) throw new RuleError({ code: "featuresUnimplemented", features });
  }

  #parentInfo(parent: BlockRow): ParentInfo {
    const known = this.#isLastAppended(parent) ? this.#lastAppended : undefined;
    return {
      carryFee: parent.carryFee,
      transactions: () => known?.transactions ?? this.stored.transactionsAt(parent.height),
    };
  }

  #usage({ height, transactionCount }: BlockRow): BlockUsage {
    const form = this.#store.find(microBlockTable, { height, position: this.stored.microBlockCount() });
    if (form === undefined) throw new Error("the tip takes no micro-blocks");
    return { transactions: transactionCount, sizeBytes: form.usedSizeBytes, scriptComplexity: form.usedComplexity };
  }

  /** The tree over the tip's transactions, once nothing extends the tip any more; none before version 5. */
  #closedTree(tip: BlockRow): RowChange[] {
    const version = this.view.findHeader(tip.height)?.header.version ?? 0;
    if (version < BlockVersion.Protobuf) return [];
    const known = this.#isLastAppended(tip) ? this.#lastAppended : undefined;
    const tree = known === undefined ? this.block().transactionsTree : transactionsTree(known.transactions);
    const row = transactionTreeRow(tip.height, tree);
    return row === undefined ? [] : [added(transactionTreeTable, row)];
  }

  /** Removals of the micro-block ids of the tip, for when a block follows it; a rollback restores them with the tip. */
  #closedMicroBlocks(): RowChange[] {
    if (!isNgActive(this.view)) return [];
    const { height } = this.view;
    // PERF: in a batch a query for many rows would write the gathered ones, and there can be only one row.
    const keyBlock =
      this.#isLastAppended(this.stored.tip()) && this.#store.find(microBlockTable, { height, position: 0 });
    const rows = keyBlock ? [keyBlock] : this.#store.query(microBlockTable, "WHERE height <= ?", height);
    return rows.map((row) => ({ table: microBlockTable, row, removed: true }));
  }

  /** Whether the tip is the block that was appended last, without any micro-block. */
  #isLastAppended(tip: BlockRow): boolean {
    return this.#lastAppended !== undefined && equalBytes(this.#lastAppended.id, tip.id);
  }
}

/** @throws RuleError microBlockRefused */
function verifyMicroBlock(microBlock: MicroBlock, tip: BlockRow, generator: Uint8Array): void {
  const { reference, sender } = microBlock;
  if (!equalBytes(sender, generator)) refuseMicroBlock("the liquid block was generated by another account");
  if (!equalBytes(reference, tip.id))
    refuseMicroBlock(`it references ${encodeBase58(reference)}, the liquid block is ${encodeBase58(tip.id)}`);
}

function refuseMicroBlock(reason: string): never {
  throw new RuleError({ code: "microBlockRefused", reason });
}

function validationOf(
  id: Uint8Array,
  ownsTransactions: boolean,
  portions: SlicedValidation | undefined,
): BlockValidation {
  return portions?.validationOf(id, ownsTransactions) ?? singleCallValidation(ownsTransactions);
}

function signaturesOf(portions: SlicedValidation | undefined): EndorsementSignatures | undefined {
  return portions && blsSignaturesBy((step) => portions.work.step(step));
}
