/** @see Waves: transaction/validation/impl/DataTxValidator.scala; waves/transaction.proto (DataTransactionData) */
import { describe, expect, it } from "vitest";
import { Feature } from "../../../../src/network/features.ts";
import type { DataEntry, DataValue } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { checkDataSize, dataPayloadBytes, payloadBytes } from "../../../../src/rules/transactions/checks/data-size.ts";
import { sample, violationOf } from "../../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../../support/fakes/in-memory-state.ts";

const entry = (key: string, value: DataValue): DataEntry => ({ key, value });
const integer = (value: bigint): DataValue => ({ type: "integer", value });
const text = (value: string): DataValue => ({ type: "string", value });
const binary = (size: number): DataValue => ({ type: "binary", value: new Uint8Array(size) });
const early = new InMemoryState({ features: new Map([[Feature.BlockV5, 0]]) });

describe("keys and values alone", () => {
  it("are counted as bytes: 8 for a number, 1 for a boolean, none for a deletion", () => {
    expect(payloadBytes([])).toBe(0);
    expect(payloadBytes([entry("äb", integer(1n))])).toBe(3 + 8);
    expect(payloadBytes([entry("k", { type: "boolean", value: false }), entry("k2", null)])).toBe(1 + 1 + 2);
    expect(payloadBytes([entry("k", binary(7)), entry("", text("äöü"))])).toBe(1 + 7 + 6);
  });
});

describe("the message in protobuf", () => {
  /** Size of an entry without one byte for the tag and those of the length. */
  const entryBytes = (key: string, value: DataValue): number => {
    const size = dataPayloadBytes(sample(TransactionType.Data, { version: 2, data: [entry(key, value)] }), early);
    return size - 1 - (size - 2 < 128 ? 1 : 2);
  };

  it("has tag, length and content of each key, and none for an empty one", () => {
    expect([entryBytes("", null), entryBytes("k", null), entryBytes("ä", null)]).toEqual([0, 3, 4]);
  });

  it("has numbers as varints, those below zero in ten bytes", () => {
    const sizes = [0n, 1n, 127n, 128n, 16_383n, 16_384n, 2n ** 63n - 1n, -1n].map((value) =>
      entryBytes("", integer(value)),
    );
    expect(sizes).toEqual([2, 2, 2, 3, 3, 4, 10, 11]);
  });

  it("has a boolean in two bytes, text and bytes with tag and length", () => {
    expect(entryBytes("", { type: "boolean", value: true })).toBe(2);
    expect([0, 1, 127, 128].map((size) => entryBytes("", binary(size)))).toEqual([2, 3, 129, 131]);
    expect([entryBytes("", text("ab")), entryBytes("", text("ä")), entryBytes("k", text(""))]).toEqual([4, 4, 5]);
  });

  it("has all entries, each with tag and length", () => {
    const data = [entry("a", integer(1n)), entry("b", null), entry("c", binary(200))];
    expect(dataPayloadBytes(sample(TransactionType.Data, { version: 2, data }), early)).toBe(
      1 + 1 + 5 + (1 + 1 + 3) + (1 + 2 + 3 + 3 + 200),
    );
  });
});

describe("a data transaction before feature 17", () => {
  it("has keys of at most 400 bytes in version 2", () => {
    const keyed = (key: string) => sample(TransactionType.Data, { version: 2, data: [entry(key, integer(1n))] });
    expect(() => checkDataSize(keyed("ä".repeat(200)), early)).not.toThrow();
    expect(violationOf(() => checkDataSize(keyed("k".repeat(401)), early))).toEqual({
      code: "tooBig",
      what: "data key",
      sizeBytes: 401,
      limit: 400,
    });
  });

  it("may exceed a protobuf message in a future version, and not in version 2", () => {
    const data = Array.from({ length: 6 }, (_, index) => entry(`k${index}`, binary(32_767)));
    const ofVersion = (version: number) => sample(TransactionType.Data, { version, data });
    expect(violationOf(() => checkDataSize(ofVersion(2), early))).toMatchObject({
      what: "data message",
      limit: 165_890,
    });
    expect(() => checkDataSize(ofVersion(3), early)).not.toThrow();
  });

  it("reports the key that is too long in version 1", () => {
    const data = [entry("k", null), entry("k".repeat(101), null)];
    expect(violationOf(() => checkDataSize(sample(TransactionType.Data, { data }), early))).toEqual({
      code: "tooBig",
      what: "data key",
      sizeBytes: 101,
      limit: 100,
    });
  });
});
