/**
 * Protobuf messages of transactions that the reference's parser refuses, though their difference would not be stored.
 */

import { expect, test } from "vitest";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { writtenBytes } from "../../../src/protocol/codec/byte-writer.ts";
import { writeDelimited } from "../../../src/protocol/codec/protobuf.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import { encodeSigned } from "../../../src/protocol/transactions/signed-transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";
import { fixtureBytes } from "../../support/fixtures/recorded-blocks.ts";
import { transactionsOf } from "../../support/fixtures/recorded-transactions.ts";

const chainId = 82;
const protobufBlock = 5;
const transfer = signedTransfer({ timestamp: 1_700_000_000_000n });
const [exchange] = transactionsOf(fixtureBytes("private-a/blocks.bin.gz"))
  .filter(({ blockVersion }) => blockVersion === protobufBlock)
  .map(({ bytes }) => parseSignedTransaction(bytes, chainId))
  .filter((transaction) => transaction.type === TransactionType.Exchange && transaction.version === 3);
if (exchange === undefined) throw new Error("the recorded chain has no exchange of version 3");

/** The transaction with an additional last field, which replaces the earlier one of the same number. */
const withField = (message: Uint8Array, field: Uint8Array) =>
  parseSignedTransaction(encodeSigned(concatBytes(message, field), []), chainId);
const delimited = (number: number, content: Uint8Array) => writtenBytes((to) => writeDelimited(number, content, to));

test("the key of an exchange, which its matcher tells, has the size of a key or is absent", () => {
  const withKey = (sizeBytes: number) => withField(exchange.bodyBytes, delimited(2, new Uint8Array(sizeBytes)));
  for (const sizeBytes of [0, 32, 64]) expect(withKey(sizeBytes).id).toEqual(exchange.id);
  for (const sizeBytes of [1, 31, 33, 65]) expect(() => withKey(sizeBytes)).toThrow(WireError);
});

test("a transfer of another chain is none, since its recipient is", () => {
  const ofChain = (id: number) => withField(transfer.bodyBytes, Uint8Array.of(8, id));
  expect(ofChain(chainId).id).toEqual(transfer.id);
  expect(() => ofChain(84)).toThrow(FormatError);
});

test("an expression to invoke takes the place of other data, and is read even where others take its own", () => {
  const expression = delimited(119, delimited(1, Uint8Array.of(6)));
  expect(() => withField(transfer.bodyBytes, expression)).toThrow(WireError);
  const broken = delimited(119, Uint8Array.of(7));
  const dataLast = (before: Uint8Array) =>
    parseSignedTransaction(encodeSigned(concatBytes(before, transfer.bodyBytes), []), chainId);
  expect(dataLast(expression).id).toEqual(transfer.id);
  expect(() => dataLast(broken)).toThrow(WireError);
});
