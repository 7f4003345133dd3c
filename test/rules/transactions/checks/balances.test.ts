/** @see Waves: state/diffs/BalanceDiffValidation.scala */
import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../../../src/protocol/snapshots/snapshot.ts";
import { checkBalances } from "../../../../src/rules/transactions/checks/balances.ts";
import { InMemoryState, type StateOptions } from "../../in-memory-state.ts";
import { addresses, assetId, faultOf } from "../samples.ts";

const { alice, bob, carol } = addresses;
const ending = (waves: bigint, lease?: { in: bigint; out: bigint }): Snapshot => ({
  balances: [{ address: alice, asset: null, balance: waves }],
  ...(lease && { leaseBalances: [{ address: alice, ...lease }] }),
});
/** Alice with WAVES and leases before the change; undefined where the change may be. */
function problemOf(change: Snapshot, waves: bigint, lease = { in: 0n, out: 0n }, options: StateOptions = {}) {
  const view = new InMemoryState(options).withBalance(alice, waves).withLeaseBalance(alice, lease);
  return passes(() => checkBalances(change, view)) ? undefined : faultOf(() => checkBalances(change, view));
}
function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
const oneProblem = (problem: object) => ({ code: "balancesInvalid", problems: [{ account: alice, ...problem }] });

describe("WAVES of an account", () => {
  it("may end at zero, and not below", () => {
    expect(problemOf(ending(0n), 5n)).toBeUndefined();
    expect(problemOf(ending(-1n), 5n)).toEqual(oneProblem({ kind: "negativeWaves", before: 5n, after: -1n }));
  });

  it("are not looked at where they do not become less, however far below zero they are", () => {
    expect([problemOf(ending(-5n), -5n), problemOf(ending(-4n), -5n)]).toEqual([undefined, undefined]);
    expect(problemOf(ending(-6n), -5n)).toMatchObject({ problems: [{ before: -5n, after: -6n }] });
  });

  it("must cover what the account has leased out", () => {
    const lease = { in: 100n, out: 10n };
    expect(problemOf(ending(10n), 20n, lease)).toBeUndefined();
    expect(problemOf(ending(9n), 20n, lease)).toEqual(oneProblem({ kind: "leasedMoneySpent" }));
  });

  it("must cover it with what others lease to the account where even that is too little", () => {
    const lease = { in: 3n, out: 10n };
    const before = { balance: 20n, lease };
    expect(problemOf(ending(7n), 20n, lease)).toEqual(oneProblem({ kind: "leasedMoneySpent" }));
    expect(problemOf(ending(6n), 20n, lease)).toMatchObject(
      oneProblem({ kind: "negativeEffective", before, after: { balance: 6n, lease } }),
    );
  });

  it("must cover a lease that the same change makes", () => {
    const before = { balance: 20n, lease: { in: 5n, out: 0n } };
    const lease = { in: 5n, out: 19n };
    expect(problemOf(ending(19n, lease), 20n, before.lease)).toBeUndefined();
    expect(problemOf(ending(18n, lease), 20n, before.lease)).toMatchObject(
      oneProblem({ kind: "leasedMoreThanOwned", before, after: { balance: 18n, lease } }),
    );
  });

  it("count with the account's own leases, whoever else's change", () => {
    const change: Snapshot = {
      ...ending(9n),
      leaseBalances: [{ address: bob, in: 0n, out: 0n }],
    };
    expect(problemOf(change, 20n, { in: 0n, out: 9n })).toBeUndefined();
    expect(problemOf(change, 20n, { in: 5n, out: 10n })).toEqual(oneProblem({ kind: "leasedMoneySpent" }));
  });

  it("may be leased money up to the height of block version 3", () => {
    const at = (height: number): StateOptions => ({ height, functionality: { blockVersion3AfterHeight: 50 } });
    const lease = { in: 5n, out: 10n };
    expect(problemOf(ending(9n), 20n, lease, at(50))).toBeUndefined();
    expect(problemOf(ending(9n), 20n, lease, at(51))).toEqual(oneProblem({ kind: "leasedMoneySpent" }));
    expect(problemOf(ending(-1n), 20n, lease, at(50))).toMatchObject({ problems: [{ kind: "negativeWaves" }] });
  });
});

describe("assets of an account", () => {
  const [first, second, third] = [assetId(1), assetId(2), assetId(3)] as const;

  it("may end at zero; below it all of them are named, of the first account that lacks any", () => {
    const change: Snapshot = {
      balances: [
        { address: bob, asset: first, balance: 0n },
        { address: alice, asset: first, balance: -1n },
        { address: alice, asset: second, balance: 0n },
        { address: alice, asset: third, balance: -3n },
        { address: carol, asset: first, balance: -9n },
      ],
    };
    expect(problemOf(change, 0n)).toEqual(
      oneProblem({
        kind: "negativeAssets",
        balances: [
          { asset: first, balance: -1n },
          { asset: third, balance: -3n },
        ],
      }),
    );
    expect(problemOf({ balances: [{ address: alice, asset: first, balance: 0n }] }, 0n)).toBeUndefined();
  });

  it("are told in place of the account's WAVES, and beside those of others", () => {
    const change: Snapshot = {
      balances: [
        { address: bob, asset: null, balance: -1n },
        { address: alice, asset: null, balance: -2n },
        { address: alice, asset: first, balance: -1n },
      ],
    };
    expect(problemOf(change, 0n)).toEqual({
      code: "balancesInvalid",
      problems: [
        { kind: "negativeWaves", account: bob, before: 0n, after: -1n },
        { kind: "negativeAssets", account: alice, balances: [{ asset: first, balance: -1n }] },
      ],
    });
  });
});

it("a change without balances is right", () => {
  expect(problemOf({}, 0n)).toBeUndefined();
});
