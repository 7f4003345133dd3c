import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { snapshotRecordSizes } from "../../../src/protocol/blocks/block-file.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import { encodeBlockSnapshot, parseBlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import { bigIntBytes, bigIntOfBytes } from "../../../src/protocol/snapshots/big-int-bytes.ts";
import { encodeSnapshotRecord, parseSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import {
  encodeTransactionSnapshot,
  parseTransactionSnapshot,
} from "../../../src/protocol/snapshots/transaction-snapshot.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { fixtureBytes, recordsOf } from "../../support/fixtures/recorded-blocks.ts";

const context = { transactionId: new Uint8Array(32) as Uint8Array as TransactionId, chainId: "R".charCodeAt(0) };
const records = recordsOf(fixtureBytes("private-a/snapshots.bin.gz"), snapshotRecordSizes);
const snapshots = records.flatMap(parseSnapshotRecord);

describe("snapshots of transactions", () => {
  test("the recorded ones are there", () => {
    expect(records).toHaveLength(104);
    expect(snapshots).toHaveLength(838);
  });

  test("each recorded snapshot is encoded to the bytes that it was read from", () => {
    for (const bytes of snapshots) {
      expect(equalBytes(encodeTransactionSnapshot(parseTransactionSnapshot(bytes, context)), bytes)).toBe(true);
    }
  });

  test("each recorded block's record is encoded to the bytes that it was read from", () => {
    for (const record of records) {
      expect(equalBytes(encodeSnapshotRecord(parseSnapshotRecord(record)), record)).toBe(true);
    }
  });

  test("addresses of other chains have balances and leases", () => {
    const address = addressOfPublicKeyHash(new Uint8Array(20).fill(1), "W".charCodeAt(0));
    const snapshot = {
      balances: [{ address, asset: null, balance: 7n }],
      leaseBalances: [{ address, in: 7n, out: 0n }],
    };
    const bytes = encodeTransactionSnapshot({ snapshot, status: "succeeded" });
    expect(parseTransactionSnapshot(bytes, context).snapshot).toEqual(snapshot);
  });

  test("a status that the schema does not name is that of an elided transaction", () => {
    const below = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
    for (const status of [[2], [3], [7], below]) {
      expect(parseTransactionSnapshot(Uint8Array.of(0x70, ...status), context).status).toBe("elided");
    }
  });

  test("damaged bytes throw nothing but WireError", () => {
    const damaged = fc
      .tuple(fc.constantFrom(...snapshots), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }))
      .map(([bytes, changes]) => {
        const copy = bytes.slice();
        for (const [position, value] of changes) copy[position % copy.length] = value;
        return copy;
      });
    fc.assert(
      fc.property(damaged, (bytes) => {
        try {
          parseTransactionSnapshot(bytes, context);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe("snapshots of blocks", () => {
  test("the message keeps the id and the snapshots", () => {
    const message = {
      blockId: new Uint8Array(32).fill(7) as never,
      snapshots: [snapshots[0] as Uint8Array, new Uint8Array(0)],
    };
    expect(parseBlockSnapshot(encodeBlockSnapshot(message))).toEqual(message);
  });

  test("an id of another size is refused", () => {
    expect(() => parseBlockSnapshot(Uint8Array.of(0x0a, 1, 7))).toThrow(WireError);
  });
});

describe("volumes", () => {
  test.each([
    [0n, "00"],
    [127n, "7f"],
    [128n, "0080"],
    [255n, "00ff"],
    [256n, "0100"],
    [-1n, "ff"],
    [-129n, "ff7f"],
    [9_223_372_036_854_775_807n * 10n, "04fffffffffffffff6"],
  ])("%s is %s", (number, hex) => {
    expect(Buffer.from(bigIntBytes(number)).toString("hex")).toBe(hex);
    expect(bigIntOfBytes(bigIntBytes(number))).toBe(number);
  });
});
