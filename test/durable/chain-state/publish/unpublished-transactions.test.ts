import { expect, test } from "vitest";
import { UnpublishedTransactions } from "../../../../durable/chain-state/publish/unpublished-transactions.ts";
import { encodeProtobuf } from "../../../../src/protocol/transactions/encode-for-block.ts";
import type { TransactionId } from "../../../../src/protocol/transactions/transaction.ts";
import { blockTable, transactionTable } from "../../../../src/tables/blocks.ts";
import { added } from "../../../../src/tables/schema/row-change.ts";
import { signedTransfer } from "../../../support/builders/signed-transfer.ts";
import { testPublisher } from "../../../support/builders/test-publisher.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const perBlock = 300;
const idOf = (height: number, position: number) =>
  new Uint8Array(32)
    .fill(height)
    .fill(position & 255, 16)
    .fill(position >> 8, 24) as TransactionId;

const transfer = signedTransfer({ timestamp: 1n });

/** Blocks of 300 transactions each. @param shown number of published transactions of block 1 when the others come */
function arrange(blocks: number, shown: number) {
  const { store } = testStore();
  testPublisher({ store, readModel: { batch: async () => [] }, state: { height: 1, transactions: shown } });
  const row = {
    type: 4,
    status: "succeeded",
    spentComplexity: 0,
    bytes: new Uint8Array(0),
    snapshot: undefined,
    callRecord: undefined,
  } as const;
  for (let height = 1; height <= blocks; height++) {
    const rows = Array.from({ length: perBlock }, (_, position) =>
      added(transactionTable, { id: idOf(height, position), height, position, ...row }),
    );
    const empty = new Uint8Array(0) as never;
    const block = {
      ...{ height, id: new Uint8Array(32).fill(height) as never, header: empty, timestamp: 0n, generator: empty },
      ...{
        sizeBytes: 0,
        transactionCount: perBlock,
        totalFee: 0n,
        reward: undefined,
        rewardVote: 0n,
        rewardShares: [],
      },
      ...{
        vrf: undefined,
        wavesAmount: 0n,
        hitSource: empty,
        score: 0n,
        carryFee: 0n,
        stateHash: empty,
        finalizedHeight: 1,
      },
    };
    store.commit({ height, step: 0 }, [...rows, added(blockTable, block)]);
  }
  return new UnpublishedTransactions(store, { findTransactionBody: () => transfer });
}

test("they are those after the published position", () => {
  const unpublished = arrange(2, 100);
  expect(unpublished.size).toBe(2 * perBlock - 100);
  const found = [idOf(1, 99), idOf(1, 100), idOf(2, 0), idOf(3, 0)].map((id) => unpublished.has(id));
  expect(found).toEqual([false, true, true, false]);
});

test("they are returned in chain order; published and unknown ones are not", () => {
  const unpublished = arrange(2, 100);
  expect(unpublished.find(idOf(1, 100))).toEqual(encodeProtobuf(transfer));
  expect([unpublished.find(idOf(1, 99)), unpublished.find(idOf(3, 0))]).toEqual([undefined, undefined]);
  const expected = Array.from({ length: perBlock - 100 }, (_, index) => idOf(1, 100 + index));
  expect([...unpublished.ids()].slice(0, expected.length + 1)).toEqual([...expected, idOf(2, 0)]);
});

test("of many only the first are listed, while all are counted", () => {
  const unpublished = arrange(5, 0);
  expect(unpublished.size).toBe(5 * perBlock);
  expect([...unpublished.ids()]).toHaveLength(1_000);
});
