/**
 * Balance changes while the effect of a transaction is computed. Changes are differences; at the end they become the
 * absolute values of a snapshot.
 * @source Waves: state/Portfolio.scala; state/StateSnapshot.scala (build)
 */
import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { I64_MAX, I64_MIN } from "../../protocol/codec/i64.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { BalanceChange, LeaseBalanceChange, Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { Asset, AssetId } from "../../protocol/transactions/asset.ts";
import type { TransactionViolation } from "../../protocol/transactions/transaction-violation.ts";
import type { StateView } from "../state/state-view.ts";

/** Balance changes of one account. */
export interface Portfolio {
  readonly waves: bigint;
  readonly leaseIn: bigint;
  readonly leaseOut: bigint;
  /** In the order of their first change. */
  readonly assets: ReadonlyMap<BytesKey, { readonly asset: AssetId; readonly amount: bigint }>;
}

/** Balance changes of several accounts, in the order of their first change. */
export type Portfolios = ReadonlyMap<BytesKey, { readonly account: Address; readonly portfolio: Portfolio }>;

const noAssets: Portfolio["assets"] = new Map();

export const emptyPortfolio: Portfolio = { waves: 0n, leaseIn: 0n, leaseOut: 0n, assets: noAssets };

/** Change of one asset; of WAVES if `asset` is null. */
export function portfolioOf(asset: Asset, amount: bigint): Portfolio {
  if (asset === null) return { ...emptyPortfolio, waves: amount };
  return { ...emptyPortfolio, assets: new Map([[bytesKey(asset), { asset, amount }]]) };
}

/** Change of WAVES and of one asset. */
export function portfolioOfWavesAnd(waves: bigint, asset: AssetId, amount: bigint): Portfolio {
  return { ...portfolioOf(asset, amount), waves };
}

/** Changes of one account. */
export function portfoliosOf(account: Address, portfolio: Portfolio): Portfolios {
  return new Map([[bytesKey(account), { account, portfolio }]]);
}

/**
 * Sum of both changes.
 * @param account owner of the balances, for the error
 * @throws RuleError sumOverflow
 */
export function combinePortfolios(left: Portfolio, right: Portfolio, account?: Address): Portfolio {
  const waves = sumOrThrow(left.waves, right.waves, { quantity: "Waves balance", account, stage: "change" });
  const assets = combineAssets(left.assets, right.assets, account);
  const leaseIn = sumOrThrow(left.leaseIn, right.leaseIn, { quantity: "Lease in", account, stage: "change" });
  const leaseOut = sumOrThrow(left.leaseOut, right.leaseOut, { quantity: "Lease out", account, stage: "change" });
  return { waves, assets, leaseIn, leaseOut };
}

/**
 * Sum of all changes, folded from left to right: the order decides which sums overflow.
 * @throws RuleError sumOverflow
 */
export function combineAllPortfolios(...all: readonly Portfolios[]): Portfolios {
  const [first, second] = all;
  if (first === undefined) return new Map();
  if (second === undefined) return first;
  const combined = new Map(first);
  for (const next of all.slice(1)) {
    for (const [key, { account, portfolio }] of next) {
      const known = combined.get(key);
      combined.set(key, {
        account,
        portfolio: known === undefined ? portfolio : combinePortfolios(known.portfolio, portfolio, account),
      });
    }
  }
  return combined;
}

/**
 * Balances after the changes, absolute. Accounts and assets with zero changes are omitted.
 * @throws RuleError sumOverflow
 * @source docs/protocol/snapshots-and-state-hash.md 3.1
 */
export function balancesAfter(portfolios: Portfolios, view: StateView): Pick<Snapshot, "balances" | "leaseBalances"> {
  const balances: BalanceChange[] = [];
  const leaseBalances: LeaseBalanceChange[] = [];
  for (const { account, portfolio } of portfolios.values()) {
    for (const { asset, amount } of portfolio.assets.values()) {
      if (amount !== 0n) balances.push(balanceAfter(view, account, asset, amount));
    }
    if (portfolio.waves !== 0n) balances.push(balanceAfter(view, account, null, portfolio.waves));
    if (portfolio.leaseIn !== 0n || portfolio.leaseOut !== 0n) {
      const before = view.leaseBalance(account);
      const context = { quantity: "Lease", account, stage: "balance" } as const;
      leaseBalances.push({
        address: account,
        in: sumOrThrow(before.in, portfolio.leaseIn, context),
        out: sumOrThrow(before.out, portfolio.leaseOut, context),
      });
    }
  }
  return {
    ...(balances.length > 0 && { balances }),
    ...(leaseBalances.length > 0 && { leaseBalances }),
  };
}

/**
 * Adds an amount to one balance, on top of the snapshot's own changes; returns the snapshot itself for a zero amount.
 * @param delta in the smallest units of the asset; may be negative
 * @throws RuleError sumOverflow
 * @source Waves: state/StateSnapshot.scala (addBalances)
 */
export function withBalanceChange(
  snapshot: Snapshot,
  view: StateView,
  account: Address,
  asset: Asset,
  delta: bigint,
): Snapshot {
  if (delta === 0n) return snapshot;
  const balances = snapshot.balances ?? [];
  const accountKey = bytesKey(account);
  const assetKey = asset === null ? null : bytesKey(asset);
  const index = balances.findIndex(
    (change) =>
      bytesKey(change.address) === accountKey && (change.asset === null ? null : bytesKey(change.asset)) === assetKey,
  );
  const known = balances[index];
  if (known === undefined) return { ...snapshot, balances: [...balances, balanceAfter(view, account, asset, delta)] };
  const balance = sumOrThrow(known.balance, delta, balanceContext(account, asset));
  return { ...snapshot, balances: balances.with(index, { ...known, balance }) };
}

function balanceAfter(view: StateView, account: Address, asset: Asset, change: bigint): BalanceChange {
  const balance = sumOrThrow(view.balance(account, asset), change, balanceContext(account, asset));
  return { address: account, asset, balance };
}

type SumContext = Omit<Extract<TransactionViolation, { code: "sumOverflow" }>, "code">;

function balanceContext(account: Address, asset: Asset): SumContext {
  return { quantity: asset === null ? "Waves balance" : "Asset balance", account, stage: "balance" };
}

/**
 * Sum of two 64-bit amounts.
 * @throws RuleError sumOverflow if it does not fit into 64 bits
 */
export function sumOrThrow(left: bigint, right: bigint, context: SumContext): bigint {
  const sum = left + right;
  if (sum > I64_MAX || sum < I64_MIN) throw new RuleError({ code: "sumOverflow", ...context });
  return sum;
}

function combineAssets(
  left: Portfolio["assets"],
  right: Portfolio["assets"],
  account: Address | undefined,
): Portfolio["assets"] {
  if (left.size === 0) return right;
  if (right.size === 0) return left;
  const combined = new Map(left);
  for (const [key, { asset, amount }] of right) {
    const known = combined.get(key);
    const total = sumOrThrow(known?.amount ?? 0n, amount, { quantity: asset, account, stage: "change" });
    combined.set(key, { asset, amount: total });
  }
  return combined;
}
