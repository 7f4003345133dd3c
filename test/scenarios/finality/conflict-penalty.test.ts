/** Cost of a conflicting endorsement. Scenarios are those of the reference's ConflictEndorser…Suite. */
import { describe, expect, test } from "vitest";
import { generatingBalanceAt } from "../../../src/rules/consensus/next-block.ts";
import { depositOf } from "../../../src/rules/finality/deposit.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import {
  addressOf,
  Committee,
  type CommitteeOptions,
  commitmentFee,
  deposit,
  waves,
} from "../../support/builders/committee.ts";

const tables = stateTables.map(({ name }) => name);
const START = 2_000_000n * waves;
/** Boosted reward of the block, wavelets. */
const rewardOf = (committee: Committee, height: number) =>
  committee.chain.stored.rowAt(height).rewardShares.reduce((sum, { amount }) => sum + amount, 0n);

const [valid, conflicting] = [0, 1];

/** Blocks: 2 with the commitments, 3 with a conflict in a micro-block, 4 with the penalty, 5 of a new period. */
function watch<T>(
  observe: (committee: Committee) => T,
): Record<"after2" | "after3" | "afterMicro" | "after4" | "after5", T> {
  const committee = Committee.committed();
  const after2 = observe(committee);
  committee.append(valid);
  const after3 = observe(committee);
  const conflicts = [committee.conflict(conflicting, { endorsedBlockId: committee.idAt(2) })];
  committee.appendMicroBlock(valid, committee.voting({ conflicts }));
  const afterMicro = observe(committee);
  committee.append(valid);
  const after4 = observe(committee);
  committee.append(valid);
  return { after2, after3, afterMicro, after4, after5: observe(committee) };
}

describe("an endorsement of another finalized block", () => {
  test("finalization happens in next keyblock", () => {
    expect(watch(({ chain }) => chain.stored.finalizedHeight())).toEqual({
      ...{ after2: 1, after3: 1, afterMicro: 1 },
      after4: 2,
      // The remaining generators hold enough.
      after5: 3,
    });
  });

  test("removed from generator set", () => {
    const conflictsNow = ({ view }: Committee) => [...view.conflicts(view.height > 4 ? 5 : 3).keys()];
    expect(watch(conflictsNow)).toEqual({
      ...{ after2: [], after3: [] },
      ...{ afterMicro: [conflicting], after4: [conflicting] },
      after5: [],
    });
  });

  test("waves amount", () => {
    const made = watch((committee) => {
      const { height } = committee.view;
      let issued = committee.view.settings.genesis.initialBalance;
      for (let at = 2; at <= height; at++) issued += rewardOf(committee, at);
      return committee.chain.stored.tip().wavesAmount - issued;
    });
    expect(made).toEqual({ after2: 0n, after3: 0n, afterMicro: 0n, after4: -deposit, after5: -deposit });
  });

  test("waves portfolio", () => {
    const portfolio = (committee: Committee) => ({
      balance: committee.balanceOf(conflicting),
      deposit: depositOf(addressOf(committee.key(conflicting)), committee.view),
    });
    // The account gets one wavelet with the micro-block.
    const before = START - commitmentFee;
    expect(watch(portfolio)).toEqual({
      after2: { balance: before, deposit },
      after3: { balance: before, deposit },
      afterMicro: { balance: before + 1n, deposit },
      after4: { balance: before + 1n - deposit, deposit: 0n },
      after5: { balance: before + 1n - deposit, deposit: 0n },
    });
  });

  test("generating balance", () => {
    // The deposit did not count before: its loss changes nothing.
    const balance = START - commitmentFee - deposit;
    expect(watch(({ view, keys }) => generatingBalanceAt(view, addressOf(keys[conflicting] as never)))).toEqual({
      ...{ after2: balance, after3: balance, afterMicro: balance, after4: balance, after5: balance },
    });
  });
});

