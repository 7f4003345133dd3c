/** Request bodies that were sent to a reference node, valid and invalid: the same errors, the same transactions. */

import { describe, expect, test } from "vitest";
import { type JsonObject, type JsonValue, jsonText } from "../../../src/protocol/json.ts";
import { JsonSyntaxError, type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { formatErrorContent, validationText } from "../../../src/protocol/transactions/format-error-content.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";

interface RecordedBroadcast {
  readonly tag: string;
  readonly body: string;
  readonly status: number;
  readonly response: string | null;
}

const chainId = 82;
/** Errors that depend on the state. */
const stateErrors = [112n, 303n, 306n, 307n, 308n];
const broadcasts = recordedLines<RecordedBroadcast>("private-a/broadcasts.jsonl.gz");

/** The API's error for the body, if its form is invalid; otherwise the transaction. */
function resultOf(body: string): { response: JsonObject } | { transaction: JsonObject } {
  try {
    return { transaction: transactionJson(transactionFromJson(parseJson(body), chainId)) };
  } catch (error) {
    if (error instanceof FormatError) {
      const { error: code, message, extra } = formatErrorContent(error.violation);
      return { response: { error: code, message, ...extra } };
    }
    if (error instanceof JsonSyntaxError) {
      return {
        response: { error: 1, message: "failed to parse json message", cause: error.cause, validationErrors: {} },
      };
    }
    throw error;
  }
}

function comparable(json: JsonValue): string {
  return jsonText(json).replace(/"proofs":\[\],("matcherFeeAssetId":[^,]*,"eip712Signature":"0x)/g, "$1");
}

/** The members of the transaction inside a larger response. */
function membersIn(response: ParsedObject, like: JsonObject): ParsedObject {
  return Object.fromEntries(Object.entries(response).filter(([name]) => name in like));
}

describe("each recorded body", () => {
  test("is refused with the recorded answer, or gives the recorded transaction", () => {
    let refused = 0;
    let accepted = 0;
    let withoutResponse = 0;
    for (const { tag, body, response } of broadcasts) {
      const expected = response === null ? undefined : (parseJson(response) as ParsedObject);
      const result = resultOf(body);
      if ("response" in result) {
        expect(comparable(result.response), tag).toBe(comparable(expected as ParsedObject));
        refused++;
        continue;
      }
      accepted++;
      const { transaction } = result;
      if (expected === undefined) {
        withoutResponse++;
        continue;
      }
      if (expected["valid"] === true) {
        expect(comparable(transaction), tag).toBe(comparable(membersIn(expected, transaction)));
      } else {
        expect(stateErrors, `${tag}: ${response}`).toContain(expected["error"]);
        if (expected["transaction"] !== undefined) {
          expect(comparable(transaction), tag).toBe(comparable(expected["transaction"]));
        }
      }
    }
    expect({ refused, accepted, withoutResponse }).toEqual({ refused: 396, accepted: 400, withoutResponse: 13 });
  });
});

describe("what no recording shows", () => {
  const transfer = {
    type: TransactionType.Transfer,
    senderPublicKey: "C7NL1ngDhtGmzrUrjuaX9AQn5XF9cmDh9XGMQNwKvWhX",
    recipient: "3MNLh31RbGPLjoc9XXNLyRK3aD9HVsQVNtv",
    amount: 1,
    fee: 100000,
  };
  const replyTo = (changes: object): JsonObject => {
    const result = resultOf(JSON.stringify({ ...transfer, ...changes }));
    if (!("response" in result)) throw new Error("accepted");
    return result.response;
  };

  test("a number past 2^53 is read exactly", () => {
    const body = JSON.stringify(transfer).replace('"amount":1', '"amount":9007199254740993');
    expect(resultOf(body)).toMatchObject({ transaction: { amount: 9_007_199_254_740_993n } });
  });

  test("a number past 64 bits or with a fraction is not a long", () => {
    for (const amount of ["9223372036854775808", "1.5", "1e30"]) {
      const body = JSON.stringify(transfer).replace('"amount":1', `"amount":${amount}`);
      expect(resultOf(body)).toMatchObject({
        response: { error: 1, validationErrors: { "obj.amount": [{ msg: ["error.expected.long"], args: [] }] } },
      });
    }
  });

  test("an integer of a data entry wraps around and loses its fraction, as in the reference", () => {
    const body = (value: string) =>
      `{"type":12,"version":2,"senderPublicKey":"${transfer.senderPublicKey}","fee":1,"timestamp":0,"proofs":[],` +
      `"data":[{"key":"a","type":"integer","value":${value}}]}`;
    for (const [value, expected] of [
      ["9223372036854775808", -9_223_372_036_854_775_808n],
      ["1.9", 1n],
      ["-1.9", -1n],
      ["1e64", 0n],
      ["1e-5", 0n],
      ["12345678901234567890.5", -6_101_065_172_474_983_726n],
    ] as const) {
      expect(resultOf(body(value))).toMatchObject({ transaction: { data: [{ value: expected }] } });
    }
  });

  test("a signature beside other proofs is refused, alone it is the proof", () => {
    expect(replyTo({ signature: "2g", proofs: ["2h"] })).toEqual({
      error: 199,
      message: "Both proofs and signature are provided, but proofs do not match signature",
    });
    expect(resultOf(JSON.stringify({ ...transfer, signature: "2g" }))).toMatchObject({
      transaction: { proofs: ["2g"] },
    });
    expect(replyTo({ signature: "1".repeat(65) })).toEqual({
      error: 405,
      message: "Too large proof (65), must be max 64 bytes",
    });
  });

  test("recipients of another chain and texts that are no recipients are refused", () => {
    expect(replyTo({ recipient: "alias:W:other" })).toEqual({
      error: 199,
      message: "Address or alias from other network",
    });
    expect(replyTo({ recipient: "alias:R" })["error"]).toBe(199);
    for (const recipient of ["", "x", "3MNLh31RbGPLjoc9XXNLyRK3aD9HVsQVNtw", "0".repeat(300)]) {
      expect(replyTo({ recipient })).toEqual({ error: 102, message: "invalid address" });
    }
  });

  test("assets: the empty text is the native token, a wrong length is a complaint", () => {
    expect(resultOf(JSON.stringify({ ...transfer, assetId: "" }))).toMatchObject({ transaction: { assetId: null } });
    expect(replyTo({ assetId: "abc" })).toMatchObject({
      validationErrors: {
        "obj.assetId": [{ msg: ["Invalid validation. Size of asset id abc not equal 32 bytes"], args: [] }],
      },
    });
    expect(replyTo({ assetId: "WAVES" })).toMatchObject({ error: 1 });
  });

  test("types without a JSON form are refused as such", () => {
    for (const type of [TransactionType.Genesis, TransactionType.Payment, TransactionType.Ethereum]) {
      expect(replyTo({ type })).toEqual({ error: 312, message: "transaction type not supported" });
    }
    expect(replyTo({ type: 99, version: 3 })).toEqual({
      error: 199,
      message: "Bad transaction type (99) and version (3)",
    });
  });

  test("the size of an Ethereum signature is told one way by broadcast, another way by validation", () => {
    const violation = { code: "orderSignatureSizeWrong", sizeBytes: 2 } as const;
    expect(formatErrorContent(violation).message).toBe("Unexpected signature length: 2");
    expect(validationText(violation)).toBe("Order validation error: eip712Signature should be of length 65 or 129");
    expect(validationText({ code: "malformed", message: "x" })).toBe("x");
  });
});
