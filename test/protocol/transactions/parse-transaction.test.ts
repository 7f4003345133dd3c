import { expect, test } from "vitest";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { ownRecords } from "../../../src/protocol/transactions/transaction-source.ts";
import { chainId } from "../../support/builders/sample-transactions.ts";
import { poorKey, signedTransfer } from "../../support/builders/signed-transfer.ts";

const transfer = signedTransfer({ timestamp: 1_700_000_000_000n });
const bytes = encodeProtobuf(transfer);

test("a record of our own reads the same with its id at hand as without", () => {
  expect(parseSignedTransaction(bytes, chainId)).toEqual(transfer);
  expect(parseSignedTransaction(bytes, chainId, ownRecords, transfer.id)).toEqual(transfer);
});

test("an id that is known is not computed", () => {
  const other = poorKey.publicKey as Uint8Array as TransactionId;
  expect(parseSignedTransaction(bytes, chainId, ownRecords, other).id).toBe(other);
});