test("in the last block of a period is punished in the first one of the next", () => {
  const committee = Committee.committed();
  committee.append(valid);
  const conflicts = [committee.conflict(conflicting)];
  committee.append(valid, { finalizationVoting: committee.voting({ conflicts }) });
  const before = committee.balanceOf(conflicting);
  expect(committee.view.conflicts(3)).toEqual(new Map([[conflicting, 4]]));
  committee.append(valid);
  expect(committee.balanceOf(conflicting)).toBe(before - deposit);
  expect(depositOf(addressOf(committee.key(conflicting)), committee.view)).toBe(0n);
});

test("a punished generator may commit to the following period again, from the last block of this one, too", () => {
  const committee = Committee.committed();
  committee.append(valid);
  const conflicts = [committee.conflict(conflicting)];
  const again = [committee.commitment(committee.key(conflicting), 5), committee.commitment(committee.key(valid), 5)];
  committee.append(valid, { finalizationVoting: committee.voting({ conflicts }), transactions: again });
  const { view } = committee;
  expect(view.commitments(5).map(({ index }) => index)).toEqual([0, 1]);
  expect(depositOf(addressOf(committee.key(conflicting)), view)).toBe(2n * deposit);
  committee.append(conflicting);
  expect(depositOf(addressOf(committee.key(conflicting)), view)).toBe(deposit);
  // The account has another index now, without a conflict.
  const finalizationVoting = committee.voting({ endorsers: [1], signers: [committee.key(valid)] });
  committee.append(conflicting, { finalizationVoting });
  expect(view.height).toBe(6);
});

test("a punished account's gains in the same block are one change with the penalty", () => {
  // In the last block of a period: any account may generate the next one.
  const committee = Committee.committed();
  committee.append(valid);
  const conflicts = [committee.conflict(conflicting)];
  committee.append(valid, { finalizationVoting: committee.voting({ conflicts }) });
  const before = committee.balanceOf(conflicting);
  committee.append(conflicting);
  const { generator, rewardShares } = committee.chain.stored.tip();
  expect(generator).toEqual(addressOf(committee.key(conflicting)));
  const own = rewardShares.find(({ address }) => String(address) === String(generator))?.amount;
  expect(own).toBeGreaterThan(0n);
  const { carryFee } = committee.chain.stored.rowAt(4);
  expect(committee.balanceOf(conflicting)).toBe(before + (own ?? 0n) + carryFee - deposit);
});

test("several in one block are all punished, poor ones and those that never generated alike", () => {
  const options: CommitteeOptions = { balances: [2_000_000n, 1_200n, 2_000_000n] };
  const committee = Committee.committed(options);
  const spent = committee.balanceOf(1) - deposit - 2n * waves;
  committee.append(valid, { transactions: [committee.transfer(1, spent - 100_000n)] });
  expect(committee.chain.liquid.generators().weights).toEqual([
    expect.any(BigInt),
    expect.any(BigInt),
    expect.any(BigInt),
  ]);
  const before = [1, 2].map((index) => committee.balanceOf(index));
  const amount = committee.chain.stored.tip().wavesAmount;
  const conflicts = [committee.conflict(1), committee.conflict(2)];
  committee.append(valid, { finalizationVoting: committee.voting({ conflicts }) });
  expect(committee.chain.liquid.generators().weights[1]).toBe(0n);
  const made = rewardOf(committee, 4);
  expect(committee.chain.stored.tip().wavesAmount).toBe(amount + made);
  committee.append(valid);
  expect([1, 2].map((index) => committee.balanceOf(index))).toEqual(before.map((balance) => balance - deposit));
  expect(committee.chain.stored.tip().wavesAmount).toBe(amount + made + rewardOf(committee, 5) - 2n * deposit);
});

test("a rollback restores the burnt amount, and a replay burns it again", async () => {
  const committee = Committee.committed();
  committee.append(valid);
  const conflicts = [committee.conflict(conflicting)];
  committee.append(valid, { finalizationVoting: committee.voting({ conflicts }) });
  const before = committee.node.database.dump(tables);
  const five = committee.append(valid);
  const after = committee.node.database.dump(tables);
  await committee.node.node.revert(4, { isForced: true, dropsTransactions: true });
  expect(committee.node.database.dump(tables.filter((name) => name !== "meta"))).toBe(before);
  committee.node.append(five);
  expect(committee.node.database.dump(tables)).toBe(after);
});
