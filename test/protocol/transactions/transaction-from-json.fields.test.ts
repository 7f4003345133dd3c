/**
 * Members of requests: those that a type requires, optional ones, and valid values. `checks.test.ts` tests the rules of
 * form for those values.
 * @source docs/protocol/rest-api.md 1.5, 3.4 to 3.6; Waves: api/http/requests/**, OrderJson.scala
 */

import { describe, expect, it, test } from "vitest";
import { jsonText } from "../../../src/protocol/json.ts";
import { type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { formatErrorContent } from "../../../src/protocol/transactions/format-error-content.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";

const chainId = 82;
const key = "C7NL1ngDhtGmzrUrjuaX9AQn5XF9cmDh9XGMQNwKvWhX";
const address = "3MNLh31RbGPLjoc9XXNLyRK3aD9HVsQVNtv";
const asset = "Ak84NhnPCKZrA8ZHURj39soXJYQE9styUYyzLYYQ9GrF";
const proof = "2sJrZW6acC1mLMx3NE4eB2hPX3buxBo5hhYKHjq7G5XhT3KDLXD3ZetyraJm65N2RepVmTn9Kds5aWVwhHVpzn4n";
const script = "base64:AQa3b8tH";
const timestamp = 1_700_000_000_000;
const common = { senderPublicKey: key, fee: 1_000_000, timestamp, proofs: [proof] };

type Body = Readonly<Record<string, unknown>>;
const order = (orderType: "buy" | "sell", version = 3): Body => ({
  version,
  orderType,
  senderPublicKey: key,
  matcherPublicKey: key,
  assetPair: { amountAsset: asset, priceAsset: null },
  amount: 1,
  price: 1,
  timestamp,
  expiration: timestamp + 1000,
  matcherFee: 1,
  proofs: [proof],
});

/** Complete request of each type, and the members it requires in addition to those of every type. */
const requests: Readonly<Record<number, { readonly body: Body; readonly needs: readonly string[] }>> = {
  [TransactionType.Issue]: {
    body: { name: "name", description: "", quantity: 1, decimals: 0, reissuable: true, script: null },
    needs: ["name", "description", "quantity", "decimals", "reissuable"],
  },
  [TransactionType.Transfer]: {
    body: { recipient: address, assetId: null, amount: 1, feeAssetId: null, attachment: "" },
    needs: ["recipient", "amount"],
  },
  [TransactionType.Reissue]: {
    body: { assetId: asset, quantity: 1, reissuable: true },
    needs: ["assetId", "quantity", "reissuable"],
  },
  [TransactionType.Burn]: { body: { assetId: asset, amount: 1 }, needs: ["assetId"] },
  [TransactionType.Exchange]: {
    body: {
      ...{ version: 3, order1: order("buy"), order2: order("sell") },
      ...{ amount: 1, price: 1, buyMatcherFee: 0, sellMatcherFee: 0 },
    },
    needs: ["order1", "order2", "amount", "price", "buyMatcherFee", "sellMatcherFee"],
  },
  [TransactionType.Lease]: { body: { recipient: address, amount: 1 }, needs: ["recipient", "amount"] },
  [TransactionType.LeaseCancel]: { body: { leaseId: asset }, needs: [] },
  [TransactionType.CreateAlias]: { body: { alias: "name" }, needs: ["alias"] },
  [TransactionType.MassTransfer]: {
    body: { assetId: null, transfers: [{ recipient: address, amount: 1 }], attachment: "" },
    needs: ["transfers"],
  },
  [TransactionType.Data]: { body: { version: 1, data: [] }, needs: ["version", "data"] },
  [TransactionType.SetScript]: { body: { script: null }, needs: [] },
  [TransactionType.SponsorFee]: { body: { assetId: asset, minSponsoredAssetFee: 1 }, needs: ["assetId"] },
  [TransactionType.SetAssetScript]: { body: { assetId: asset, script }, needs: ["assetId"] },
  [TransactionType.InvokeScript]: {
    body: { dApp: address, call: null, payment: [], feeAssetId: null },
    needs: ["dApp"],
  },
  [TransactionType.UpdateAssetInfo]: {
    body: { version: 1, chainId, assetId: asset, name: "name", description: "", feeAssetId: null },
    needs: ["version", "chainId", "assetId", "name", "description"],
  },
  [TransactionType.CommitToGeneration]: {
    body: {
      generationPeriodStart: 1,
      endorserPublicKey: "1".repeat(48),
      commitmentSignature: "1".repeat(96),
    },
    needs: ["generationPeriodStart", "endorserPublicKey", "commitmentSignature"],
  },
};
const types = Object.keys(requests).map(Number);
/** For types with two names of a value: at least one is required. */
const alternatives = ["amount", "leaseId"];
const optionalMembers = types.flatMap((type) => {
  const { body, needs } = requests[type] as (typeof requests)[number];
  const optional = Object.keys(body).filter((name) => !needs.includes(name) && !alternatives.includes(name));
  return optional.map((name) => [type, name] as const);
});
const lenientTypes: readonly number[] = [
  TransactionType.Issue,
  TransactionType.Transfer,
  TransactionType.Reissue,
  TransactionType.Burn,
  TransactionType.Exchange,
  TransactionType.Lease,
  TransactionType.LeaseCancel,
  TransactionType.CreateAlias,
];
const bodyOf = (type: number): Body => ({ type, ...common, ...requests[type]?.body });
const without = (body: Body, name: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([other]) => other !== name));

