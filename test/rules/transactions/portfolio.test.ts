/**
 * Changes of balances, converted to absolute values.
 * @see Waves: state/Portfolio.scala, docs/protocol/snapshots-and-state-hash.md 3.1
 */
import { describe, expect, it } from "vitest";
import {
  balancesAfter,
  combineAllPortfolios,
  emptyPortfolio,
  portfolioOf,
  portfolioOfWavesAnd,
  portfoliosOf,
  withBalanceChange,
} from "../../../src/rules/transactions/portfolio.ts";
import { addresses, assetId, violationOf } from "../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const { alice, bob } = addresses;
const max = 9_223_372_036_854_775_807n;

describe("balancesAfter", () => {
  it("returns absolute values of the changes", () => {
    const asset = assetId(1);
    const state = new InMemoryState().withBalance(alice, 100n).withBalance(alice, 7n, asset);
    const changes = combineAllPortfolios(
      portfoliosOf(alice, portfolioOfWavesAnd(-30n, asset, -7n)),
      portfoliosOf(bob, { ...portfolioOf(null, 30n), leaseIn: 5n }),
    );
    expect(balancesAfter(changes, state)).toEqual({
      balances: [
        { address: alice, asset, balance: 0n },
        { address: alice, asset: null, balance: 70n },
        { address: bob, asset: null, balance: 30n },
      ],
      leaseBalances: [{ address: bob, in: 5n, out: 0n }],
    });
  });

  it("omits unchanged balances", () => {
    const changes = combineAllPortfolios(
      portfoliosOf(alice, portfolioOf(null, -30n)),
      portfoliosOf(alice, portfolioOf(null, 30n)),
    );
    expect(balancesAfter(changes, new InMemoryState())).toEqual({});
  });

  it("a balance beyond 64 bits is refused with its account", () => {
    const state = new InMemoryState().withBalance(alice, max);
    expect(violationOf(() => balancesAfter(portfoliosOf(alice, portfolioOf(null, 1n)), state))).toEqual({
      code: "sumOverflow",
      quantity: "Waves balance",
      account: alice,
      stage: "balance",
    });
  });
});

describe("combineAllPortfolios", () => {
  it("a sum of changes beyond 64 bits is refused, though the next change would bring it back", () => {
    const add = (amount: bigint) => portfoliosOf(alice, portfolioOf(null, amount));
    expect(violationOf(() => combineAllPortfolios(add(max), add(1n), add(-1n)))).toEqual({
      code: "sumOverflow",
      quantity: "Waves balance",
      account: alice,
      stage: "change",
    });
  });

  it("sums of assets and of leases overflow as well", () => {
    const asset = assetId(1);
    const twice = (portfolio: Parameters<typeof portfoliosOf>[1]) =>
      violationOf(() => combineAllPortfolios(portfoliosOf(alice, portfolio), portfoliosOf(alice, portfolio)));
    expect(twice(portfolioOf(asset, max))).toMatchObject({ quantity: asset });
    expect(twice({ ...emptyPortfolio, leaseIn: max })).toMatchObject({ quantity: "Lease in" });
    expect(twice({ ...emptyPortfolio, leaseOut: max })).toMatchObject({ quantity: "Lease out" });
  });
});

describe("withBalanceChange", () => {
  const state = new InMemoryState().withBalance(alice, 100n).withBalance(bob, 10n);
  const snapshot = { balances: [{ address: alice, asset: null, balance: 60n }] };

  it("adds to the value in the snapshot", () => {
    expect(withBalanceChange(snapshot, state, alice, null, 4n)).toEqual({
      balances: [{ address: alice, asset: null, balance: 64n }],
    });
  });

  it("adds to the value of the state if the snapshot has none", () => {
    expect(withBalanceChange(snapshot, state, bob, null, 4n).balances).toEqual([
      { address: alice, asset: null, balance: 60n },
      { address: bob, asset: null, balance: 14n },
    ]);
    expect(withBalanceChange({}, state, bob, assetId(1), 4n).balances).toEqual([
      { address: bob, asset: assetId(1), balance: 4n },
    ]);
  });

  it("no change leaves the snapshot as it is", () => {
    expect(withBalanceChange(snapshot, state, bob, null, 0n)).toBe(snapshot);
  });

  it("does not modify the given snapshot", () => {
    withBalanceChange(snapshot, state, alice, null, 4n);
    expect(snapshot.balances[0]?.balance).toBe(60n);
  });

  it("an overflow names the account", () => {
    expect(violationOf(() => withBalanceChange(snapshot, state, alice, null, max))).toMatchObject({
      code: "sumOverflow",
      account: alice,
      stage: "balance",
    });
  });
});
