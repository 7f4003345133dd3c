/**
 * A block or micro-block applied to a view: everything it changes, computed and checked, nothing written.
 * @source Waves: state/diffs/BlockDiffer.scala, state/BlockchainUpdaterImpl.scala;
 *   docs/protocol/consensus-and-finality.md 1, 2
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import type { Address, Digest } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import type { Block, BlockHeader, ChallengedHeader, SignedHeader } from "../../protocol/blocks/block.ts";
import { briefBytesText } from "../../protocol/blocks/brief-bytes.ts";
import { describeFault } from "../../protocol/fault-text.ts";
import { RuleError } from "../../protocol/faults.ts";
import { genesisStateHash, initialStateHash, stateHashAfterBlockStart } from "../../protocol/snapshots/state-hash.ts";
import { isThrown } from "../../protocol/transactions/thrown-faults.ts";
import type { GenesisTransaction, Transaction } from "../../protocol/transactions/transaction.ts";
import type { ScriptWork } from "../../ride/evaluator/script-work.ts";
import { blockLimits, noLimits, ownBlockLimits } from "../consensus/block-limits.ts";
import { nextBlockReward } from "../consensus/block-reward.ts";
import { hasLightNodeFields } from "../consensus/block-version.ts";
import { commitmentDeposit } from "../finality/deposit.ts";
import { punishedAfter } from "../finality/penalty.ts";
import { DataSpellings } from "../state/data-spellings.ts";
import { FirstVerdicts, type ForeignAddresses } from "../state/foreign-addresses.ts";
import { OverlayView } from "../state/overlay-view.ts";
import { ownChoice } from "../state/own-choice.ts";
import type { StateView } from "../state/state-view.ts";
import type { StoredParent } from "../state/stored-parent.ts";
import type { Effort } from "../transactions/block-context.ts";
import { BlockRun, type BlockUsage, type JudgedTransaction, noUsage, type PlacedTransaction } from "./block-run.ts";
import { blockStart, rewardsOf } from "./block-start.ts";

/** What the new block needs to know of its parent beside the view. */
export interface ParentFacts {
  readonly carryFee: bigint;
  readonly transactions: () => Iterable<Transaction>;
}

/** Makes a transaction the next one of a run. @param index its number among those that are added together */
export type PlaceTransaction = (run: BlockRun, transaction: Transaction, index: number) => void;

/** How the transactions of a received block or micro-block get their effects. */
export interface TransactionHandling {
  /** False where the transactions' signatures are already checked. */
  readonly verifySignatures: boolean;
  /** Whether those of a transaction are, by its number in the block, where not all are. */
  readonly isVerified?: (index: number) => boolean;
  /** By default each is applied by the rules; what an effect is already known of may be placed with it instead. */
  readonly place?: PlaceTransaction;
  /** What its scripts are told of addresses of other chains. By default what the first one that asks is told. */
  readonly foreignAddresses?: ForeignAddresses;
  /** By default its transactions see the parent as the view shows it. */
  readonly storedParent?: StoredParent | undefined;
  /** By default those of a reference that has run for long. */
  readonly spellings?: DataSpellings;
  /** Counts what its scripts take. By default only the limits of a block bound it. */
  readonly work?: ScriptWork | undefined;
}

/**
 * How each transaction becomes the next one of a run.
 * @param elides whether what cannot be applied is elided, as in a block that challenges another one
 */
export function placing(handling: TransactionHandling, elides = false): PlaceTransaction {
  const { place } = handling;
  if (place !== undefined) return place;
  const judge = judgingOf(handling, elides);
  return (run, transaction, index) => run.place(judge(run, transaction, index));
}

/** @param index its number among those that are judged together */
export type JudgeNext = (run: BlockRun, transaction: Transaction, index: number) => JudgedTransaction;

/** What the rules say of each transaction. @param elides as for `placing` */
export function judgingOf({ isVerified }: Pick<TransactionHandling, "isVerified">, elides: boolean): JudgeNext {
  const judge: JudgeTransaction = elides ? judgeOrElide : judgeByRules;
  return (run, transaction, index) => judge(run, transaction, isVerified?.(index) === true ? false : undefined);
}

/** Is told of a transaction that is to be elided, and what it has run. What this throws ends the run. */
export type OnElided = (refusal: RuleError, effort: Effort, run: BlockRun) => void;

