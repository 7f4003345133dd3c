/**
 * Generating balance: the lowest effective balance of an account in the last blocks. Coins count only once they have
 * stayed for the whole window; what leaves stops counting at once.
 * @source docs/protocol/consensus-and-finality.md 1.5; Waves: consensus/GeneratingBalanceProvider.scala,
 *   state/Blockchain.scala
 */
import { Feature, type FeatureActivation } from "../../network/features.ts";
import type { FunctionalitySettings } from "../../network/settings.ts";

/** One WAVES, in wavelets. */
const waves = 100_000_000n;

/** Least generating balance of a generator before feature 1, wavelets. */
export const minimumBalanceAtFirst = 10_000n * waves;
/** Least generating balance of a generator from feature 1 on, wavelets. */
export const minimumBalance = 1_000n * waves;

/** Both ends belong to it. */
export interface HeightRange {
  readonly from: number;
  readonly to: number;
}

/** What an account has from a height on, up to its next change: own, leased to it, less what it leased to others. */
export interface EffectiveBalance {
  readonly height: number;
  /** Wavelets. */
  readonly effective: bigint;
}

/** Such entries in their order, however they are kept. */
export interface EffectiveHistory {
  readonly length: number;
  at(index: number): EffectiveBalance | undefined;
}

/** What is kept back of an account's balance from a height on, up to the next step. */
export interface DepositStep {
  readonly height: number;
  /** Wavelets. */
  readonly deposit: bigint;
}

/** The last `confirmations` blocks up to a height; at least the block at the height itself. */
export function confirmationWindow(height: number, confirmations: number): HeightRange {
  return { from: Math.min(Math.max(height - confirmations + 1, 1), height), to: height };
}

/** How many blocks an amount has to stay before it counts. */
export function generatingBalanceDepth(height: number, functionality: FunctionalitySettings): number {
  return height >= functionality.generationBalanceDepthFrom50To1000AfterHeight ? 1_000 : 50;
}

/** Heights whose effective balances decide about the block after the parent. */
export function generatingBalanceWindow(facts: {
  readonly parentHeight: number;
  readonly features: FeatureActivation;
  readonly functionality: FunctionalitySettings;
}): HeightRange {
  const { parentHeight, features, functionality } = facts;
  // The reference overlooks height 1 when the parent is the second block, until feature 17 (SnapshotBlockchain.balanceSnapshots).
  if (parentHeight === 2 && !features.isActive(Feature.RideV6, 1)) return { from: 2, to: 2 };
  return confirmationWindow(parentHeight, generatingBalanceDepth(parentHeight, functionality));
}

/**
 * The lowest effective balance in the window, wavelets.
 * @param history oldest first: the entries of the window and the one in force at its start; without that one the account
 *   did not exist at the start, so that its lowest balance is 0
 * @param deposits oldest first: where what is kept back changes. It changes without an entry of `history`
 */
export function lowestEffectiveBalance(
  history: EffectiveHistory,
  { from, to }: HeightRange,
  deposits: readonly DepositStep[] = [],
): bigint {
  let lowest: bigint | undefined;
  let step = deposits.length - 1;
  let end = to;
  // PERF: asked of every block about up to 1,000 entries.
  for (let index = history.length - 1; index >= 0; index--) {
    const { height, effective } = history.at(index) as EffectiveBalance;
    if (height > to) continue;
    // What is kept back while the entry is in force: up to `end`, and down to its own height.
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

/** Before the first step. */
const noDeposit: DepositStep = { height: 0, deposit: 0n };

/** Least generating balance with which an account may sign the block after the parent, wavelets. */
export function requiredGeneratingBalance(parentHeight: number, features: FeatureActivation): bigint {
  return features.isActive(Feature.SmallerMinimalGeneratingBalance, parentHeight)
    ? minimumBalance
    : minimumBalanceAtFirst;
}

/** Whether the minimum holds for a received block: blocks of the first months of mainnet and testnet were not held to it. */
export function isGeneratingBalanceEnough(facts: {
  readonly generatingBalance: bigint;
  readonly parentHeight: number;
  readonly blockTimestampMs: bigint;
  readonly features: FeatureActivation;
  readonly functionality: FunctionalitySettings;
}): boolean {
  const { functionality, parentHeight, features } = facts;
  return (
    facts.blockTimestampMs < functionality.lastTimeBasedForkParameter ||
    facts.generatingBalance >= requiredGeneratingBalance(parentHeight, features)
  );
}