/** The transaction as the REST API prints it, or the error response. Bodies in text keep their numbers. */
function resultOf(body: Body | string): ParsedObject {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  try {
    return parseJson(jsonText(transactionJson(transactionFromJson(parseJson(text), chainId)))) as ParsedObject;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const { error: code, message, extra } = formatErrorContent(error.violation);
    return parseJson(jsonText({ error: code, message, ...extra })) as ParsedObject;
  }
}
const complaint = (path: string, message: string, ...args: readonly string[]) => ({
  error: 1n,
  validationErrors: { [path]: [{ msg: [message], args }] },
});
const custom = (message: string) => ({ error: 199n, message });

describe("members that every request has (spec 3.4)", () => {
  it.each(types)("a whole request of type %i is read", (type) => {
    expect(resultOf(bodyOf(type))).toMatchObject({ type: BigInt(type), senderPublicKey: key });
  });

  it.each(types)("of type %i: each that is needed is missed by its path, all of them at once", (type) => {
    for (const name of requests[type]?.needs ?? []) {
      expect(resultOf(without(bodyOf(type), name)), name).toMatchObject(complaint(`obj.${name}`, "error.path.missing"));
    }
    const { validationErrors } = resultOf({ type }) as { readonly validationErrors?: ParsedObject };
    const needs = requests[type]?.needs ?? [];
    expect(Object.keys(validationErrors ?? {})).toEqual(expect.arrayContaining(needs.map((name) => `obj.${name}`)));
  });

  it.each(optionalMembers)("of type %i: %s may be left out, or is null", (type, name) => {
    const leftOut = resultOf(without(bodyOf(type), name));
    // Other rules may still refuse the value: an invalid asset script, say.
    expect(leftOut).not.toHaveProperty("validationErrors");
    expect(resultOf({ ...bodyOf(type), [name]: null })).toEqual(leftOut);
  });

  it.each(lenientTypes)("type %i misses the key only later, and takes 0 for the timestamp", (type) => {
    expect(resultOf(without(bodyOf(type), "senderPublicKey"))).toMatchObject(custom("invalid.senderPublicKey"));
    if (type !== TransactionType.Exchange)
      expect(resultOf(without(bodyOf(type), "timestamp"))).toMatchObject({ timestamp: 0n });
  });

  it.each(types.filter((type) => !lenientTypes.includes(type) && type !== TransactionType.CommitToGeneration))(
    "type %i needs key, fee, timestamp and proofs",
    (type) => {
      for (const name of Object.keys(common)) {
        expect(resultOf(without(bodyOf(type), name)), name).toMatchObject(
          complaint(`obj.${name}`, "error.path.missing"),
        );
      }
    },
  );

  it("the fee is required, except for exchange and alias, where it defaults to 0 and is too low", () => {
    expect(resultOf(without(bodyOf(TransactionType.Transfer), "fee"))).toMatchObject(
      complaint("obj.fee", "error.path.missing"),
    );
    for (const type of [TransactionType.Exchange, TransactionType.CreateAlias]) {
      expect(resultOf(without(bodyOf(type), "fee"))).toMatchObject({ error: 112n, message: "insufficient fee" });
    }
  });

  it("a commitment requires only the key: it defaults to the minimum fee, the time 0 and no signature", () => {
    const complete = bodyOf(TransactionType.CommitToGeneration);
    for (const [name, left] of [
      ["fee", { fee: 10_000_000n }],
      ["timestamp", { timestamp: 0n }],
      ["proofs", { proofs: [] }],
      ["senderPublicKey", complaint("obj.senderPublicKey", "error.path.missing")],
    ] as const)
      expect(resultOf(without(complete, name)), name).toMatchObject(left);
  });

  it("the version is 1 where it is left out, of an issue 3, of a call 2", () => {
    const versions: Readonly<Record<number, bigint>> = {
      [TransactionType.Issue]: 3n,
      [TransactionType.InvokeScript]: 2n,
    };
    for (const type of [
      TransactionType.Issue,
      TransactionType.Transfer,
      TransactionType.Reissue,
      TransactionType.Burn,
      TransactionType.Lease,
      TransactionType.LeaseCancel,
      TransactionType.CreateAlias,
      TransactionType.MassTransfer,
      TransactionType.SetScript,
      TransactionType.SponsorFee,
      TransactionType.SetAssetScript,
      TransactionType.InvokeScript,
    ]) {
      expect(resultOf(bodyOf(type)), String(type)).toMatchObject({ version: versions[type] ?? 1n });
    }
  });

  it("a version that does not exist is not refused here", () => {
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), version: 77 })).toMatchObject({ version: 77n });
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), version: 128 })).toMatchObject(
      complaint("obj.version", "error.expected.byte"),
    );
  });

  it("a chain id must be the network's; what is no byte is passed over", () => {
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), chainId: 87 })).toMatchObject({
      error: 404n,
      message: "Wrong chain-id. Expected - 82, provided - 87",
    });
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), chainId: 82 })).toMatchObject({ type: 4n });
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), chainId: "R" })).toMatchObject({ type: 4n });
  });

  it("id, sender and other members are not read", () => {
    const extra = { id: "x", sender: "y", feeAsset: 5, height: -1, constructor: 1 };
    const special = JSON.parse('{"__proto__":{"amount":9},"toString":1}') as Body;
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), ...special })).toEqual(
      resultOf(bodyOf(TransactionType.Transfer)),
    );
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), ...extra })).toEqual(
      resultOf(bodyOf(TransactionType.Transfer)),
    );
  });

  it("types without a request are refused as such, others by number and version", () => {
    for (const type of [TransactionType.Genesis, TransactionType.Payment, TransactionType.Ethereum])
      expect(resultOf({ type })).toMatchObject({ error: 312n });
    expect(resultOf({ type: 0 })).toMatchObject(custom("Bad transaction type (0) and version (1)"));
    expect(resultOf({ type: 99, version: "7" })).toMatchObject(custom("Bad transaction type (99) and version (7)"));
  });

  it("the type itself must be there, and a byte", () => {
    expect(resultOf("[]")).toMatchObject(complaint("obj", "[] is not an object"));
    expect(resultOf({ a: 1, b: 2 })).toMatchObject(
      complaint("obj", "'type' is undefined on object. Available keys are 'a', 'b'"),
    );
    expect(resultOf({ type: "4" })).toMatchObject(complaint("obj", "error.expected.jsnumber"));
    expect(resultOf({ type: 300 })).toMatchObject(complaint("obj", "error.expected.byte"));
  });
});

