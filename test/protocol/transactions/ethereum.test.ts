import { describe, expect, test } from "vitest";
import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { readHex } from "../../../src/crypto/hex.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { ethereumPayload, parseEthereumTransaction } from "../../../src/protocol/transactions/ethereum.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { formatErrorContent } from "../../../src/protocol/transactions/format-error-content.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import { decodeRlp, encodeRlpList, rlpInteger } from "../../../src/protocol/transactions/rlp.ts";
import type { EthereumTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { ownRecords } from "../../../src/protocol/transactions/transaction-source.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { fixtureBytes } from "../../support/fixtures/recorded-blocks.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";
import { transactionsOf } from "../../support/fixtures/recorded-transactions.ts";

const chainId = 82;
const recorded = transactionsOf(fixtureBytes("private-a/blocks.bin.gz"))
  .filter(({ blockVersion }) => blockVersion === BlockVersion.Protobuf)
  .map(({ bytes }) => parseSignedTransaction(bytes, chainId))
  .filter((tx): tx is EthereumTransaction => tx.type === TransactionType.Ethereum);
const sample = recorded[0] as EthereumTransaction;

test("raw transactions are refused with the reference's answer, or read to the transaction that it shows", () => {
  const requests = recordedLines<{ tag: string; raw: string; response: string }>(
    "private-a/ethereum-requests.jsonl.gz",
  );
  expect(requests).toHaveLength(8);
  let refused = 0;
  for (const { tag, raw, response } of requests) {
    const { result } = parseJson(response) as { result: ParsedObject };
    const bytes = readHex(raw);
    try {
      const tx = parseEthereumTransaction(bytes, chainId);
      expect(jsonText(transactionJson(tx)), tag).toBe(jsonText(result["transaction"] as ParsedObject));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      const { error: code, message } = formatErrorContent(error.violation);
      expect({ code: BigInt(code), message }, tag).toEqual({ code: result["error"], message: result["message"] });
      refused++;
    }
  }
  expect(refused).toBe(3);
});

test("the payload tells transfers from invocations, with the amounts and recipients that the reference shows", () => {
  const responses = new Map(
    recordedLines<{ id: string; response: string }>("private-a/transactions.jsonl.gz").map(({ id, response }) => [
      id,
      response,
    ]),
  );
  const kinds = { transfer: 0, token: 0, invocation: 0 };
  for (const tx of recorded) {
    const response = parseJson(responses.get(encodeBase58(tx.id)) as string) as { payload: ParsedObject };
    const payload = ethereumPayload(tx);
    expect(payload.kind).toBe(response.payload["type"]);
    if (payload.kind === "invocation") {
      kinds.invocation++;
      expect(addressText(payload.dApp)).toBe(response.payload["dApp"]);
      continue;
    }
    kinds[payload.token === null ? "transfer" : "token"]++;
    expect(addressText(payload.recipient)).toBe(response.payload["recipient"]);
    expect(payload.amount).toBe(response.payload["amount"]);
    expect(payload.token === null).toBe(response.payload["asset"] === null);
  }
  expect(kinds).toEqual({ transfer: 30, token: 2, invocation: 7 });
});

describe("bytes that no wallet writes are refused", () => {
  const change = (edit: (bytes: number[]) => void): Uint8Array => {
    const bytes = [...sample.ethereumBytes];
    edit(bytes);
    return Uint8Array.from(bytes);
  };

  test("missing bytes", () => {
    expect(() =>
      parseEthereumTransaction(
        change((bytes) => bytes.pop()),
        chainId,
      ),
    ).toThrow(WireError);
    expect(() => parseEthereumTransaction(new Uint8Array(0), chainId)).toThrow(WireError);
  });

  test.each([1, 2])("a typed transaction (EIP-2930, EIP-1559): %i", (type) => {
    expect(() => parseEthereumTransaction(Uint8Array.of(type, ...sample.ethereumBytes), chainId)).toThrow(WireError);
  });

  test("a transaction that some networks call private, whose last number has ten bytes", () => {
    const parts = partsOf(sample.ethereumBytes);
    const withLast = (last: Uint8Array) => encodeRlpList([...parts.slice(0, 8), last]);
    expect(() => parseEthereumTransaction(withLast(new Uint8Array(10).fill(7)), chainId)).toThrow(WireError);
    expect(() => parseEthereumTransaction(withLast(new Uint8Array(11).fill(7)), chainId)).not.toThrow();
  });

  // The reference accepts blocks with them, stores them in this form, and continues.
  test("except one whose shortest form is private: only its record is", () => {
    const parts = partsOf(sample.ethereumBytes);
    const last = new Uint8Array(10).fill(7);
    const longer = encodeRlpList([...parts.slice(0, 8), Uint8Array.of(0, ...last)]);
    const further = encodeRlpList([...parts.slice(0, 8), last, Uint8Array.of(1)]);
    const transaction = parseEthereumTransaction(longer, chainId);
    expect(parseEthereumTransaction(further, chainId)).toEqual(transaction);
    expect(parseSignedTransaction(transaction.bytes, chainId)).toEqual(transaction);
    expect(() => parseEthereumTransaction(transaction.ethereumBytes, chainId)).toThrow(WireError);
    const fromOutside = { ...ownRecords, isRecord: false };
    expect(() => parseSignedTransaction(transaction.bytes, chainId, fromOutside)).toThrow(WireError);
  });

  test("a list in place of a part", () => {
    const bytes = encodeRlpList(partsOf(sample.ethereumBytes));
    // The recipient's 20 bytes, with the prefix of a list.
    const at = bytes.indexOf(0x94);
    expect(() => parseEthereumTransaction(bytes.with(at, 0xd4), chainId)).toThrow(WireError);
  });

  /** The reference's error text for the bytes; undefined for valid ones. */
  const refusalOf = (parts: readonly Uint8Array[]): string | undefined => {
    try {
      parseEthereumTransaction(encodeRlpList(parts), chainId);
      throw new Error("it is taken");
    } catch (error) {
      if (error instanceof WireError) return undefined;
      if (error instanceof FormatError) return formatErrorContent(error.violation).message;
      throw error;
    }
  };
  const parts = partsOf(sample.ethereumBytes);
  const noPoint = new Uint8Array(32).fill(0);
  noPoint[31] = 5;

  test.each([
    ["is past the field", parts.with(7, new Uint8Array(32).fill(0xff)), "Could not recover public key from signature"],
    ["is on no point", parts.with(7, noPoint), "Invalid point compression"],
    ["is of a chain of more than a byte", parts.with(6, Uint8Array.of(3, 232)), "recId must be in the range of [0, 3]"],
    ["has no v, which is not looked at", parts.with(6, new Uint8Array(0)), "recId must be in the range of [0, 3]"],
    [
      "is of the time before chains had numbers",
      parts.with(6, Uint8Array.of(28)),
      "Legacy transactions are not supported",
    ],
    ["has 0 for v", parts.with(6, Uint8Array.of(0)), "Legacy transactions are not supported"],
  ])("a signature that %s", (_, changed, message) => {
    expect(refusalOf(changed)).toBe(message);
  });

  test.each([
    ["a value of more than 64 bits of wavelets", parts.with(4, rlpInteger(2n ** 63n * 10n ** 10n))],
    ["a limit of gas of more than 63 bits", parts.with(2, rlpInteger(2n ** 63n))],
    ["a nonce of more than 63 bits", parts.with(0, rlpInteger(2n ** 63n))],
    ["a recipient of 19 bytes", parts.with(3, new Uint8Array(19))],
    ["a transfer that breaks off", parts.with(5, Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb, 0)).with(4, new Uint8Array(0))],
    [
      "a transfer of more than 63 bits, whatever else is wrong",
      parts
        .with(5, Uint8Array.from([0xa9, 0x05, 0x9c, 0xbb, ...new Uint8Array(64).fill(0xff)]))
        .with(1, Uint8Array.of(1)),
    ],
  ])("%s cannot be read, as by the reference", (_, changed) => {
    expect(refusalOf(changed)).toBeUndefined();
  });
});

