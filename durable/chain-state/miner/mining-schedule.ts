/**
 * Times at which each of the node's accounts may sign the block after the tip.
 * @source docs/protocol/consensus-and-finality.md 1.3, 1.5; Waves: mining/Miner.scala
 *   (nextBlockGenOffsetWithConditions)
 */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Address, KeyPair } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import type { MinerSettings } from "../../../src/network/settings.ts";
import { earliestTimestampMs } from "../../../src/rules/consensus/block-timestamp.ts";
import { isBlockPossible } from "../../../src/rules/consensus/block-version.ts";
import { requiredGeneratingBalance } from "../../../src/rules/consensus/generating-balance.ts";
import { delayAfter, generatingBalanceAt, headerAt, isBonusEnough } from "../../../src/rules/consensus/next-block.ts";
import { mayGenerateNext } from "../../../src/rules/finality/generator-set.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import type { GeneratorDraw, GeneratorDraws } from "./generator-draw.ts";

/** Turn of an account at the block after the tip. */
export interface MiningTurn {
  readonly code: "turn";
  readonly account: KeyPair;
  readonly address: Address;
  readonly generatingBalance: bigint;
  readonly draw: GeneratorDraw;
  readonly delayMs: bigint;
  /** Earliest timestamp of the account's block. */
  readonly timestampMs: bigint;
}

/** Reason why an account has no turn. */
export type MiningObstacle =
  /** No account has a turn: the block would have to carry a state hash, and its version has no field for one. */
  | { readonly code: "noPlaceForStateHash"; readonly address: Address }
  | { readonly code: "generatorHasScript"; readonly address: Address }
  | {
      readonly code: "generatingBalanceTooLow";
      readonly address: Address;
      readonly required: bigint;
      readonly got: bigint;
    }
  /** Others have committed to generate. */
  | { readonly code: "generatorNotAllowed"; readonly address: Address }
  /** The delay passes every date. */
  | { readonly code: "neverItsTurn"; readonly address: Address };

/** Last time that a date can have; the draw of a small balance under the oldest rules may go beyond. */
const lastDateMs = 8_640_000_000_000_000n;

/**
 * Computes an account's turn.
 * @param bonus wavelets added to the account's own for an earlier turn: a challenger has those of the challenged
 * generator, and needs no commitment
 */
export function miningTurn(
  view: StateView,
  account: KeyPair,
  draws: GeneratorDraws,
  bonus?: bigint,
): MiningTurn | MiningObstacle {
  const address = addressOfPublicKey(account.publicKey, view.settings.chainId);
  const { functionality } = view.settings;
  if (!isBlockPossible({ height: view.height + 1, features: view, functionality }))
    return { code: "noPlaceForStateHash", address };
  if (!view.has(Feature.RideV6) && view.findAccountScript(address) !== undefined)
    return { code: "generatorHasScript", address };
  const own = generatingBalanceAt(view, address);
  const generatingBalance = own + (bonus !== undefined && isBonusEnough(view) ? bonus : 0n);
  const required = requiredGeneratingBalance(view.height, view);
  if (generatingBalance < required)
    return { code: "generatingBalanceTooLow", address, required, got: generatingBalance };
  if (bonus === undefined && !mayGenerateNext(view, address)) return { code: "generatorNotAllowed", address };
  const draw = draws.find(view, account);
  const delayMs = delayAfter(view, draw.delaySource, own + (bonus ?? 0n));
  const timestampMs = earliestTimestampMs(tipTimestampMs(view), delayMs);
  if (timestampMs <= 0n || timestampMs > lastDateMs) return { code: "neverItsTurn", address };
  return { code: "turn", account, address, generatingBalance: own, draw, delayMs, timestampMs };
}

export interface MiningSchedule {
  /** Earliest turn. */
  readonly next: MiningTurn | undefined;
  readonly accounts: readonly (MiningTurn | MiningObstacle)[];
}

/**
 * Turns of all accounts. Cost: one query each, and some milliseconds for each with enough balance.
 * @param bonus as for `miningTurn`
 */
export function miningSchedule(
  view: StateView,
  accounts: Iterable<KeyPair>,
  draws: GeneratorDraws,
  bonus?: bigint,
): MiningSchedule {
  const turns = Array.from(accounts, (account) => miningTurn(view, account, draws, bonus));
  let next: MiningTurn | undefined;
  for (const turn of turns)
    if (turn.code === "turn" && (next === undefined || turn.timestampMs < next.timestampMs)) next = turn;
  return { next, accounts: turns };
}

/** Whether the tip is so old that the node waits for others' blocks instead; never at height 1. */
export function isChainTooOld(view: StateView, settings: MinerSettings, nowMs: number): boolean {
  if (view.height <= 1) return false;
  return BigInt(nowMs) - tipTimestampMs(view) > BigInt(settings.intervalAfterLastBlockThenGenerationIsAllowedMs);
}

export function tipTimestampMs(view: StateView): bigint {
  return headerAt(view, view.height).header.timestamp;
}