describe("proofs and signatures (spec 3.4)", () => {
  const other = "5tpZqBK3mD4sTsETsYxMxnRwNHLH2HZSoaquUbgeFNbe4VqoHVRvN71K3nkSjT7vdqDvGRDN9d2tVPKV3bweSwiq";

  it.each(types)("of type %i: null is none; nine are too many; 65 bytes are too large", (type) => {
    expect(resultOf({ ...bodyOf(type), proofs: null })).toMatchObject({ proofs: [] });
    expect(resultOf({ ...bodyOf(type), proofs: Array(9).fill(proof) })).toMatchObject(
      complaint("obj.proofs", "invalid.proofs", "Too many proofs (9), only 8 allowed"),
    );
    expect(resultOf({ ...bodyOf(type), proofs: [`1${"z".repeat(88)}`] })).toMatchObject(
      complaint("obj.proofs", "invalid.proofs", "Too large proof (66), must be max 64 bytes"),
    );
  });

  it("must be texts in base58, in a list", () => {
    expect(resultOf({ ...bodyOf(TransactionType.Data), proofs: "x" })).toMatchObject(
      complaint("obj.proofs", "invalid.proofs"),
    );
    expect(resultOf({ ...bodyOf(TransactionType.Data), proofs: [5] })).toMatchObject(
      complaint("obj.proofs", "expected.string"),
    );
    expect(resultOf({ ...bodyOf(TransactionType.Data), proofs: ["0"] })).toMatchObject(
      complaint("obj.proofs", "invalid.base58", "requirement failed: Wrong char '0' in Base58 string '0'"),
    );
  });

  it.each(lenientTypes)("type %i may have a signature in place of proofs, but not against them", (type) => {
    expect(resultOf({ ...without(bodyOf(type), "proofs"), signature: other })).toMatchObject({ proofs: [other] });
    expect(resultOf({ ...bodyOf(type), signature: proof })).toMatchObject({ proofs: [proof] });
    expect(resultOf({ ...bodyOf(type), signature: other })).toMatchObject(
      custom("Both proofs and signature are provided, but proofs do not match signature"),
    );
  });
});