type JudgeTransaction = (run: BlockRun, transaction: Transaction, verifySignatures?: boolean) => JudgedTransaction;

const judgeByRules: JudgeTransaction = (run, transaction, verifySignatures) => run.judge(transaction, verifySignatures);

/**
 * What the next transaction does in a block that challenges another one. What cannot be applied is elided, whatever the reason: a
 * signature, an id that is taken and the limits of a block are none that would make that block invalid. What the
 * reference throws is one: it fails there without a verdict.
 * @source Waves: state/diffs/BlockDiffer.scala (hasChallenge)
 */
export const judgeOrElide = (
  run: BlockRun,
  transaction: Transaction,
  verifySignatures?: boolean,
  onElided: OnElided = () => {},
): JudgedTransaction => {
  const effort: Effort = { hasRun: false, complexity: 0 };
  try {
    return run.judge(transaction, verifySignatures, effort);
  } catch (error) {
    if (!(error instanceof RuleError) || isThrown(error.fault)) throw error;
    onElided(error, effort, run);
    return run.elided(transaction);
  }
};

/** A block that may be appended, with all it changes. */
export interface AppliedBlock {
  readonly overlay: OverlayView;
  readonly placed: readonly PlacedTransaction[];
  readonly usage: BlockUsage;
  readonly generator: Address;
  readonly carryFee: bigint;
  readonly totalFee: bigint;
  /** Before boost; undefined before feature 14. */
  readonly reward: bigint | undefined;
  readonly rewardShares: readonly { readonly address: Address; readonly amount: bigint }[];
  /** Wavelets that its start has taken away for good. */
  readonly burnt: bigint;
  readonly stateHash: Digest;
}

/** The generator whose block is challenged. */
type Challenged = Pick<ChallengedHeader, "generator">;

/** The block in the making before its first transaction: where a miner starts to fill it. */
export interface OpenedBlock {
  readonly run: BlockRun;
  readonly overlay: OverlayView;
  readonly generator: Address;
  readonly reward: bigint | undefined;
  readonly rewardShares: AppliedBlock["rewardShares"];
  readonly burnt: bigint;
}

/**
 * Opens the block after the view's tip: reward, fees taken over, penalties and lease patches are applied.
 * @param header the fields that are known; a miner has no signature yet
 * @param transactions of the block, which before NG pay their whole fees at its start
 * @param options `signed`: the whole header, which scripts may read; a miner has none
 */
export function openBlock(
  view: StateView,
  header: Pick<BlockHeader, "version" | "timestamp" | "generator"> & {
    readonly challengedHeader?: Challenged | undefined;
  },
  hitSource: Uint8Array,
  transactions: readonly Transaction[],
  parent: ParentFacts,
  options: Pick<
    TransactionHandling,
    "verifySignatures" | "foreignAddresses" | "storedParent" | "spellings" | "work"
  > & {
    readonly signed?: SignedHeader;
  },
): OpenedBlock {
  const { chainId } = view.settings;
  const generator = addressOfPublicKey(header.generator, chainId);
  const height = view.height + 1;
  const reward = rewardAfter(view);
  const overlay = new OverlayView(view, {
    height,
    hitSource,
    reward,
    challenged: header.challengedHeader && addressOfPublicKey(header.challengedHeader.generator, chainId),
    storedParent: options.storedParent,
    workMeter: options.work,
    ...(options.signed
      ? {
          header: options.signed,
          foreignAddresses: options.foreignAddresses ?? new FirstVerdicts(),
          spellings: options.spellings ?? new DataSpellings(),
        }
      : ownChoice()),
  });
  const punished = punishedAfter(view);
  const start = blockStart({
    overlay,
    generator,
    reward,
    transactions,
    parentCarryFee: parent.carryFee,
    parentTransactions: parent.transactions,
    punished,
  });
  overlay.apply(start);
  // What the parent says: a micro-block before the state hashes' time may carry any, and the reference goes on from that.
  const previousHash =
    view.findHeader(view.height)?.header.stateHash ?? view.findStateHash(view.height) ?? initialStateHash;
  const run = new BlockRun({
    overlay,
    blockVersion: header.version,
    generator,
    blockTimestamp: header.timestamp,
    previousBlockTimestamp: view.findHeader(view.height)?.header.timestamp,
    limits: options.signed ? blockLimits(view.height, view) : ownBlockLimits(view.height, view),
    usage: noUsage,
    stateHash: stateHashAfterBlockStart(previousHash, start, height),
    verifySignatures: options.verifySignatures,
  });
  const burnt = BigInt(punished.length) * commitmentDeposit;
  return { run, overlay, generator, reward, rewardShares: rewardsOf({ overlay, generator, reward }), burnt };
}

