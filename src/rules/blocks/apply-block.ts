/**
 * Application of a block or micro-block to a view: computes and checks all of its changes, and writes nothing.
 * @source Waves: state/diffs/BlockDiffer.scala, state/BlockchainUpdaterImpl.scala;
 * docs/protocol/consensus-and-finality.md 1, 2
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import type { Address, Digest } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import type { Block, BlockHeader, ChallengedHeader, SignedHeader } from "../../protocol/blocks/block.ts";
import { briefBytesText } from "../../protocol/blocks/brief-bytes.ts";
import { describeViolation } from "../../protocol/describe-violation.ts";
import { RuleError } from "../../protocol/errors.ts";
import { genesisStateHash, initialStateHash, stateHashAfterBlockStart } from "../../protocol/snapshots/state-hash.ts";
import { isThrown } from "../../protocol/transactions/thrown-violations.ts";
import type { GenesisTransaction, Transaction } from "../../protocol/transactions/transaction.ts";
import type { ScriptWork } from "../../ride/evaluator/script-work.ts";
import { blockLimits, noLimits, ownBlockLimits } from "../consensus/block-limits.ts";
import { nextBlockReward } from "../consensus/block-reward.ts";
import { hasLightNodeFields } from "../consensus/block-version.ts";
import { commitmentDeposit } from "../finality/deposit.ts";
import { punishedAfter } from "../finality/penalty.ts";
import { DataSpellings } from "../state/data-spellings.ts";
import { deterministicOnly } from "../state/deterministic-only.ts";
import { FirstVerdicts, type ForeignAddresses } from "../state/foreign-addresses.ts";
import { OverlayView } from "../state/overlay-view.ts";
import type { StateView } from "../state/state-view.ts";
import type { StoredParent } from "../state/stored-parent.ts";
import type { Effort } from "../transactions/block-context.ts";
import { BlockRun, type BlockUsage, type ExecutedTransaction, type IncludedTransaction, noUsage } from "./block-run.ts";
import { blockStart, rewardsOf } from "./block-start.ts";

/** Data of the parent that the view does not have. */
export interface ParentInfo {
  readonly carryFee: bigint;
  readonly transactions: () => Iterable<Transaction>;
}

/** Includes a transaction in a run, as the next one. @param index position in the batch that is added */
export type IncludeTransaction = (run: BlockRun, transaction: Transaction, index: number) => void;

/** Execution of the transactions of a received block or micro-block. */
export interface TransactionHandling {
  /** False when the transactions' signatures are verified already. */
  readonly verifySignatures: boolean;
  /** Whether the signatures of the transaction at an index of the block are verified, when not all of them are. */
  readonly isVerified?: (index: number) => boolean;
  /** By default the rules execute each transaction; a known effect may be included instead. */
  readonly include?: IncludeTransaction;
  /** Results of the scripts' checks of addresses of other chains. By default each repeats the first result. */
  readonly foreignAddresses?: ForeignAddresses;
  /** By default the transactions see the parent as the view has it. */
  readonly storedParent?: StoredParent | undefined;
  /** By default the spellings of a reference node that has run for long. */
  readonly spellings?: DataSpellings;
  /** Meter of script work. By default only the block limits bound it. */
  readonly work?: ScriptWork | undefined;
}

/**
 * Returns the function that includes each transaction in a run.
 * @param elides whether to elide invalid transactions, as in a challenging block
 */
export function includerOf(handling: TransactionHandling, elides = false): IncludeTransaction {
  const { include } = handling;
  if (include !== undefined) return include;
  const execute = executorOf(handling, elides);
  return (run, transaction, index) => run.include(execute(run, transaction, index));
}

/** @param index position in the batch that is executed */
export type ExecuteNext = (run: BlockRun, transaction: Transaction, index: number) => ExecutedTransaction;

/** Execution of each transaction by the rules. @param elides as for `placing` */
export function executorOf({ isVerified }: Pick<TransactionHandling, "isVerified">, elides: boolean): ExecuteNext {
  const execute: ExecuteTransaction = elides ? executeOrElide : executeByRules;
  return (run, transaction, index) => execute(run, transaction, isVerified?.(index) === true ? false : undefined);
}

/** Receives a transaction to elide, with the effort of its scripts. An exception ends the run. */
export type OnElided = (refusal: RuleError, effort: Effort, run: BlockRun) => void;

type ExecuteTransaction = (run: BlockRun, transaction: Transaction, verifySignatures?: boolean) => ExecutedTransaction;

const executeByRules: ExecuteTransaction = (run, transaction, verifySignatures) =>
  run.execute(transaction, verifySignatures);