describe("values (spec 3.4)", () => {
  it("numbers are integers of 64 bits", () => {
    const body = JSON.stringify({ ...bodyOf(TransactionType.Transfer), amount: "AMOUNT" });
    const withAmount = (text: string) => resultOf(body.replace('"AMOUNT"', text));
    expect(withAmount("9223372036854775807")).toMatchObject({ amount: 9_223_372_036_854_775_807n });
    expect(withAmount("1.0")).toMatchObject({ amount: 1n });
    for (const text of ["9223372036854775808", "1.5", "1e30"]) {
      expect(withAmount(text)).toMatchObject(complaint("obj.amount", "error.expected.long"));
    }
    for (const text of ['"1"', "null", "true", "{}"]) {
      expect(withAmount(text)).toMatchObject(complaint("obj.amount", "error.expected.jsnumber"));
    }
  });

  it("an asset is null, the empty text, or 32 bytes in base58", () => {
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), assetId: "" })).toMatchObject({ assetId: null });
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), assetId: asset })).toMatchObject({ assetId: asset });
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), assetId: "abc" })).toMatchObject(
      complaint("obj.assetId", "Invalid validation. Size of asset id abc not equal 32 bytes"),
    );
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), assetId: 5 })).toMatchObject(
      complaint("obj.assetId", "Expected base58-encoded assetId or null"),
    );
    expect(resultOf({ ...bodyOf(TransactionType.Reissue), assetId: "" })).toMatchObject(
      complaint("obj.assetId", "Invalid validation. Size of asset id  not equal 32 bytes"),
    );
  });

  it("the text WAVES is an asset only in an order's pair", () => {
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), assetId: "WAVES" })).toMatchObject({ error: 1n });
    const pair = { assetPair: { amountAsset: "WAVES", priceAsset: asset } };
    const orders = { order1: { ...order("buy"), ...pair }, order2: { ...order("sell"), ...pair } };
    expect(resultOf({ ...bodyOf(TransactionType.Exchange), ...orders })).toMatchObject({
      order1: { assetPair: { amountAsset: null, priceAsset: asset } },
    });
  });

  it("a key has 32 bytes", () => {
    expect(resultOf({ ...bodyOf(TransactionType.Transfer), senderPublicKey: "abc" })).toMatchObject(
      custom("requirement failed: invalid public key length: 3"),
    );
    for (const wrong of ["0".repeat(44), "1".repeat(45)]) {
      expect(resultOf({ ...bodyOf(TransactionType.Transfer), senderPublicKey: wrong })).toMatchObject({ error: 102n });
    }
  });

  it("an attachment is base58 of at most 192 characters, or base64", () => {
    for (const type of [TransactionType.Transfer, TransactionType.MassTransfer]) {
      expect(resultOf({ ...bodyOf(type), attachment: "2Uw8" })).toMatchObject({ attachment: "2Uw8" });
      expect(resultOf({ ...bodyOf(type), attachment: null })).toMatchObject({ attachment: "" });
      expect(resultOf({ ...bodyOf(type), attachment: "base64:AQID" })).toMatchObject({ attachment: "Ldp" });
      expect(resultOf({ ...bodyOf(type), attachment: "1".repeat(193) })).toMatchObject(
        complaint("obj.attachment", "base58-encoded string length (193) exceeds maximum length of 192"),
      );
      expect(resultOf({ ...bodyOf(type), attachment: 5 })).toMatchObject(
        complaint("obj.attachment", "Expected JsString"),
      );
    }
  });

  it("base64 is told apart by how it is wrong", () => {
    const withScript = (text: string) => resultOf({ ...bodyOf(TransactionType.SetScript), script: text });
    const wrong = (reason: string) => custom(`ScriptParseError(Unable to decode base64: ${reason})`);
    expect(withScript("base64:A")).toMatchObject(wrong("Input byte[] should at least have 2 bytes for base64 bytes"));
    expect(withScript("é")).toMatchObject(wrong("Input byte[] should at least have 2 bytes for base64 bytes"));
    expect(withScript("base64:AQID!")).toMatchObject(wrong("Illegal base64 character 21"));
    expect(withScript("base64:AQIDA")).toMatchObject(wrong("Last unit does not have enough valid bits"));
    expect(withScript("base64:AQ=")).toMatchObject(wrong("Input byte array has wrong 4-byte ending unit"));
    expect(withScript("base64:AQ==AQ")).toMatchObject(wrong("Input byte array has incorrect ending byte at 4"));
  });

  it("a script may be left out, null or empty: then there is none", () => {
    for (const none of [null, ""])
      expect(resultOf({ ...bodyOf(TransactionType.SetScript), script: none })).toMatchObject({ script: null });
    expect(resultOf(without(bodyOf(TransactionType.SetScript), "script"))).toMatchObject({ script: null });
    expect(resultOf({ ...bodyOf(TransactionType.SetScript), script: script.slice(7) })).toMatchObject({ script });
  });

  it("a burn may name its amount quantity, a cancelled lease may be named txId", () => {
    expect(resultOf({ ...without(bodyOf(TransactionType.Burn), "amount"), quantity: 7 })).toMatchObject({
      amount: 7n,
    });
    expect(resultOf(without(bodyOf(TransactionType.Burn), "amount"))).toMatchObject(
      complaint("obj.quantity", "error.path.missing"),
    );
    expect(resultOf({ ...without(bodyOf(TransactionType.LeaseCancel), "leaseId"), txId: asset })).toMatchObject({
      leaseId: asset,
    });
    expect(resultOf(without(bodyOf(TransactionType.LeaseCancel), "leaseId"))).toMatchObject(
      complaint("obj.txId", "error.path.missing"),
    );
  });

  it("a lease id that is no base58 is told as such, one of another length with its length", () => {
    for (const leaseId of ["0", "z".repeat(45)]) {
      expect(resultOf({ ...bodyOf(TransactionType.LeaseCancel), leaseId })).toMatchObject(custom("invalid.leaseTx"));
    }
    expect(resultOf({ ...bodyOf(TransactionType.LeaseCancel), leaseId: "abc" })).toMatchObject(
      custom("Lease id=abc has invalid length = 3 byte(s) while expecting 32"),
    );
  });

  it("a sponsorship of 0, null or nothing is none", () => {
    for (const body of [
      { ...bodyOf(TransactionType.SponsorFee), minSponsoredAssetFee: 0 },
      { ...bodyOf(TransactionType.SponsorFee), minSponsoredAssetFee: null },
      without(bodyOf(TransactionType.SponsorFee), "minSponsoredAssetFee"),
    ]) {
      expect(resultOf(body)).toMatchObject({ minSponsoredAssetFee: null });
    }
  });

  it("transfers of a mass transfer are objects with recipient and amount", () => {
    const withTransfers = (transfers: unknown) => resultOf({ ...bodyOf(TransactionType.MassTransfer), transfers });
    expect(withTransfers({})).toMatchObject(complaint("obj.transfers", "error.expected.jsarray"));
    expect(withTransfers([5])).toMatchObject(complaint("obj.transfers[0]", "error.expected.jsobject"));
    expect(withTransfers([{ recipient: address }])).toMatchObject(
      complaint("obj.transfers[0].amount", "error.path.missing"),
    );
    expect(withTransfers([{ recipient: "x", amount: 1 }])).toMatchObject({ error: 102n });
  });
});