describe("bytes that mean the same have the id of their shortest form", () => {
  const parts = partsOf(sample.ethereumBytes);
  const withZeros = (index: number) => parts.with(index, Uint8Array.of(0, 0, ...(parts[index] as Uint8Array)));
  test.each([
    ["an item behind the list", Uint8Array.of(...sample.ethereumBytes, 0x80)],
    ["a further part", encodeRlpList([...parts, Uint8Array.of(1, 2, 3)])],
    ["a limit of gas with leading zeros", encodeRlpList(withZeros(2))],
    ["a signature with leading zeros", encodeRlpList(withZeros(7))],
    ["a v with leading zeros", encodeRlpList(withZeros(6))],
    ["a size in more bytes than it needs", withLongSize(encodeRlpList(parts))],
  ])("%s", (_, bytes) => {
    expect(bytes).not.toEqual(sample.ethereumBytes);
    expect(parseEthereumTransaction(bytes, chainId)).toEqual(sample);
  });

  test("a v of which the chain counts the last eight bytes only is kept whole", () => {
    const bytes = encodeRlpList(parts.with(6, Uint8Array.of(1, ...new Uint8Array(7), ...(parts[6] as Uint8Array))));
    const tx = parseEthereumTransaction(bytes, chainId);
    expect(tx.sender).toEqual(sample.sender);
    expect(tx.ethereumBytes).toEqual(bytes);
    expect(tx.id).not.toEqual(sample.id);
  });
});

function partsOf(bytes: Uint8Array): readonly Uint8Array[] {
  return decodeRlp(bytes)[0] as readonly Uint8Array[];
}

/** The list's size in three bytes instead of one. */
function withLongSize(bytes: Uint8Array): Uint8Array {
  const content = encodeRlpList(partsOf(bytes)).subarray(bytes[0] === 0xf8 ? 2 : 3);
  return Uint8Array.of(0xfa, 0, content.length >> 8, content.length & 0xff, ...content);
}

test("a changed value gives another sender", () => {
  const bytes = sample.ethereumBytes.slice();
  const at = bytes.length - 40;
  bytes[at] = (bytes[at] as number) ^ 1;
  expect(addressText(parseEthereumTransaction(bytes, chainId).sender)).not.toBe(addressText(sample.sender));
});
