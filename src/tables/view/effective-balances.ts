/**
 * Cache of effective balances of accounts that generate, from block to block. Every block needs its generator's minimum
 * over the last 1,000 blocks; reading the history each time would cost more than the block.
 */

import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import {
  type DepositStep,
  type EffectiveBalance,
  lowestEffectiveBalance,
} from "../../rules/consensus/generating-balance.ts";
import { type DepositSpan, depositSteps } from "../../rules/finality/deposit.ts";
import type { BalanceAtHeight } from "../../rules/state/state-view.ts";
import type { BalanceHistoryRow } from "../accounts.ts";
import type { ChallengeRow } from "../challenges.ts";
import { BalanceLine } from "./balance-line.ts";

/** Maximum of cached accounts: from feature 25 on, every block needs all members of the generator set. */
const MAX_CACHED_ACCOUNTS = 16_384;
/**
 * Maximum of cached entries of all accounts, of 12 bytes each. An account whose balance changes with every block has
 * 1,000, and some outdated ones. For a generator set with more in total, each key block reads every account.
 */
const MAX_CACHED_ENTRIES = 1_200_000;

/** Maximum of outdated entries of an account. */
const MAX_OUTDATED_ENTRIES = 100;

interface KnownAccount {
  /** Lowest known height. */
  from: number;
  /** Balances; the first one is in force at `from`, if any was. */
  readonly entries: BalanceLine;
  /** Heights at which the account's balance does not count. */
  readonly challenges: number[];
  /** Deposits at `from` and since. */
  spans: readonly DepositSpan[];
  /** Sums of `spans`. */
  deposits: readonly DepositStep[];
}

/** History of an account in the tables, from a height on. */
export interface AccountHistory {
  /** Newest first, including the entry in force at that height. */
  readonly history: readonly BalanceAtHeight[];
  /** Heights at which blocks of the account were challenged. */
  readonly challenges: readonly number[];
  /** Deposits in force at that height or since. */
  readonly deposits: readonly DepositSpan[];
}

export class EffectiveBalances {
  readonly #accounts = new Map<BytesKey, KnownAccount>();
  /** Number of entries of all accounts. */
  #entryCount = 0;

  /**
   * Lowest effective balance at any height from `from` to `to`; 0 if the account had none at `from` yet, or was
   * challenged.
   */
  minimum(address: Address, from: number, to: number, read: (from: number) => AccountHistory): bigint {
    const key = bytesKey(address);
    const known = this.#accounts.get(key);
    const account = known !== undefined && known.from <= from ? known : knownFrom(from, read(from));
    // Moved to the end, so that the least recently used account comes first.
    if (known !== undefined) this.#forget(key, known);
    this.#accounts.set(key, account);
    forgetBefore(account, from);
    this.#entryCount += account.entries.length;
    for (const [oldest, oldestAccount] of this.#accounts) {
      if (oldest === key || (this.#accounts.size <= MAX_CACHED_ACCOUNTS && this.#entryCount <= MAX_CACHED_ENTRIES))
        break;
      this.#forget(oldest, oldestAccount);
    }
    if (account.challenges.some((height) => height >= from && height <= to)) return 0n;
    return lowestEffectiveBalance(account.entries, { from, to }, account.deposits);
  }

  #forget(key: BytesKey, { entries }: KnownAccount): void {
    this.#accounts.delete(key);
    this.#entryCount -= entries.length;
  }

  /** Adds a new balance of an account at the tip. */
  advance({ address, height, balance, leaseIn, leaseOut }: BalanceHistoryRow): void {
    const entries = this.#accounts.get(bytesKey(address))?.entries;
    if (entries === undefined) return;
    const before = entries.length;
    entries.put({ height, effective: balance + leaseIn - leaseOut });
    this.#entryCount += entries.length - before;
  }

  /** Adds a challenge of an account's block by the tip. */
  advanceChallenge({ address, height }: ChallengeRow): void {
    this.#accounts.get(bytesKey(address))?.challenges.push(height);
  }

  /** Adds a commitment of an account at the tip. */
  advanceDeposit(address: Address, span: DepositSpan): void {
    const account = this.#accounts.get(bytesKey(address));
    if (account !== undefined) setDeposits(account, [...account.spans, span]);
  }

  /** Clears the cache; call it when the tables have changed in another way. */
  clear(): void {
    this.#accounts.clear();
    this.#entryCount = 0;
  }
}

function knownFrom(from: number, { history, challenges, deposits: spans }: AccountHistory): KnownAccount {
  const entries = new BalanceLine(history.map(entryOf).reverse());
  return { from, entries, challenges: [...challenges], spans, deposits: depositSteps(spans) };
}

function entryOf({ height, balance, in: leasedIn, out }: BalanceAtHeight): EffectiveBalance {
  return { height, effective: balance + leasedIn - out };
}

function setDeposits(account: KnownAccount, spans: readonly DepositSpan[]): void {
  account.spans = spans;
  account.deposits = depositSteps(spans);
}

function forgetBefore(account: KnownAccount, from: number): void {
  const { entries } = account;
  if ((entries.at(MAX_OUTDATED_ENTRIES)?.height ?? from) >= from) return;
  entries.forgetBefore(from);
  account.from = from;
  setDeposits(
    account,
    account.spans.filter(({ to }) => to >= from),
  );
}
