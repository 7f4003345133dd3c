/**
 * Changes of balances while the effect of a transaction is put together. Changes are differences; only at the end do
 * they become the absolute values of a snapshot.
 * @source Waves: state/Portfolio.scala; state/StateSnapshot.scala (build)
 */
import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { I64_MAX, I64_MIN } from "../../protocol/codec/i64.ts";
import { RuleError } from "../../protocol/faults.ts";
import type { BalanceChange, LeaseBalanceChange, Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { Asset, AssetId } from "../../protocol/transactions/asset.ts";
import type { TransactionFault } from "../../protocol/transactions/faults.ts";
import type { StateView } from "../state/state-view.ts";

/** How the balances of one account change. */
export interface Portfolio {
  readonly waves: bigint;
  readonly leaseIn: bigint;
  readonly leaseOut: bigint;
  /** In the order in which they were first changed. */
  readonly assets: ReadonlyMap<BytesKey, { readonly asset: AssetId; readonly amount: bigint }>;
}

/** How the balances of several accounts change, in the order in which they were first named. */
export type Portfolios = ReadonlyMap<BytesKey, { readonly account: Address; readonly portfolio: Portfolio }>;

const noAssets: Portfolio["assets"] = new Map();

export const emptyPortfolio: Portfolio = { waves: 0n, leaseIn: 0n, leaseOut: 0n, assets: noAssets };

/** A change of one asset, or of WAVES where `asset` is null. */
export function portfolioOf(asset: Asset, amount: bigint): Portfolio {
  if (asset === null) return { ...emptyPortfolio, waves: amount };
  return { ...emptyPortfolio, assets: new Map([[bytesKey(asset), { asset, amount }]]) };
}

/** A change of WAVES and of one asset. */
export function portfolioOfWavesAnd(waves: bigint, asset: AssetId, amount: bigint): Portfolio {
  return { ...portfolioOf(asset, amount), waves };
}

/** The changes of one account. */
export function portfoliosOf(account: Address, portfolio: Portfolio): Portfolios {
  return new Map([[bytesKey(account), { account, portfolio }]]);
}

/**
 * Both changes together.
 * @param account whose they are, for the fault
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
 * All changes together, folded from left to right: which sums overflow depends on the order.
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
 * The balances after the changes, absolute. Accounts and assets whose change is zero are left out.
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
 * The snapshot with an amount added to one balance, seen on top of the snapshot's own changes; the snapshot itself when
 * the amount is zero.
 * @param delta in the smallest units of the asset; negative takes away
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

type SumContext = Omit<Extract<TransactionFault, { code: "sumOverflow" }>, "code">;

function balanceContext(account: Address, asset: Asset): SumContext {
  return { quantity: asset === null ? "Waves balance" : "Asset balance", account, stage: "balance" };
}

/**
 * The sum of two 64-bit amounts.
 * @throws RuleError sumOverflow when it does not fit 64 bits
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
