/** Records of calls in the tables. */
import { describe, expect, it } from "vitest";
import { storedCallRecord } from "../../../../../durable/chain-state/chain/rows/block-rows.ts";
import { addressOfPublicKeyHash } from "../../../../../src/crypto/address.ts";
import { isOmittedCallRecord, parseCallRecord } from "../../../../../src/ride/results/call-record.ts";
import { emptyCallResult } from "../../../../../src/ride/results/call-result.ts";
import { Text } from "../../../../../src/ride/values/text.ts";
import { List } from "../../../../../src/ride/values/value.ts";

const callWith = (texts: number) => ({
  result: {
    ...emptyCallResult,
    invokes: [
      {
        dApp: addressOfPublicKeyHash(new Uint8Array(20), 82),
        function: "f",
        args: [new List(new Array(texts).fill(new Text("x".repeat(32_000))))],
        payments: [],
        result: emptyCallResult,
      },
    ],
  },
});

describe("the record of a call", () => {
  it("is stored with the transaction", () => {
    const record = callWith(3);
    expect(parseCallRecord(storedCallRecord(record), 82)).toEqual(record);
  });

  it("is not stored when it is too large for a row: a script can repeat an argument at little cost", () => {
    expect(isOmittedCallRecord(storedCallRecord(callWith(40)))).toBe(true);
    expect(isOmittedCallRecord(storedCallRecord(callWith(3)))).toBe(false);
    expect(isOmittedCallRecord(storedCallRecord({ result: emptyCallResult }))).toBe(false);
  });
});