describe("data entries (spec 3.6)", () => {
  const withEntry = (entry: unknown, version = 2) =>
    resultOf({ ...bodyOf(TransactionType.Data), version, data: [entry] });

  it("an entry without type and value deletes", () => {
    for (const entry of [{ key: "k" }, { key: "k", value: null }, { key: "k", type: null, value: null }]) {
      expect(withEntry(entry)).toMatchObject({ data: [{ key: "k", value: null }] });
    }
    expect(withEntry({ key: "k", value: null }, 1)).toMatchObject(custom("Empty data is not allowed in V1"));
  });

  test.each([
    [5, "key is missing"],
    [{ value: 1 }, "key is missing"],
    [{ key: "k", value: 1 }, "type is missing"],
    [{ key: "k", type: "x", value: 1 }, "unknown type x"],
    [{ key: "k", type: "integer", value: "1" }, "value is missing or not an integer"],
    [{ key: "k", type: "boolean", value: 1 }, "value is missing or not a boolean value"],
    [{ key: "k", type: "string" }, "value is missing or not a string"],
    [{ key: "k", type: "binary", value: 1 }, "value is missing or not a string"],
    [{ key: "k", type: "binary", value: "base64:A" }, "Input byte[] should at least have 2 bytes for base64 bytes"],
  ])("%j: %s", (entry, message) => {
    expect(withEntry(entry)).toMatchObject(complaint("obj.data[0]", message));
  });
});

