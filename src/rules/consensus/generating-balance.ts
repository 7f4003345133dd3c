/**
 * Generating balance: the lowest effective balance of an account in the last blocks. Incoming coins count only after a
 * whole window; outgoing coins stop counting at once.
 * @source docs/protocol/consensus-and-finality.md 1.5; Waves: consensus/GeneratingBalanceProvider.scala,
 * state/Blockchain.scala
 */
import { Feature, type FeatureActivation } from "../../network/features.ts";
import type { FunctionalitySettings } from "../../network/settings.ts";

/** One WAVES, in wavelets. */
const waves = 100_000_000n;

/** Minimum generating balance of a generator before feature 1, wavelets. */
export const minimumBalanceAtFirst = 10_000n * waves;
/** Minimum generating balance of a generator from feature 1 on, wavelets. */
export const minimumBalance = 1_000n * waves;

/** Range of heights, both inclusive. */
export interface HeightRange {
  readonly from: number;
  readonly to: number;
}

/** Effective balance of an account from a height on, up to its next change: own, plus leased in, minus leased out. */
export interface EffectiveBalance {
  readonly height: number;
  /** Wavelets. */
  readonly effective: bigint;
}

/** Entries in ascending order, independent of their storage. */
export interface EffectiveHistory {
  readonly length: number;
  at(index: number): EffectiveBalance | undefined;
}

/** Deposits of an account from a height on, up to the next step. */
export interface DepositStep {
  readonly height: number;
  /** Wavelets. */
  readonly deposit: bigint;
}

/** The last `confirmations` blocks up to a height; at least the block at the height itself. */
export function confirmationWindow(height: number, confirmations: number): HeightRange {
  return { from: Math.min(Math.max(height - confirmations + 1, 1), height), to: height };
}

/** Number of blocks that an amount must stay to count. */
export function generatingBalanceDepth(height: number, functionality: FunctionalitySettings): number {
  return height >= functionality.generationBalanceDepthFrom50To1000AfterHeight ? 1_000 : 50;
}

/** Heights whose effective balances decide on the block after the parent. */
export function generatingBalanceWindow(options: {
  readonly parentHeight: number;
  readonly features: FeatureActivation;
  readonly functionality: FunctionalitySettings;
}): HeightRange {
  const { parentHeight, features, functionality } = options;
  // The reference skips height 1 when the parent is the second block, until feature 17
  // (SnapshotBlockchain.balanceSnapshots).
  if (parentHeight === 2 && !features.isActive(Feature.RideV6, 1)) return { from: 2, to: 2 };
  return confirmationWindow(parentHeight, generatingBalanceDepth(parentHeight, functionality));
}

/**
 * Lowest effective balance in the window, wavelets.
 * @param history oldest first: the entries of the window, and the one in force at its start; without that one the
 * account did not exist at the start, and its lowest balance is 0
 * @param deposits changes of the deposits, oldest first; they have no entries in `history`
 */
export function lowestEffectiveBalance(
  history: EffectiveHistory,
  { from, to }: HeightRange,
  deposits: readonly DepositStep[] = [],
): bigint {
  let lowest: bigint | undefined;
  let step = deposits.length - 1;
  let end = to;
  // PERF: runs for every block, over up to 1,000 entries.
  for (let index = history.length - 1; index >= 0; index--) {
    const { height, effective } = history.at(index) as EffectiveBalance;
    if (height > to) continue;
    // Deposits while the entry is in force: from `end` down to its own height.
    for (; ; step--) {
      const { height: since, deposit } = deposits[step] ?? noDeposit;
      if (since > end) continue;
      const available = deposit === 0n ? effective : effective - deposit;
      if (lowest === undefined || available < lowest) lowest = available;
      if (since <= height || since <= from) break;
    }
    if (height <= from) return lowest;
    end = height - 1;
  }
  return lowest !== undefined && lowest < 0n ? lowest : 0n;
}

/** Before the first step: no deposit. */
const noDeposit: DepositStep = { height: 0, deposit: 0n };

/** Minimum generating balance for signing the block after the parent, wavelets. */
export function requiredGeneratingBalance(parentHeight: number, features: FeatureActivation): bigint {
  return features.isActive(Feature.SmallerMinimalGeneratingBalance, parentHeight)
    ? minimumBalance
    : minimumBalanceAtFirst;
}

/** Whether the generating balance suffices for a received block: in the first months of mainnet and testnet any did. */
export function isGeneratingBalanceEnough(options: {
  readonly generatingBalance: bigint;
  readonly parentHeight: number;
  readonly blockTimestampMs: bigint;
  readonly features: FeatureActivation;
  readonly functionality: FunctionalitySettings;
}): boolean {
  const { functionality, parentHeight, features } = options;
  return (
    options.blockTimestampMs < functionality.lastTimeBasedForkParameter ||
    options.generatingBalance >= requiredGeneratingBalance(parentHeight, features)
  );
}
