/** Stored records of calls: bytes and back, and as JSON. */
import { describe, expect, it } from "vitest";
import { addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import { type CallRecord, encodeCallRecord, parseCallRecord } from "../../../src/ride/results/call-record.ts";
import { type CallResult, emptyCallResult, issuesOf, joinCallResults } from "../../../src/ride/results/call-result.ts";
import { callResultJson, leaseIdsOf } from "../../../src/ride/results/call-result-json.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { BigInteger, List, Structure, unit } from "../../../src/ride/values/value.ts";

const chainId = 82;
const account = (byte: number): Address => addressOfPublicKeyHash(new Uint8Array(20).fill(byte), chainId);
const id = (byte: number) => new Uint8Array(32).fill(byte) as AssetId;

const inner: CallResult = {
  ...emptyCallResult,
  data: [{ key: "gone", value: null }],
  leaseCancels: [{ leaseId: id(9) }],
};
const result: CallResult = {
  data: [{ key: "k", value: { type: "binary", value: Uint8Array.of(1, 2) } }],
  transfers: [{ address: account(1), asset: id(2), amount: 7n }],
  issues: [
    { assetId: id(3), name: "token", description: "", quantity: 5n, decimals: 2, isReissuable: true, nonce: 1n },
  ],
  reissues: [{ assetId: id(3), quantity: 6n, isReissuable: false }],
  burns: [{ assetId: id(3), quantity: 0n }],
  sponsorFees: [{ assetId: id(3), minSponsoredAssetFee: undefined }],
  leases: [
    { leaseId: id(4), recipient: { kind: "alias", alias: { chainId, name: "some.one" } }, amount: 8n, nonce: 0n },
  ],
  leaseCancels: [],
  invokes: [
    {
      dApp: account(5),
      function: "inner",
      args: [
        1n,
        true,
        new Text("t"),
        new List([Uint8Array.of(9)]),
        new Structure("Address", new Map([["bytes", id(1)]])),
      ],
      payments: [{ asset: null, amount: 3n }],
      result: inner,
    },
  ],
  error: undefined,
};

describe("records of calls", () => {
  it("have this chain's address with the same key instead of another chain's", () => {
    const address = addressOfPublicKeyHash(new Uint8Array(20).fill(1), "W".charCodeAt(0));
    const record = {
      result: { ...result, transfers: [{ address, asset: null, amount: 7n }] },
      ethereumCall: undefined,
    };
    expect(parseCallRecord(encodeCallRecord(record), chainId)?.result.transfers[0]?.address).toEqual(account(1));
  });

  it("are read as they were written", () => {
    const record: CallRecord = {
      result,
      ethereumCall: {
        call: { function: "f", args: [{ type: "integer", value: 1n }] },
        payments: [{ asset: id(2), amount: 4n }],
      },
    };
    expect(parseCallRecord(encodeCallRecord(record), chainId)).toEqual(record);
    expect(parseCallRecord(encodeCallRecord({ result: inner }), chainId)).toEqual({ result: inner });
  });

  it("a BigInt argument is stored as empty, as in the reference", () => {
    const [invoke] = result.invokes;
    const withBigInt = { ...result, invokes: [{ ...invoke, args: [new BigInteger(5n)] }] } as CallResult;
    expect(parseCallRecord(encodeCallRecord({ result: withBigInt }), chainId).result.invokes[0]?.args).toEqual([unit]);
  });

  it("errors are stored with their code", () => {
    const failed = { ...emptyCallResult, error: { code: 2, text: "Fee" } };
    expect(parseCallRecord(encodeCallRecord({ result: failed }), chainId)).toEqual({ result: failed });
  });
});

describe("JSON of call results", () => {
  it("has every list, and an error only where there is one", () => {
    expect(Object.keys(callResultJson(emptyCallResult))).toEqual(
      "data transfers issues reissues burns sponsorFees leases leaseCancels invokes".split(" "),
    );
    expect(callResultJson({ ...emptyCallResult, error: { code: 1, text: "boom" } })["error"]).toEqual({
      code: 1,
      text: "boom",
    });
  });

  it("shows arguments of nested calls with their types", () => {
    const json = JSON.stringify(callResultJson(result), (_, value) =>
      typeof value === "bigint" ? Number(value) : value,
    );
    expect(json).toContain(
      '"args":[{"type":"Int","value":1},{"type":"Boolean","value":true},{"type":"String","value":"t"}',
    );
    expect(json).toContain('"payment":[{"assetId":null,"amount":3}]');
    expect(json).toContain('"sponsorFees":[{"assetId":"');
  });

  it("lists of accounts have issues in another order", () => {
    const keys = (isListed: boolean) => {
      const [issue] = callResultJson(result, { isListed })["issues"] as readonly object[];
      return Object.keys(issue ?? {});
    };
    expect(keys(false)).toEqual(
      "assetId name description quantity decimals isReissuable compiledScript nonce".split(" "),
    );
    expect(keys(true)).toEqual("assetId decimals description isReissuable name quantity nonce".split(" "));
  });
});

it("leases and issues of nested calls are found", () => {
  expect(leaseIdsOf(result)).toEqual([id(4), id(9)]);
  const outer = { ...emptyCallResult, invokes: [{ ...result.invokes[0], result }] } as CallResult;
  expect(issuesOf(outer)).toEqual(result.issues);
});

it("combined results keep the first error", () => {
  const combined = joinCallResults(
    { ...inner, error: { code: 1, text: "a" } },
    { ...result, error: { code: 2, text: "b" } },
  );
  expect(combined.error).toEqual({ code: 1, text: "a" });
  expect(combined.data).toEqual([...inner.data, ...result.data]);
});
