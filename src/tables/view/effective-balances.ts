/**
 * Lowest effective balances of the accounts that generate, kept from block to block. A generator is asked for on every
 * block, over the last 1,000 of them; reading its history anew each time would cost more than the block.
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

/** Accounts kept: from feature 25 on every block asks for all that are committed. */
const KEPT_ACCOUNTS = 16_384;
/**
 * Entries kept of all of them, of 12 bytes each. An account whose balance changes with every block has 1,000, and those that are out of
 * use. Of a committee that has more in all each key block would read each anew.
 */
const KEPT_ENTRIES = 1_200_000;

/** Entries that are out of use, before they are dropped. */
const MAX_OUTDATED_ENTRIES = 100;

interface KnownAccount {
  /** Nothing is known of lower heights. */
  from: number;
  /** The first one is in force at `from`, if any was. */
  readonly entries: BalanceLine;
  /** Heights at which nothing counts that the account has. */
  readonly challenges: number[];
  /** What was kept back at `from` and since. */
  spans: readonly DepositSpan[];
  /** Of `spans`. */
  deposits: readonly DepositStep[];
}

/** What the tables say of an account, from a height on. */
export interface AccountHistory {
  /** Newest first, the entry in force at that height included. */
  readonly history: readonly BalanceAtHeight[];
  /** Heights at which blocks of the account were challenged. */
  readonly challenges: readonly number[];
  /** Deposits that were kept back at that height or since. */
  readonly deposits: readonly DepositSpan[];
}

export class EffectiveBalances {
  readonly #accounts = new Map<BytesKey, KnownAccount>();
  /** Of all accounts. */
  #entryCount = 0;

  /**
   * Lowest effective balance in force at any height from `from` to `to`; 0 when the account had none at `from` yet, or was
   * challenged.
   */
  minimum(address: Address, from: number, to: number, read: (from: number) => AccountHistory): bigint {
    const key = bytesKey(address);
    const known = this.#accounts.get(key);
    const account = known !== undefined && known.from <= from ? known : knownFrom(from, read(from));
    // Put to the end again, so that the account that was not asked for the longest time comes first.
    if (known !== undefined) this.#forget(key, known);
    this.#accounts.set(key, account);
    forgetBefore(account, from);
    this.#entryCount += account.entries.length;
    for (const [oldest, its] of this.#accounts) {
      if (oldest === key || (this.#accounts.size <= KEPT_ACCOUNTS && this.#entryCount <= KEPT_ENTRIES)) break;
      this.#forget(oldest, its);
    }
    if (account.challenges.some((height) => height >= from && height <= to)) return 0n;
    return lowestEffectiveBalance(account.entries, { from, to }, account.deposits);
  }

  #forget(key: BytesKey, { entries }: KnownAccount): void {
    this.#accounts.delete(key);
    this.#entryCount -= entries.length;
  }

  /** An account has a new balance at the tip. */
  advance({ address, height, balance, leaseIn, leaseOut }: BalanceHistoryRow): void {
    const entries = this.#accounts.get(bytesKey(address))?.entries;
    if (entries === undefined) return;
    const before = entries.length;
    entries.put({ height, effective: balance + leaseIn - leaseOut });
    this.#entryCount += entries.length - before;
  }

  /** A block of an account was challenged by the tip. */
  advanceChallenge({ address, height }: ChallengeRow): void {
    this.#accounts.get(bytesKey(address))?.challenges.push(height);
  }

  /** An account has committed itself at the tip. */
  advanceDeposit(address: Address, span: DepositSpan): void {
    const account = this.#accounts.get(bytesKey(address));
    if (account !== undefined) keepBack(account, [...account.spans, span]);
  }

  /** To be called when the tables are no longer those that the entries came from. */
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

function keepBack(account: KnownAccount, spans: readonly DepositSpan[]): void {
  account.spans = spans;
  account.deposits = depositSteps(spans);
}

function forgetBefore(account: KnownAccount, from: number): void {
  const { entries } = account;
  if ((entries.at(MAX_OUTDATED_ENTRIES)?.height ?? from) >= from) return;
  entries.forgetBefore(from);
  account.from = from;
  keepBack(
    account,
    account.spans.filter(({ to }) => to >= from),
  );
}
