/** @see Waves: state/diffs/BalanceDiffValidation.scala */
import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../../../src/protocol/snapshots/snapshot.ts";
import { checkBalances } from "../../../../src/rules/transactions/checks/balances.ts";
import { addresses, assetId, keys, transactionId, violationOf } from "../../../support/builders/sample-transactions.ts";
import { InMemoryState, type StateOptions } from "../../../support/fakes/in-memory-state.ts";

const { alice, bob, carol } = addresses;
const ending = (waves: bigint, lease?: { in: bigint; out: bigint }): Snapshot => ({
  balances: [{ address: alice, asset: null, balance: waves }],
  ...(lease && { leaseBalances: [{ address: alice, ...lease }] }),
});
const beforeDeposits = new Map(Array.from({ length: 24 }, (_, index): [number, number] => [index + 1, 0]));
/** Error for a change by Alice with these WAVES and leases before; undefined if it is allowed. */
function problemOf(change: Snapshot, waves: bigint, lease = { in: 0n, out: 0n }, options: StateOptions = {}) {
  const view = new InMemoryState({ features: beforeDeposits, ...options })
    .withBalance(alice, waves)
    .withLeaseBalance(alice, lease);
  return passes(() => checkBalances(change, view)) ? undefined : violationOf(() => checkBalances(change, view));
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

  it("are not checked if they do not decrease, however far below zero they are", () => {
    expect([problemOf(ending(-5n), -5n), problemOf(ending(-4n), -5n)]).toEqual([undefined, undefined]);
    expect(problemOf(ending(-6n), -5n)).toMatchObject({ problems: [{ before: -5n, after: -6n }] });
  });

  it("must cover the account's outgoing leases", () => {
    const lease = { in: 100n, out: 10n };
    expect(problemOf(ending(10n), 20n, lease)).toBeUndefined();
    expect(problemOf(ending(9n), 20n, lease)).toEqual(oneProblem({ kind: "leasedMoneySpent" }));
  });

  it("must cover it with incoming leases if even that is too little", () => {
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

  it("count with the account's own leases, in a change of any account", () => {
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

describe("WAVES of an account from feature 25 on", () => {
  const deposit = 10_000_000_000n;
  /** Periods [0, 200], [201, 400]. */
  const functionality = { generationPeriodLength: 200 };
  const commitmentOf = (name: "alice" | "bob"): NonNullable<Snapshot["generationCommitments"]>[number] => ({
    sender: keys[name],
    endorserPublicKey: new Uint8Array(48).fill(keys[name][0] ?? 0),
    transactionId: transactionId(1),
  });
  const none = { in: 0n, out: 0n };
  function problemWith(
    change: Snapshot,
    before: { readonly waves: bigint; readonly lease?: { in: bigint; out: bigint }; readonly hasDeposit?: boolean },
    blockVersion3AfterHeight = 0,
  ) {
    const view = new InMemoryState({ functionality: { ...functionality, blockVersion3AfterHeight } })
      .withBalance(alice, before.waves)
      .withLeaseBalance(alice, before.lease ?? none);
    if (before.hasDeposit === true) view.apply({ generationCommitments: [commitmentOf("alice")] });
    return passes(() => checkBalances(change, view)) ? undefined : violationOf(() => checkBalances(change, view));
  }
  const locked = (reason: string) => ({ problems: [{ account: alice, kind: "lockedMoneySpent", reason }] });

  it("may end at zero, and not below", () => {
    expect(problemWith(ending(0n), { waves: 5n })).toBeUndefined();
    expect(problemWith(ending(-1n), { waves: 5n })).toEqual(
      oneProblem({ kind: "wavesOverspent", before: 5n, after: -1n }),
    );
  });

  it("are checked if they increase, too", () => {
    expect(problemWith(ending(-4n), { waves: -5n })).toBeUndefined();
    expect(problemWith(ending(9n, { in: 0n, out: 10n }), { waves: 8n, lease: { in: 0n, out: 10n } })).toMatchObject(
      locked("negativeEffective"),
    );
  });

  it("must cover the deposit", () => {
    const before = { waves: deposit + 5n, hasDeposit: true };
    expect(problemWith(ending(deposit), before)).toBeUndefined();
    expect(problemWith(ending(deposit - 1n), before)).toMatchObject(
      oneProblem({
        kind: "lockedMoneySpent",
        reason: "depositSpent",
        before: { balance: deposit + 5n, lease: none, deposit },
        after: { balance: deposit - 1n, lease: none, deposit },
      }),
    );
  });

  it("must cover a deposit that the same change takes, and no other account's", () => {
    const committing = (waves: bigint, name: "alice" | "bob"): Snapshot => ({
      ...ending(waves),
      generationCommitments: [commitmentOf(name)],
    });
    expect(problemWith(committing(deposit, "alice"), { waves: deposit + 5n })).toBeUndefined();
    expect(problemWith(committing(deposit - 1n, "alice"), { waves: deposit + 5n })).toMatchObject(
      locked("depositMissing"),
    );
    expect(problemWith(committing(0n, "bob"), { waves: 5n })).toBeUndefined();
  });

  it("must cover the deposit and the outgoing leases in total", () => {
    const lease = { in: 100n, out: 10n };
    const before = { waves: deposit + 20n, lease, hasDeposit: true };
    expect(problemWith(ending(deposit + 10n), before)).toBeUndefined();
    expect(problemWith(ending(deposit + 9n), before)).toMatchObject(locked("leaseSpent"));
    expect(problemWith(ending(deposit + 9n, { in: 100n, out: 11n }), before)).toMatchObject(
      locked("leasedMoreThanOwned"),
    );
    expect(problemWith(ending(deposit + 9n), { ...before, lease: { in: 0n, out: 10n } })).toMatchObject(
      locked("negativeEffective"),
    );
  });

  it("may be leased money up to the height of block version 3, but not with a deposit", () => {
    const lease = { in: 0n, out: 10n };
    expect(problemWith(ending(9n), { waves: 20n, lease }, 100)).toBeUndefined();
    const before = { waves: deposit + 20n, lease, hasDeposit: true };
    expect(problemWith(ending(deposit + 10n), before, 100)).toBeUndefined();
    expect(problemWith(ending(deposit + 9n), before, 100)).toMatchObject(locked("depositOrLeaseSpent"));
    expect(problemWith(ending(deposit - 1n), before, 100)).toMatchObject(locked("depositSpent"));
  });
});

describe("assets of an account", () => {
  const [first, second, third] = [assetId(1), assetId(2), assetId(3)] as const;

  it("may end at zero; below it the error lists all of them, of the first account that lacks any", () => {
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

  it("are reported instead of the account's WAVES, and with those of others", () => {
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

it("a change without balances is allowed", () => {
  expect(problemOf({}, 0n)).toBeUndefined();
});