/**
 * Applies a block whose header is already verified.
 * @throws RuleError transactionInBlockInvalid, blockLimitExceeded, stateHashWrong
 */
export function applyBlock(
  view: StateView,
  block: Block,
  hitSource: Uint8Array,
  parent: ParentFacts,
  options: TransactionHandling,
): AppliedBlock {
  const { run, ...opened } = openBlock(view, block.header, hitSource, block.transactions, parent, {
    ...options,
    signed: block,
  });
  addTransactions(run, block.transactions, placing(options, block.header.challengedHeader !== undefined));
  verifyStateHash(block.header.stateHash, run.stateHash, view, opened.overlay.height);
  const { placed, usage, carryFee, totalFee, stateHash } = run;
  return { ...opened, placed, usage, carryFee, totalFee, stateHash };
}

/**
 * The first block: its transactions are grants, and nothing of the usual rules applies, but for the reward that it has
 * where feature 14 is there from the start and feature 18 is not. The state hash does not count that.
 */
export function applyGenesis(view: StateView, block: Block): AppliedBlock {
  const generator = addressOfPublicKey(block.header.generator, view.settings.chainId);
  const reward = rewardAfter(view);
  const overlay = new OverlayView(view, { height: 1, reward });
  const { transactions } = block;
  const start = {
    overlay,
    generator,
    reward,
    transactions,
    parentCarryFee: 0n,
    parentTransactions: () => [],
    punished: [],
  };
  overlay.apply(blockStart(start));
  const run = new BlockRun({
    overlay,
    blockVersion: block.header.version,
    generator,
    blockTimestamp: block.header.timestamp,
    previousBlockTimestamp: undefined,
    limits: noLimits,
    usage: noUsage,
    stateHash: initialStateHash,
    verifySignatures: true,
  });
  addTransactions(run, transactions, placing({ verifySignatures: true }));
  return {
    overlay,
    placed: run.placed,
    usage: run.usage,
    generator,
    carryFee: 0n,
    totalFee: run.totalFee,
    reward,
    rewardShares: rewardsOf({ overlay, generator, reward }),
    burnt: 0n,
    stateHash: genesisStateHash(transactions as readonly GenesisTransaction[]),
  };
}

/** Not of a transaction as such. */
const faultsOfWhole: ReadonlySet<RuleError["fault"]["code"]> = new Set<RuleError["fault"]["code"]>([
  "blockLimitExceeded",
  "snapshotInvalid",
]);

/** @throws RuleError transactionInBlockInvalid with the transaction's own fault as cause; blockLimitExceeded, snapshotInvalid */
export function addTransactions(run: BlockRun, transactions: readonly Transaction[], place: PlaceTransaction): void {
  for (const [index, transaction] of transactions.entries()) {
    try {
      place(run, transaction, index);
    } catch (error) {
      if (!(error instanceof RuleError) || faultsOfWhole.has(error.fault.code)) throw error;
      throw new RuleError(
        {
          code: "transactionInBlockInvalid",
          transactionId: encodeBase58(transaction.id),
          reason: describeFault(error.fault),
        },
        { cause: error },
      );
    }
  }
}

/** @throws RuleError stateHashWrong where the block or micro-block has to carry the hash */
export function verifyStateHash(got: Digest | undefined, computed: Digest, view: StateView, height: number): void {
  const { functionality } = view.settings;
  if (!hasLightNodeFields({ height, features: view, functionality })) return;
  if (got !== undefined && equalBytes(got, computed)) return;
  throw new RuleError({
    code: "stateHashWrong",
    expected: encodeBase58(computed),
    got: got && briefBytesText(got),
  });
}

/** Reward of the block after the tip, before boost. */
export function rewardAfter(view: StateView): bigint | undefined {
  return nextBlockReward({
    parentHeight: view.height,
    parentReward: view.blockReward(view.height),
    features: view,
    rewards: view.settings.rewards,
    voteAt: (height) => view.rewardVote(height),
  });
}

/** Whether blocks may be extended by micro-blocks after the tip. */
export function isNgActive(view: StateView): boolean {
  return view.has(Feature.Ng);
}
