/** Every transaction of the recorded chains, all types and versions: bytes, ids, JSON, fields. */

import { describe, expect, test } from "vitest";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { verify } from "../../../src/crypto/curve25519.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import { type JsonObject, jsonText } from "../../../src/protocol/json.ts";
import { type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import {
  encodeForBlock,
  encodeProtobuf,
  transactionSizeBytes,
} from "../../../src/protocol/transactions/encode-for-block.ts";
import { parseSignedTransaction, parseTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { Transaction, TransactionFields } from "../../../src/protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { findSharedBytes, fixtureBytes } from "../../support/fixtures/recorded-blocks.ts";
import { recordedLines, sharedBytes } from "../../support/fixtures/recorded-lines.ts";
import { blockchain } from "../../support/fixtures/recorded-private-a.ts";
import {
  dump,
  type RecordedTransaction,
  transactionsOf,
  transactionsOfBlock,
} from "../../support/fixtures/recorded-transactions.ts";

interface RecordedResponse {
  readonly id: string;
  readonly response: string;
}

/** Members that the routes add to a transaction. */
const addedMembers = ["height", "applicationStatus", "spentComplexity", "stateChanges", "payload", "status", "lease"];

const chains = [
  { name: "private-a", chainId: 82, count: 838 },
  { name: "finality-a", chainId: 70, count: 1128 },
  { name: "finality-window", chainId: 80, count: 287 },
  { name: "finality-late", chainId: 81, count: 523 },
] as const;

function parseRecorded({ bytes, blockVersion }: RecordedTransaction, chainId: number): Transaction {
  return blockVersion < BlockVersion.Protobuf
    ? parseTransaction(bytes, chainId)
    : parseSignedTransaction(bytes, chainId);
}

/** Only the fields that a builder of transactions sets. */
function fieldsOf(tx: Transaction): TransactionFields {
  const { id, bodyBytes, bytes, ...fields } = tx;
  return fields as TransactionFields;
}

function transactionMembers(response: ParsedObject): ParsedObject {
  return Object.fromEntries(Object.entries(response).filter(([name]) => !addedMembers.includes(name)));
}

/** Orders of Ethereum wallets are printed without proofs: a deliberate difference from the reference. */
function withoutProofsOfEthereumOrders(text: string): string {
  return text.replace(/"proofs":\[\],("matcherFeeAssetId":[^,]*,"eip712Signature":"0x)/g, "$1");
}

describe.each(chains)("chain $name", ({ name, chainId, count }) => {
  const recorded = transactionsOf(fixtureBytes(`${name}/blocks.bin.gz`));
  const transactions = recorded.map((each) => parseRecorded(each, chainId));

  test("all transactions are there", () => {
    expect(transactions).toHaveLength(count);
  });

  test("each is encoded back to the bytes of the block", () => {
    transactions.forEach((tx, index) => {
      const { bytes, blockVersion } = recorded[index] as RecordedTransaction;
      expect(equalBytes(encodeForBlock(tx, blockVersion), bytes), `${tx.type} v${tx.version}`).toBe(true);
    });
  });

  test("each keeps body, id and bytes when it goes through protobuf and through its own form", () => {
    for (const tx of transactions) {
      expect(dump(parseSignedTransaction(encodeProtobuf(tx), chainId))).toBe(dump(tx));
      const parseOwn = equalBytes(encodeProtobuf(tx), tx.bytes) ? parseSignedTransaction : parseTransaction;
      expect(dump(parseOwn(tx.bytes, chainId))).toBe(dump(tx));
    }
  });

  test("each is built from its fields alone", () => {
    for (const tx of transactions) expect(dump(buildTransaction(fieldsOf(tx)))).toBe(dump(tx));
  });

  test("the signatures of accounts without scripts are over the body", () => {
    let valid = 0;
    for (const tx of transactions) {
      const proof =
        tx.type === TransactionType.Genesis || tx.type === TransactionType.Ethereum ? undefined : tx.proofs[0];
      if (proof !== undefined && "proofs" in tx && verify(proof, tx.bodyBytes, tx.sender)) valid++;
    }
    // In private-a, 39 are Ethereum transactions, and 5 are from accounts whose scripts accept other proofs.
    expect(valid).toBe(name === "private-a" ? count - 39 - 5 : count);
  });
});

describe("JSON of chain private-a", () => {
  const recorded = transactionsOf(fixtureBytes("private-a/blocks.bin.gz")).map((each) => parseRecorded(each, 82));
  const transactions = new Map(
    [...genesisBlock(blockchain).transactions, ...recorded].map((tx) => {
      const json = transactionJson(tx);
      return [json["id"] as string, json] as const;
    }),
  );
  const responses = recordedLines<RecordedResponse>("private-a/transactions.jsonl.gz");

  test("each transaction is printed as the reference prints it, member for member", () => {
    // One was recorded with numbers as text only.
    expect(responses).toHaveLength(transactions.size - 1);
    for (const { id, response } of responses) {
      const expected = jsonText(transactionMembers(parseJson(response) as ParsedObject));
      expect(jsonText(transactions.get(id) as JsonObject)).toBe(withoutProofsOfEthereumOrders(expected));
    }
  });

  test("each type that a client may send is read from its own JSON to the same transaction", () => {
    let count = 0;
    for (const tx of recorded) {
      if (tx.type === TransactionType.Genesis || tx.type === TransactionType.Ethereum) continue;
      expect(dump(transactionFromJson(parseJson(jsonText(transactionJson(tx))), 82))).toBe(dump(tx));
      count++;
    }
    expect(count).toBe(799);
  });
});

test("type 19 is printed with the common members, then its own", () => {
  const tx = transactionsOf(fixtureBytes("finality-a/blocks.bin.gz"))
    .map((each) => parseRecorded(each, 70))
    .find((each) => each.type === TransactionType.CommitToGeneration) as Transaction;
  const json = transactionJson(tx);
  expect(Object.keys(json)).toEqual(
    (
      "type id fee feeAssetId timestamp version chainId sender senderPublicKey proofs " +
      "endorserPublicKey generationPeriodStart commitmentSignature"
    ).split(" "),
  );
  expect(transactionFromJson(parseJson(jsonText(json)), 70)).toEqual(tx);
});

test("the pool counts the transaction in its own form; an Ethereum transaction as its wallet wrote it", () => {
  for (const each of transactionsOf(fixtureBytes("private-a/blocks.bin.gz"))) {
    const tx = parseRecorded(each, 82);
    expect(transactionSizeBytes(tx)).toBe(
      tx.type === TransactionType.Ethereum ? tx.ethereumBytes.length : tx.bytes.length,
    );
  }
});

test("genesis transactions have the hash of their content, twice, as id", () => {
  const [tx] = transactionsOfBlock(fixtureBytes("finality-a/genesis.bin.gz")).map((each) => parseRecorded(each, 70));
  expect(tx).toMatchObject({ type: TransactionType.Genesis, fee: 0n });
  expect(tx?.id).toHaveLength(64);
  expect(tx?.id.subarray(0, 32)).toEqual(tx?.id.subarray(32));
  expect(buildTransaction(fieldsOf(tx as Transaction))).toEqual(tx);
});

const mainnetFile = "mainnet/blocks-2-5000.bin";
test.skipIf(sharedBytes(mainnetFile) === undefined)(
  "the transactions of the first mainnet blocks are encoded back to their bytes (skipped where the data are absent)",
  () => {
    const recorded = transactionsOf(findSharedBytes(mainnetFile) as Uint8Array);
    expect(recorded).toHaveLength(4538);
    for (const each of recorded) {
      const tx = parseRecorded(each, 87);
      expect(equalBytes(tx.bytes, each.bytes)).toBe(true);
      expect(dump(parseSignedTransaction(encodeProtobuf(tx), 87))).toBe(dump(tx));
    }
  },
);
