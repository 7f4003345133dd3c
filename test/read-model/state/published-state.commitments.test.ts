/** Commitments that the rules read through the read model: only rows of the requested account. */
import { expect, test } from "vitest";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { IsolateMemory } from "../../../src/platform/isolate-memory.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { LatestState } from "../../../src/read-model/latest-state.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { PublishedState } from "../../../src/read-model/state/published-state.ts";
import { commitmentDeposit, depositOf } from "../../../src/rules/finality/deposit.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { balanceHistoryTable } from "../../../src/tables/accounts.ts";
import { genesisText } from "../../../src/tables/chain.ts";
import { type CommitmentRow, commitmentTable, generatorConflictTable } from "../../../src/tables/commitments.ts";
import { d1Double, putRows } from "../../../verification/sqlite/d1-double.ts";
import { putChain } from "../../support/builders/put-chain.ts";

/** Periods [1, 11], [12, 21], [22, 31]. */
const settings = {
  ...privateNetwork.blockchain,
  functionality: {
    ...privateNetwork.blockchain.functionality,
    generationPeriodLength: 10,
    preActivatedFeatures: new Map([
      ...privateNetwork.blockchain.functionality.preActivatedFeatures,
      [Feature.DeterministicFinality, 1],
    ]),
  },
};
const HEIGHT = 15;
const filled = (size: number, byte: number): Uint8Array => new Uint8Array(size).fill(byte);
const addressOf = (byte: number): Address => filled(26, byte) as Address;
const row = (periodStart: number, position: number, account: number, height: number): CommitmentRow => ({
  periodStart,
  position,
  address: addressOf(account),
  publicKey: filled(32, account) as PublicKey,
  endorserPublicKey: filled(48, account),
  transactionId: filled(32, account) as TransactionId,
  height,
});
const [ALICE, BOB, CAROL] = [1, 2, 3] as const;

function stateReader(): <Answer>(question: (view: StateView) => Answer) => Promise<Answer> {
  const { d1, sqlite } = d1Double();
  putChain(sqlite, { height: HEIGHT, genesis: genesisText(settings) });
  sqlite.exec(`INSERT INTO block (height, id, header, timestamp, generator, size_bytes, transaction_count, total_fee, reward_vote,
    reward_shares, waves_amount) VALUES (${HEIGHT}, x'01', x'', 0, x'', 0, 0, 0, -1, x'', 0)`);
  putRows(sqlite, commitmentTable, [row(12, 0, ALICE, 5), row(12, 1, BOB, 6), row(22, 0, BOB, 14)]);
  putRows(sqlite, generatorConflictTable, [{ periodStart: 12, position: 0, height: 13 }]);
  const balance = 7n * commitmentDeposit;
  putRows(
    sqlite,
    balanceHistoryTable,
    [ALICE, BOB, CAROL].map((account) => ({
      address: addressOf(account),
      height: 1,
      balance,
      leaseIn: 0n,
      leaseOut: 0n,
    })),
  );
  const nowMs = () => 0;
  const latest = new LatestState(nowMs);
  const published = new PublishedState({ settings, memory: new IsolateMemory(10_000_000), nowMs });
  const facts = { database: d1, hasCopies: false, settings, bookmark: undefined, latest, publish: async () => {} };
  const newest = async () => undefined;
  return async (question) => (await published.query({ model: new ReadModel(facts), newest }, question)).value;
}

test("a commitment is found by its account and period, and counted", async () => {
  const ask = stateReader();
  const found = await ask((view) => ({
    bob: view.findCommitment(12, addressOf(BOB))?.index,
    later: view.findCommitment(22, addressOf(ALICE)),
    counts: [12, 22, 32].map((start) => view.commitmentCount(start)),
    listed: view.commitments(12).map(({ index, height }) => [index, height]),
    conflicts: [...view.conflicts(12)],
    keys: [BOB, CAROL].map((account) => view.isEndorserKeyCommitted(12, filled(48, account))),
  }));
  expect(found).toEqual({
    bob: 1,
    later: undefined,
    counts: [2, 1, 0],
    listed: [
      [0, 5],
      [1, 6],
    ],
    conflicts: [[0, 13]],
    keys: [true, false],
  });
});

test("deposits are those of the height that it shows, and count at each height of a window", async () => {
  const ask = stateReader();
  const accounts = [ALICE, BOB, CAROL].map(addressOf);
  expect(await ask((view) => accounts.map((account) => depositOf(account, view) / commitmentDeposit))).toEqual([
    0n,
    2n,
    0n,
  ]);
  const lowest = (from: number) =>
    ask((view) => accounts.map((account) => view.minimumEffectiveBalance(account, from, HEIGHT) / commitmentDeposit));
  expect(await lowest(1)).toEqual([6n, 5n, 7n]);
  expect(await lowest(14)).toEqual([7n, 5n, 7n]);
});