describe("calls (spec 3.3, 3.4)", () => {
  const withCall = (call: unknown) => resultOf({ ...bodyOf(TransactionType.InvokeScript), call });
  const withArgument = (argument: unknown) => withCall({ function: "f", args: [argument] });

  it("a call of the default function without arguments is none", () => {
    expect(withCall({ function: "default", args: [] })).toEqual(withCall(null));
    expect(withCall({ function: "default" })).toEqual(withCall(null));
  });

  test.each([
    [{}, 1],
    [{ version: 2 }, 2],
  ])("one with arguments is refused in whole, where the recipient is an address: %j", (version, stated) => {
    const call = { function: "default", args: [{ type: "boolean", value: true }] };
    const body = { ...bodyOf(TransactionType.InvokeScript), ...version, fee: 0, call };
    expect(resultOf(body)).toMatchObject(custom(`Bad transaction type (16) and version (${stated})`));
    expect(resultOf({ ...body, dApp: "x" })).toMatchObject({ error: 102n });
  });

  test.each([1, 17, 300])("lists nest %i deep", (depth) => {
    const argument = `${'{"type":"list","value":['.repeat(depth)}${"]}".repeat(depth)}`;
    const body = JSON.stringify({ ...bodyOf(TransactionType.InvokeScript), call: { function: "f", args: [0] } });
    const transaction = transactionFromJson(parseJson(body.replace("[0]", `[${argument}]`)), chainId);
    expect(transaction).toMatchObject({ call: { args: [JSON.parse(argument)] } });
    expect(parseSignedTransaction(encodeProtobuf(transaction), chainId)).toMatchObject({ id: transaction.id });
  });

  it("binary arguments are read with or without the prefix", () => {
    for (const value of ["base64:AQID", "AQID"]) {
      expect(withArgument({ type: "binary", value })).toMatchObject({
        call: { args: [{ type: "binary", value: "base64:AQID" }] },
      });
    }
  });

  test.each([
    [{}, "Undefined call function name"],
    [{ function: 5 }, "Unexpected call function name format"],
    [{ function: "f", args: {} }, "Unexpected args format"],
  ])("%j: %s", (call, message) => {
    expect(withCall(call)).toMatchObject(complaint("obj.call", message));
  });

  test.each([
    [5, "type is missing"],
    [{ type: "integer", value: "1" }, "value is missing or not an integer"],
    [{ type: "boolean" }, "value is missing or not an boolean"],
    [{ type: "string", value: 1 }, "value is missing or not an string"],
    [{ type: "binary", value: 1 }, "value is missing or not an base64 encoded string"],
  ])("the argument %j: %s, without its place", (argument, message) => {
    expect(withArgument(argument)).toMatchObject(complaint("obj.call", message));
  });

  it("what is wrong in a list is told alone, with its place in the list only", () => {
    const others = { ...bodyOf(TransactionType.InvokeScript), fee: "x" };
    const wrong = (value: unknown) =>
      resultOf({
        ...others,
        call: { function: "f", args: [{ type: "list", ...(value === undefined ? {} : { value }) }] },
      });
    expect(wrong("x")).toMatchObject(complaint("obj", "error.expected.jsarray"));
    expect(wrong([{ type: "integer", value: 1 }, 5])).toMatchObject(complaint("obj[1]", "type is missing"));
    expect(wrong(undefined)).toMatchObject(
      complaint("obj", "'value' is undefined on object. Available keys are 'type'"),
    );
  });

  it("payments are objects with an amount", () => {
    const withPayments = (payment: unknown) => resultOf({ ...bodyOf(TransactionType.InvokeScript), payment });
    expect(withPayments([{ amount: 1 }])).toMatchObject({ payment: [{ amount: 1n, assetId: null }] });
    expect(withPayments([{ assetId: asset }])).toMatchObject(complaint("obj.payment[0].amount", "error.path.missing"));
    expect(withPayments(Array(300).fill({ amount: 1 }))).toMatchObject({ type: 16n });
  });
});

