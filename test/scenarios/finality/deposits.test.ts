/**
 * Commitments and their deposits, block by block. Names are those of the Go node's TestDepositsReset and
 * TestDepositRollback, where it has one.
 */
import { describe, expect, test } from "vitest";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { generatingBalanceAt } from "../../../src/rules/consensus/next-block.ts";
import { depositOf } from "../../../src/rules/finality/deposit.ts";
import { addressOf, Committee, commitmentFee, deposit, waves } from "../../support/builders/committee.ts";
import { violationOf } from "../../support/builders/violation-of.ts";

/**
 * Periods of three blocks: [0, 3], [4, 6], [7, 9], [10, 12]. The first account forges the blocks and gets the rewards.
 */
const ofThree = { balances: [2_000_000n, 3_000n, 3_000n], functionality: { generationPeriodLength: 3 } };
const [MEMBER, OTHER] = [1, 2] as const;
const start = 3_000n * waves;

/** Spendable balance of the account, wavelets. */
function available(committee: Committee, index: number): bigint {
  return committee.balanceOf(index) - depositOf(addressOf(committee.key(index)), committee.view);
}
const dump = (committee: Committee): string =>
  committee.node.database.dump(["commitment", "account", "balance_history"]);
/** Commitments of the members and of the generator of all blocks, which needs one to be allowed to forge. */
const all = (committee: Committee, periodStart: number, members: readonly number[]): Transaction[] =>
  [0, ...members].map((index) => committee.commitment(committee.key(index), periodStart));

describe("deposits", () => {
  test("reset: taken with the commitment, two at a time, and returned at the end of the period", () => {
    const committee = new Committee(ofThree);
    committee.append(0, { transactions: all(committee, 4, [MEMBER]) });
    expect(available(committee, MEMBER)).toBe(start - deposit - commitmentFee);
    committee.append(0);
    committee.append(0, { transactions: all(committee, 7, [MEMBER]) });
    expect(available(committee, MEMBER)).toBe(start - 2n * deposit - 2n * commitmentFee);
    committee.append(0);
    committee.append(0);
    expect(available(committee, MEMBER)).toBe(start - 2n * deposit - 2n * commitmentFee);
    // The second period begins: the first deposit is returned.
    committee.append(0);
    expect([committee.node.height, available(committee, MEMBER)]).toEqual([7, start - deposit - 2n * commitmentFee]);
    for (const _ of [8, 9, 10]) committee.append(0);
    expect([committee.node.height, available(committee, MEMBER)]).toEqual([10, start - 2n * commitmentFee]);
    expect(committee.balanceOf(MEMBER)).toBe(start - 2n * commitmentFee);
  });

  test("do not raise the generating balance at once when they are returned: the window remembers them", () => {
    const committee = new Committee(ofThree);
    committee.append(0, { transactions: all(committee, 4, [MEMBER]) });
    for (const _ of [3, 4, 5, 6, 7, 8]) committee.append(0);
    const address = addressOf(committee.key(MEMBER));
    expect(available(committee, MEMBER)).toBe(start - commitmentFee);
    expect(generatingBalanceAt(committee.view, address)).toBe(start - commitmentFee - deposit);
    expect(committee.view.minimumEffectiveBalance(address, 7, 8)).toBe(start - commitmentFee);
  });

  test("rollback: deposits and commitments are those of before", () => {
    const committee = new Committee(ofThree);
    const seen: { readonly available: bigint; readonly tables: string }[] = [];
    const look = () => ({ available: available(committee, MEMBER), tables: dump(committee) });
    seen[1] = look();
    const wishes = [[MEMBER], [], [MEMBER, OTHER], [], [], [OTHER]] as const;
    const starts = [4, 4, 7, 7, 7, 10];
    for (const [index, members] of wishes.entries()) {
      const transactions = members.length === 0 ? [] : all(committee, starts[index] as number, members);
      committee.append(0, { transactions });
      seen[committee.node.height] = look();
    }
    for (let height = 6; height >= 1; height--) {
      committee.chain.forks.revertTo(height, { isForced: true });
      expect({ height, ...look() }).toEqual({ height, ...seen[height] });
    }
  });
});

describe("commitments of one block", () => {
  test("are listed in their order, and in each further micro-block after it", () => {
    const committee = new Committee(ofThree);
    const [first, second, third] = [OTHER, 0, MEMBER].map((index) => committee.commitment(committee.key(index), 4));
    committee.append(0, { transactions: [first as Transaction] });
    committee.appendMicroBlock(0, undefined, [second as Transaction]);
    committee.appendMicroBlock(0, undefined, [third as Transaction]);
    const listed = committee.view.commitments(4);
    expect(listed.map(({ index, address, height }) => [index, address, height])).toEqual(
      [OTHER, 0, MEMBER].map((account, index) => [index, addressOf(committee.key(account)), 2]),
    );
    expect(listed.map(({ transactionId }) => transactionId)).toEqual([first?.id, second?.id, third?.id]);
  });

  test("in a micro-block that the next generator did not see have no effect", () => {
    const committee = new Committee(ofThree);
    committee.append(0, { transactions: [committee.commitment(committee.key(0), 4)] });
    const before = dump(committee);
    committee.appendMicroBlock(0, undefined, [committee.commitment(committee.key(MEMBER), 4)]);
    expect(committee.view.commitments(4)).toHaveLength(2);
    const next = committee.chain.liquid.withLiquidForm(0, () => {
      expect(dump(committee)).toBe(before);
      return committee.block(0);
    });
    committee.node.append(next);
    expect(committee.view.commitments(4).map(({ address }) => address)).toEqual([addressOf(committee.key(0))]);
    expect(depositOf(addressOf(committee.key(MEMBER)), committee.view)).toBe(0n);
    // The account may commit again, and gets the index.
    committee.appendMicroBlock(0, undefined, [committee.commitment(committee.key(MEMBER), 4)]);
    expect(committee.view.findCommitment(4, addressOf(committee.key(MEMBER)))?.index).toBe(1);
  });

  test("of one sender, or with one BLS key, are refused: in one block, and in a later micro-block", () => {
    const committee = new Committee(ofThree);
    const commitment = (account: number, endorser = account): Transaction =>
      committee.commitment(committee.key(account), 4, committee.key(endorser));
    const reasonOf = (transactions: readonly Transaction[]) =>
      violationOf(() => committee.append(0, { transactions: [...transactions] }));
    const inBlock = (reason: string) => ({
      code: "transactionInBlockInvalid",
      reason: expect.stringContaining(reason),
    });
    expect(reasonOf([commitment(MEMBER), commitment(MEMBER, OTHER)])).toMatchObject(inBlock("is already committed"));
    expect(reasonOf([commitment(MEMBER), commitment(OTHER, MEMBER)])).toMatchObject(inBlock("try another key"));
    committee.append(0, { transactions: [commitment(0), commitment(MEMBER)] });
    for (const [transaction, reason] of [
      [commitment(MEMBER, OTHER), "is already committed"],
      [commitment(OTHER, MEMBER), "try another key"],
    ] as const)
      expect(violationOf(() => committee.appendMicroBlock(0, undefined, [transaction]))).toMatchObject(inBlock(reason));
    expect(committee.view.commitments(4)).toHaveLength(2);
  });
});