/**
 * Executes the next transaction of a challenging block. An invalid transaction is elided, whatever the reason: a wrong
 * signature, a duplicate id or a full block do not invalidate that block. Only the reference's exceptions do: it fails
 * there without a verdict.
 * @source Waves: state/diffs/BlockDiffer.scala (hasChallenge)
 */
export const executeOrElide = (
  run: BlockRun,
  transaction: Transaction,
  verifySignatures?: boolean,
  onElided: OnElided = () => {},
): ExecutedTransaction => {
  const effort: Effort = { hasRun: false, complexity: 0 };
  try {
    return run.execute(transaction, verifySignatures, effort);
  } catch (error) {
    if (!(error instanceof RuleError) || isThrown(error.violation)) throw error;
    onElided(error, effort, run);
    return run.elided(transaction);
  }
};

/** Valid block with all of its changes. */
export interface AppliedBlock {
  readonly overlay: OverlayView;
  readonly included: readonly IncludedTransaction[];
  readonly usage: BlockUsage;
  readonly generator: Address;
  readonly carryFee: bigint;
  readonly totalFee: bigint;
  /** Before boost; undefined before feature 14. */
  readonly reward: bigint | undefined;
  readonly rewardShares: readonly { readonly address: Address; readonly amount: bigint }[];
  /** Wavelets burnt at the start of the block. */
  readonly burnt: bigint;
  readonly stateHash: Digest;
}

/** Generator of the challenged block. */
type Challenged = Pick<ChallengedHeader, "generator">;

/** New block before its first transaction: a miner fills it from here. */
export interface OpenedBlock {
  readonly run: BlockRun;
  readonly overlay: OverlayView;
  readonly generator: Address;
  readonly reward: bigint | undefined;
  readonly rewardShares: AppliedBlock["rewardShares"];
  readonly burnt: bigint;
}

/**
 * Opens the block after the view's tip: applies reward, carried fees, penalties and lease patches.
 * @param header known fields; a miner has no signature yet
 * @param transactions of the block; before NG it pays their whole fees at its start
 * @param options `signed`: the whole header, which scripts may read; a miner has none
 */
export function openBlock(
  view: StateView,
  header: Pick<BlockHeader, "version" | "timestamp" | "generator"> & {
    readonly challengedHeader?: Challenged | undefined;
  },
  hitSource: Uint8Array,
  transactions: readonly Transaction[],
  parent: ParentInfo,
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
      : deterministicOnly()),
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
  // From the parent: micro-blocks before the activation of state hashes may carry any hash, and the reference continues
  // from that.
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
  parent: ParentInfo,
  options: TransactionHandling,
): AppliedBlock {
  const { run, ...opened } = openBlock(view, block.header, hitSource, block.transactions, parent, {
    ...options,
    signed: block,
  });
  addTransactions(run, block.transactions, includerOf(options, block.header.challengedHeader !== undefined));
  verifyStateHash(block.header.stateHash, run.stateHash, view, opened.overlay.height);
  const { included, usage, carryFee, totalFee, stateHash } = run;
  return { ...opened, included, usage, carryFee, totalFee, stateHash };
}

/**
 * Applies the genesis block. Its transactions are grants, and no usual rule holds, except that it has a reward when
 * feature 14 is active from the start and feature 18 is not. The state hash does not cover that reward.
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
  addTransactions(run, transactions, includerOf({ verifySignatures: true }));
  return {
    overlay,
    included: run.included,
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

/** Violations of the block as a whole, not of a transaction. */
const blockLevelViolations: ReadonlySet<RuleError["violation"]["code"]> = new Set<RuleError["violation"]["code"]>([
  "blockLimitExceeded",
  "snapshotInvalid",
]);

/**
 * @throws RuleError transactionInBlockInvalid with the transaction's own violation as cause; blockLimitExceeded,
 * snapshotInvalid
 */
export function addTransactions(run: BlockRun, transactions: readonly Transaction[], place: IncludeTransaction): void {
  for (const [index, transaction] of transactions.entries()) {
    try {
      place(run, transaction, index);
    } catch (error) {
      if (!(error instanceof RuleError) || blockLevelViolations.has(error.violation.code)) throw error;
      throw new RuleError(
        {
          code: "transactionInBlockInvalid",
          transactionId: encodeBase58(transaction.id),
          reason: describeViolation(error.violation),
        },
        { cause: error },
      );
    }
  }
}

/** @throws RuleError stateHashWrong when the block or micro-block must carry the hash */
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

/** Whether micro-blocks may extend blocks after the tip. */
export function isNgActive(view: StateView): boolean {
  return view.has(Feature.Ng);
}
