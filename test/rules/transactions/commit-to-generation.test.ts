/**
 * @see Waves 1.6: state/diffs/CommitToGenerationTransactionDiff.scala and its tests;
 *   docs/protocol/consensus-and-finality.md 3.2
 */
import { describe, expect, it } from "vitest";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import { hasValidSignatures } from "../../../src/rules/transactions/checks/proofs.ts";
import { applyCommitToGeneration } from "../../../src/rules/transactions/commit-to-generation.ts";
import {
  addresses,
  context,
  keys,
  sample,
  transactionId,
  violationOf,
} from "../../support/builders/sample-transactions.ts";
import { commitmentFields, testEndorser } from "../../support/builders/test-endorser.ts";
import { InMemoryState, type StateOptions } from "../../support/fakes/in-memory-state.ts";

const waves = 100_000_000n;
const fee = 10_000_000n;
const deposit = 100n * waves;
const endorser = testEndorser(1);
const other = testEndorser(2);

/** Feature 25 from height 3: periods [3, 11], [12, 19], [20, 27]. */
const options: StateOptions = {
  height: 3,
  functionality: { generationPeriodLength: 8 },
  features: new Map(Array.from({ length: 25 }, (_, index): [number, number] => [index + 1, index + 1 === 25 ? 3 : 0])),
  earlierBalance: 1_000_000n * waves,
};
const stateWith = (balance: bigint, more: StateOptions = {}) =>
  new InMemoryState({ ...options, ...more }).withBalance(addresses.alice, balance).withBalance(addresses.bob, balance);
const commitment = (periodStart = 12, by = endorser, fields = {}) =>
  sample(TransactionType.CommitToGeneration, { ...commitmentFields(by, periodStart), ...fields });
const apply = (transaction: ReturnType<typeof commitment>, state: InMemoryState) =>
  applyTransaction(transaction, state, context).snapshot;
const applyUnverified = (transaction: ReturnType<typeof commitment>) =>
  applyCommitToGeneration(transaction, rich(), { verifySignatures: true });
const rich = () => stateWith(10_000n * waves);

