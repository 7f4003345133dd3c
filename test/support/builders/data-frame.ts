/** Transactions of a given size. */
import { keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import { encodeFrame } from "../../../src/protocol/messages/frame.ts";
import { frameOf } from "../../../src/protocol/messages/message-table.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { testContext } from "../fakes/raw-peer.ts";

const ENTRY_BYTES = 32_000;
const { publicKey } = keyPairOfAccountSeed(new Uint8Array(32).fill(1));

/** Frame with a transaction of some 32,000 bytes for each entry; another number gives another transaction. */
export function dataFrame(number: number, entries = 1): Uint8Array {
  const value = { type: "binary", value: new Uint8Array(ENTRY_BYTES) } as const;
  const transaction = buildTransaction({
    ...{ type: TransactionType.Data, version: 2, chainId: testContext.chainId, sender: publicKey, feeAsset: null },
    ...{ fee: 500_000n, timestamp: BigInt(number), proofs: [] },
    data: Array.from({ length: entries }, (_, at) => ({ key: `key ${at}`, value })),
  });
  return encodeFrame(frameOf({ kind: "transaction", value: transaction }, testContext));
}