describe("orders (spec 3.5)", () => {
  const withOrder = (changes: Body, version = 3) =>
    resultOf({
      ...bodyOf(TransactionType.Exchange),
      order1: { ...order("buy", version), ...changes },
      order2: order("sell", version),
    });
  const wholeOrder = (value: unknown) => resultOf({ ...bodyOf(TransactionType.Exchange), order1: value });

  test.each([
    [null, "Order object expected: null"],
    [[], "Order object expected: []"],
    ["x", 'Order object expected: "x"'],
    [{ ...order("buy"), version: null }, "Invalid version: null"],
    [{ ...order("buy"), version: "3" }, 'Invalid version: "3"'],
    [{ ...order("buy"), version: 1.5 }, "Invalid version: 1.5"],
    [{ ...order("buy"), version: 0 }, "Invalid version: 0"],
  ])("%j is refused: %s", (value, message) => {
    expect(wholeOrder(value)).toMatchObject(complaint("obj.order1", message));
  });

  it("of a version that is no whole number, but 3 or more, is read as a new one", () => {
    expect(wholeOrder({ ...order("buy"), version: 3.5 })).toMatchObject(
      complaint("obj.order1.version", "error.expected.byte"),
    );
  });

  it("without a version is one of the first two, by its proofs", () => {
    const first = without(order("buy", 1), "version");
    const version1 = { ...bodyOf(TransactionType.Exchange), version: 1, order1: first, order2: order("sell", 1) };
    expect(resultOf(version1)).toMatchObject({ order1: { version: 1n } });
    const version2 = { ...version1, version: 2, order1: { ...first, proofs: [proof, proof] } };
    expect(resultOf(version2)).toMatchObject({ order1: { version: 2n } });
  });

  it("of versions 1 and 2 has no fee asset, whatever it says", () => {
    const orders = { order1: { ...order("buy", 2), matcherFeeAssetId: asset }, order2: order("sell", 2) };
    const { order1 } = resultOf({ ...bodyOf(TransactionType.Exchange), version: 2, ...orders }) as {
      readonly order1?: ParsedObject;
    };
    expect(order1).toMatchObject({ version: 2n });
    expect(order1).not.toHaveProperty("matcherFeeAssetId");
  });

  it("needs a key or the signature of an Ethereum wallet", () => {
    const { senderPublicKey: _, ...keyless } = order("buy", 4);
    expect(wholeOrder(keyless)).toMatchObject(custom("Either senderPublicKey or eip712Signature should be provided"));
    expect(wholeOrder(without(order("buy", 2), "senderPublicKey"))).toMatchObject(
      complaint("obj.order1.senderPublicKey", "error.path.missing"),
    );
  });

  it("has a price mode by name, or none", () => {
    for (const priceMode of [null, "fixedDecimals", "assetDecimals"]) {
      expect(withOrder({ priceMode }, 4)).toMatchObject({ order1: { priceMode } });
    }
    expect(withOrder({ priceMode: "default" }, 4)).toMatchObject(
      complaint("obj.order1.priceMode", "Unexpected order price mode: default"),
    );
  });

  it("has a pair; what is no object stands for one without assets", () => {
    expect(wholeOrder(without(order("buy"), "assetPair"))).toMatchObject(
      complaint("obj.order1.assetPair", "error.path.missing"),
    );
    for (const assetPair of [null, "x", [], 5]) {
      expect(withOrder({ assetPair })).toMatchObject(custom("Both orders should have same AssetPair"));
    }
  });

  it("has a side by name", () => {
    expect(withOrder({ orderType: "swap" })).toMatchObject(custom("Unexpected OrderType"));
  });

  it("has keys of 32 bytes, or of 64; the matcher, who signs the exchange, of 32", () => {
    const walletKey = "5".repeat(87);
    expect(withOrder({ senderPublicKey: "abc" })).toMatchObject(
      complaint("obj.order1.senderPublicKey", "error.incorrectAccount"),
    );
    for (const version of [2, 3, 4]) {
      const orders = (changes: Body) => ({
        order1: { ...order("buy", version), ...changes },
        order2: { ...order("sell", version), ...changes },
      });
      const body = { ...bodyOf(TransactionType.Exchange), version: version === 2 ? 2 : 3 };
      expect(resultOf({ ...body, ...orders({ senderPublicKey: walletKey }) })).toMatchObject({
        order1: { senderPublicKey: walletKey },
      });
      expect(resultOf({ ...body, ...orders({ matcherPublicKey: walletKey }) })).toMatchObject(
        custom("requirement failed: invalid public key length: 64"),
      );
    }
  });

  it("of an Ethereum wallet is refused for the exchange's version before its signature is looked into", () => {
    const eip712Signature = `0x${"11".repeat(65)}`;
    const orders = { order1: { ...order("buy", 4), eip712Signature }, order2: order("sell", 4) };
    expect(resultOf({ ...bodyOf(TransactionType.Exchange), version: 2, ...orders })).toMatchObject(
      custom("can only contain orders of version < 4"),
    );
    expect(resultOf({ ...bodyOf(TransactionType.Exchange), ...orders })).toMatchObject(
      custom("recId must be in the range of [0, 3]"),
    );
  });
});