describe("a commitment to generate", () => {
  it("takes the fee, and lists the sender with its BLS key", () => {
    expect(apply(commitment(), rich())).toEqual({
      balances: [{ address: addresses.alice, asset: null, balance: 10_000n * waves - fee }],
      generationCommitments: [
        { sender: keys.alice, endorserPublicKey: endorser.endorserPublicKey, transactionId: transactionId(200) },
      ],
    });
  });

  it("is accepted on the feature's activation height, and not before", () => {
    expect(violationOf(() => apply(commitment(), rich().moveTo(2)))).toMatchObject({
      code: "featureNotActive",
      feature: 25,
    });
    expect(apply(commitment(), rich().moveTo(3))).toMatchObject({ generationCommitments: [{ sender: keys.alice }] });
  });

  it.each([
    [3, 12],
    [11, 12],
    [12, 20],
    [19, 20],
  ])("at height %i is one to the period from %i on, and to no other", (height, expected) => {
    expect(apply(commitment(expected), rich().moveTo(height))).toHaveProperty("generationCommitments");
    for (const got of [0, 3, expected - 8, expected - 1, expected + 1, expected + 8, 0xff_ff_ff_ff])
      expect(violationOf(() => apply(commitment(got), rich().moveTo(height)))).toEqual({
        code: "generationPeriodWrong",
        expected,
        got,
      });
  });

  it("is refused with an invalid key", () => {
    for (const endorserPublicKey of [new Uint8Array(48), Uint8Array.of(0xc0, ...new Uint8Array(47))])
      expect(violationOf(() => applyUnverified(commitment(12, endorser, { endorserPublicKey })))).toEqual({
        code: "endorserKeyInvalid",
        endorserPublicKey,
      });
  });

  it("is refused where the proof is of another key, another period, or none", () => {
    expect(applyUnverified(commitment())).toHaveProperty("generationCommitments");
    const foreign = [
      commitmentFields(other, 12).commitmentSignature,
      commitmentFields(endorser, 20).commitmentSignature,
      new Uint8Array(96),
    ];
    for (const commitmentSignature of foreign) {
      const transaction = commitment(12, endorser, { commitmentSignature });
      expect(violationOf(() => applyUnverified(transaction))).toEqual({ code: "commitmentSignatureInvalid" });
      // A verification of signatures beforehand includes the proof.
      expect(apply(transaction, rich())).toHaveProperty("generationCommitments");
      expect(hasValidSignatures({ ...transaction, proofs: [] })).toBe(false);
    }
    expect(hasValidSignatures({ ...commitment(), proofs: [] })).toBe(true);
  });

  it("is refused a second time to the same period, with another key too", () => {
    const state = rich();
    state.apply(apply(commitment(), state));
    for (const again of [commitment(), commitment(12, other)])
      expect(violationOf(() => apply(again, state))).toEqual({
        code: "generatorAlreadyCommitted",
        account: addresses.alice,
      });
    // In the next period the account may commit to the one after that, with the same key.
    expect(apply(commitment(20), state.moveTo(12))).toHaveProperty("generationCommitments");
  });

  it("is refused with a BLS key that another account has committed to the period", () => {
    const state = rich();
    state.apply(apply(commitment(), state));
    expect(violationOf(() => apply(commitment(12, endorser, { sender: keys.bob }), state))).toEqual({
      code: "endorserKeyCommitted",
      endorserPublicKey: endorser.endorserPublicKey,
    });
    expect(apply(commitment(12, other, { sender: keys.bob }), state)).toHaveProperty("generationCommitments");
    expect(apply(commitment(20, endorser, { sender: keys.bob }), state.moveTo(12))).toHaveProperty(
      "generationCommitments",
    );
  });

  it("can't be made with insufficient balance: 1000 WAVES must be left beside the deposit and the fee", () => {
    const least = 1_000n * waves + deposit + fee;
    expect(apply(commitment(), stateWith(least))).toHaveProperty("generationCommitments");
    expect(violationOf(() => apply(commitment(), stateWith(least - 1n)))).toEqual({
      code: "generatingBalanceMissing",
      balance: 1_000n * waves - 1n,
      required: 1_000n * waves,
    });
    expect(violationOf(() => apply(commitment(), stateWith(least - fee)))).toMatchObject({
      code: "generatingBalanceMissing",
      balance: 1_000n * waves - fee,
    });
  });

  it("counts incoming leases, but not outgoing ones", () => {
    const own = deposit + fee;
    const lent = stateWith(own).withLeaseBalance(addresses.alice, { in: 1_000n * waves, out: 0n });
    expect(apply(commitment(), lent)).toHaveProperty("generationCommitments");
    const lending = stateWith(own + 1_000n * waves).withLeaseBalance(addresses.alice, { in: 0n, out: 1n });
    expect(violationOf(() => apply(commitment(), lending))).toMatchObject({ code: "generatingBalanceMissing" });
  });

  it("counts the lowest balance of the last blocks, as blocks do", () => {
    const lately = stateWith(10_000n * waves, { earlierBalance: 999n * waves });
    expect(violationOf(() => apply(commitment(), lately))).toEqual({
      code: "generatingBalanceMissing",
      balance: 999n * waves,
      required: 1_000n * waves,
    });
  });

  it("subtracts fee and deposit from the current balance, not from a lower one of the last blocks", () => {
    const least = 1_000n * waves;
    const lately = (balance: bigint) => stateWith(balance, { earlierBalance: least });
    expect(apply(commitment(), lately(least + deposit + fee))).toHaveProperty("generationCommitments");
    expect(violationOf(() => apply(commitment(), lately(least + deposit + fee - 1n)))).toMatchObject({
      code: "generatingBalanceMissing",
      balance: least - 1n,
    });
  });

  it("takes a second deposit while the first one is held", () => {
    const least = 1_000n * waves + 2n * deposit + 2n * fee;
    const committed = (balance: bigint) => {
      const state = stateWith(balance);
      state.apply(apply(commitment(), state));
      return state.moveTo(12);
    };
    expect(apply(commitment(20), committed(least))).toHaveProperty("generationCommitments");
    expect(violationOf(() => apply(commitment(20), committed(least - 1n)))).toMatchObject({
      code: "generatingBalanceMissing",
    });
  });
});

describe("the deposit", () => {
  const locked = 5n;
  const committed = () => {
    const state = stateWith(2_000n * waves);
    state.apply(apply(commitment(), state));
    return state;
  };
  const spendable = 2_000n * waves - fee - deposit;
  const spending = (amount: bigint, state: InMemoryState) =>
    applyTransaction(
      sample(TransactionType.Transfer, {
        sender: keys.alice,
        recipient: { kind: "address", address: addresses.bob },
        asset: null,
        amount: amount - 100_000n,
        fee: 100_000n,
      }),
      state,
      context,
    );

  it("cannot be spent: transfer more than own less the deposit", () => {
    expect(spending(spendable, committed()).status).toBe("succeeded");
    expect(violationOf(() => spending(spendable + locked, committed()))).toMatchObject({
      code: "balancesInvalid",
      problems: [{ account: addresses.alice, kind: "lockedMoneySpent", reason: "depositSpent" }],
    });
  });

  it("can be spent again from the end of the period on", () => {
    expect(violationOf(() => spending(spendable + locked, committed().moveTo(19)))).toMatchObject({
      problems: [{ reason: "depositSpent" }],
    });
    expect(spending(spendable + deposit, committed().moveTo(20)).status).toBe("succeeded");
  });

  it("cannot be leased out either", () => {
    const lease = (amount: bigint) =>
      applyTransaction(
        sample(TransactionType.Lease, {
          sender: keys.alice,
          recipient: { kind: "address", address: addresses.bob },
          amount,
          fee: 100_000n,
        }),
        committed(),
        context,
      );
    expect(lease(spendable - 100_000n).status).toBe("succeeded");
    expect(violationOf(() => lease(spendable - 100_000n + 1n))).toMatchObject({
      problems: [{ kind: "lockedMoneySpent", reason: "negativeEffective" }],
    });
  });
});
