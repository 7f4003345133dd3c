/** Lease and lease cancel. @see Waves: state/diffs/DiffsCommon.scala (processLease, processLeaseCancel) */

import { describe, expect, it } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import type { LeaseId } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import {
  addresses,
  context,
  keys,
  leaseId,
  now,
  sample,
  to,
  transactionId,
  violationOf,
} from "../../support/builders/sample-transactions.ts";
import { InMemoryState, type StateOptions } from "../../support/fakes/in-memory-state.ts";

const { alice, bob } = addresses;
const rich = (options: StateOptions = {}): InMemoryState => new InMemoryState(options).withBalance(alice, 1_000_000n);

describe("lease", () => {
  it("counts for both sides and is stored under the transaction's id", () => {
    const lease = sample(TransactionType.Lease);
    expect(applyTransaction(lease, rich(), context).snapshot).toEqual({
      balances: [{ address: alice, asset: null, balance: 900_000n }],
      leaseBalances: [
        { address: alice, in: 0n, out: 10n },
        { address: bob, in: 10n, out: 0n },
      ],
      newLeases: [
        { leaseId: lease.id, sender: keys.alice, recipient: bob, amount: 10n, originTransactionId: lease.id },
      ],
    });
  });

  it("to oneself is refused, also through an alias", () => {
    const state = rich().with({ aliases: [{ address: alice, alias: { chainId: 82, name: "alice" } }] });
    const recipient = { kind: "alias", alias: { chainId: 82, name: "alice" } } as const;
    expect(violationOf(() => applyTransaction(sample(TransactionType.Lease, { recipient }), state, context))).toEqual({
      code: "leaseToSelf",
    });
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Lease, { recipient: to(alice) }), state, context)),
    ).toEqual({
      code: "leaseToSelf",
    });
  });

  it("must leave the fee from feature 16 on", () => {
    expect(applyTransaction(sample(TransactionType.Lease, { amount: 900_000n }), rich(), context).status).toBe(
      "succeeded",
    );
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Lease, { amount: 900_001n }), rich(), context)),
    ).toEqual({
      code: "leaseExceedsBalance",
      balance: 1_000_000n,
      leased: 0n,
      required: 1_000_001n,
    });
    const features = new Map([[Feature.SmartAccounts as number, 0]]);
    const early = (): InMemoryState => rich({ features });
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Lease, { amount: 1_000_001n }), early(), context)),
    ).toMatchObject({
      code: "leaseExceedsBalance",
      required: 1_000_001n,
    });
    // Before, the balance check after the transaction refuses it.
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Lease, { amount: 900_001n }), early(), context)),
    ).toEqual({
      code: "balancesInvalid",
      problems: [
        {
          kind: "negativeEffective",
          account: alice,
          before: { balance: 1_000_000n, lease: { in: 0n, out: 0n } },
          after: { balance: 900_000n, lease: { in: 0n, out: 900_001n } },
        },
      ],
    });
  });

  it("more than owned, though covered by incoming leases, is refused", () => {
    const features = new Map([[Feature.SmartAccounts as number, 0]]);
    const state = rich({ features }).withLeaseBalance(alice, { in: 500n, out: 0n });
    const violation = violationOf(() =>
      applyTransaction(sample(TransactionType.Lease, { amount: 900_001n }), state, context),
    );
    expect(violation).toMatchObject({ problems: [{ kind: "leasedMoreThanOwned", account: alice }] });
  });

  it("counts outgoing leases", () => {
    const state = rich().withLeaseBalance(alice, { in: 0n, out: 899_995n });
    expect(violationOf(() => applyTransaction(sample(TransactionType.Lease), state, context))).toEqual({
      code: "leaseExceedsBalance",
      balance: 1_000_000n,
      leased: 899_995n,
      required: 100_010n,
    });
  });

  it("under an id that is taken is refused", () => {
    const lease = sample(TransactionType.Lease);
    const state = rich().with({
      newLeases: [
        {
          leaseId: lease.id as Uint8Array as LeaseId,
          sender: keys.bob,
          recipient: alice,
          amount: 1n,
          originTransactionId: transactionId(1),
        },
      ],
    });
    expect(violationOf(() => applyTransaction(lease, state, context))).toEqual({
      code: "leaseExists",
      leaseId: lease.id,
    });
  });
});

describe("lease cancel", () => {
  const leased = (options: StateOptions = {}, sender = keys.alice): InMemoryState =>
    rich(options)
      .withBalance(bob, 1_000_000n)
      .with({
        newLeases: [
          { leaseId: leaseId(7), sender, recipient: bob, amount: 300n, originTransactionId: transactionId(7) },
        ],
        leaseBalances: [
          { address: alice, in: 0n, out: 300n },
          { address: bob, in: 300n, out: 0n },
        ],
      });

  it("takes the lease from both sides and names itself", () => {
    const cancel = sample(TransactionType.LeaseCancel);
    expect(applyTransaction(cancel, leased(), context).snapshot).toEqual({
      balances: [{ address: alice, asset: null, balance: 900_000n }],
      leaseBalances: [
        { address: alice, in: 0n, out: 0n },
        { address: bob, in: 0n, out: 0n },
      ],
      cancelledLeases: [{ leaseId: leaseId(7), cancelTransactionId: cancel.id }],
    });
  });

  it("of an unknown lease is refused", () => {
    expect(violationOf(() => applyTransaction(sample(TransactionType.LeaseCancel), rich(), context))).toEqual({
      code: "leaseUnknown",
      leaseId: leaseId(7),
    });
  });

  it("of an ended lease is refused after the last time-based fork", () => {
    const ended = (time: bigint): InMemoryState =>
      leased({ functionality: { lastTimeBasedForkParameter: time } }).with({
        cancelledLeases: [{ leaseId: leaseId(7), cancelTransactionId: transactionId(8) }],
      });
    expect(violationOf(() => applyTransaction(sample(TransactionType.LeaseCancel), ended(now - 1n), context))).toEqual({
      code: "leaseNotActive",
      leaseId: leaseId(7),
    });
    expect(applyTransaction(sample(TransactionType.LeaseCancel), ended(now), context).status).toBe("succeeded");
  });

  it("of another's lease is refused from the last time-based fork on", () => {
    const others = (time: bigint): InMemoryState =>
      leased({ functionality: { lastTimeBasedForkParameter: time } }, keys.carol);
    expect(violationOf(() => applyTransaction(sample(TransactionType.LeaseCancel), others(now), context))).toEqual({
      code: "leaseOfOtherSender",
      leaseId: leaseId(7),
      blockTimestamp: now,
      allowedUntil: now,
    });
    // The account that cancels is credited, as the balances of that time show.
    expect(
      applyTransaction(sample(TransactionType.LeaseCancel), others(now + 1n), context).snapshot.leaseBalances,
    ).toEqual([
      { address: alice, in: 0n, out: 0n },
      { address: bob, in: 0n, out: 0n },
    ]);
  });
});
