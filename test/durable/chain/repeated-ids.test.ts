/** While names could be taken over, the id of an alias, and that of a payment, came twice. */
import { expect, test } from "vitest";
import { stepRows } from "../../../durable/chain/rows/block-rows.ts";
import type { StateStore } from "../../../durable/state/state-store.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { noUsage } from "../../../src/rules/blocks/block-run.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { transactionTable } from "../../../src/tables/blocks.ts";
import { InMemoryState } from "../../rules/in-memory-state.ts";
import { addresses, sample } from "../../rules/transactions/samples.ts";
import { testStore } from "../test-store.ts";

const mainnet = new InMemoryState({ schemeCharacter: "W", features: new Map() });

function append(
  store: StateStore,
  height: number,
  type: typeof TransactionType.CreateAlias | typeof TransactionType.Payment,
): void {
  const overlay = new OverlayView(mainnet, { height, reward: undefined });
  const transaction = sample(type);
  const row = {
    ...{
      height,
      id: new Uint8Array(32).fill(height) as Uint8Array as BlockId,
      header: new Uint8Array(),
      timestamp: 1n,
    },
    ...{
      generator: addresses.alice,
      sizeBytes: 0,
      transactionCount: 1,
      totalFee: 0n,
      reward: undefined,
      rewardVote: -1n,
    },
    ...{ rewardShares: [], vrf: undefined, wavesAmount: 0n, hitSource: new Uint8Array(), score: 0n, carryFee: 0n },
    stateHash: new Uint8Array(32) as Uint8Array as Digest,
  };
  const placed = {
    ...{ transaction, bytes: transaction.bytes, status: "succeeded" as const, spentComplexity: 0n },
    ...{ snapshot: {}, addresses: [addresses.alice] },
  };
  store.commit(
    { height, step: 0 },
    stepRows(row, [placed], overlay, { position: 0, nowMs: 0, usage: noUsage, keepsSnapshots: false }),
  );
}

test.each([TransactionType.CreateAlias, TransactionType.Payment] as const)(
  "of type %i the last one is found, and the one before after a rollback",
  (type) => {
    const { store } = testStore();
    const { id } = sample(type);
    append(store, 2, type);
    append(store, 3, type);
    expect(store.find(transactionTable, { id })).toMatchObject({ height: 3 });
    store.rollbackTo({ height: 2, step: 0 });
    expect(store.find(transactionTable, { id })).toMatchObject({ height: 2, position: 0 });
  },
);
