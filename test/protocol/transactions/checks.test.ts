/** Rules of form, each with the API's error. Built transactions are validated like parsed ones. */

import { describe, expect, test } from "vitest";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { secureHash } from "../../../src/crypto/hash.ts";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import { I64_MAX } from "../../../src/protocol/codec/i64.ts";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import type { Asset, AssetId } from "../../../src/protocol/transactions/asset.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { checkAssetDescription } from "../../../src/protocol/transactions/checks.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { formatErrorContent } from "../../../src/protocol/transactions/format-error-content.ts";
import type { Order } from "../../../src/protocol/transactions/order.ts";
import { buildOrder } from "../../../src/protocol/transactions/order-bytes.ts";
import type { LeaseId, Recipient, Script, TransactionFields } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";

const chainId = 82;
const key = new Uint8Array(32).fill(7) as Uint8Array as PublicKey;
const otherKey = new Uint8Array(32).fill(8) as Uint8Array as PublicKey;
const asset = new Uint8Array(32).fill(9) as Uint8Array as AssetId;
const leaseId = new Uint8Array(32).fill(5) as Uint8Array as LeaseId;
const to: Recipient = { kind: "address", address: addressOfPublicKey(otherKey, chainId) };
const self: Recipient = { kind: "address", address: addressOfPublicKey(key, chainId) };
const foreign: Recipient = { kind: "alias", alias: { chainId: 87, name: "other" } };
const script = scriptOf(1, 6);
const dAppScript = scriptOf(0, 2, 5, 0);
const common = {
  chainId,
  sender: key,
  fee: 100_000n,
  feeAsset: null,
  timestamp: 1_700_000_000_000n,
  proofs: [],
};

function scriptOf(...code: number[]): Script {
  const body = Uint8Array.from(code);
  return concatBytes(body, secureHash(body).subarray(0, 4)) as Uint8Array as Script;
}

const order = (side: "buy" | "sell", changes: Partial<Order> = {}): Order =>
  buildOrder({
    version: 3,
    chainId,
    sender: key,
    matcher: otherKey,
    amountAsset: asset,
    priceAsset: null,
    side,
    amount: 1n,
    price: 1n,
    timestamp: common.timestamp,
    expiration: common.timestamp + 1000n,
    matcherFee: 1n,
    matcherFeeAsset: null,
    proofs: [],
    eip712Signature: null,
    priceMode: null,
    attachment: null,
    ...changes,
  });

const valid = {
  genesis: {
    type: TransactionType.Genesis,
    version: 1,
    chainId,
    fee: 0n,
    feeAsset: null,
    timestamp: 0n,
    recipient: addressOfPublicKey(key, chainId),
    amount: 1n,
    signature: new Uint8Array(64),
  },
  payment: {
    ...common,
    type: TransactionType.Payment,
    version: 1,
    recipient: addressOfPublicKey(otherKey, chainId),
    amount: 1n,
    proofs: [new Uint8Array(64)],
  },
  issue: {
    ...common,
    type: TransactionType.Issue,
    version: 2,
    name: utf8Bytes("name"),
    description: utf8Bytes(""),
    quantity: 1n,
    decimals: 8,
    reissuable: true,
    script: null,
  },
  transfer: {
    ...common,
    type: TransactionType.Transfer,
    version: 2,
    recipient: to,
    asset: null,
    amount: 1n,
    attachment: new Uint8Array(140),
  },
  reissue: { ...common, type: TransactionType.Reissue, version: 2, asset, quantity: 1n, reissuable: true },
  burn: { ...common, type: TransactionType.Burn, version: 2, asset, amount: 0n },
  exchange: {
    ...common,
    type: TransactionType.Exchange,
    version: 2,
    order1: order("buy"),
    order2: order("sell"),
    amount: 1n,
    price: 1n,
    buyMatcherFee: 0n,
    sellMatcherFee: 0n,
  },
  lease: { ...common, type: TransactionType.Lease, version: 2, recipient: to, amount: 1n },
  leaseCancel: { ...common, type: TransactionType.LeaseCancel, version: 2, leaseId },
  createAlias: { ...common, type: TransactionType.CreateAlias, version: 2, alias: { chainId, name: "name" } },
  massTransfer: {
    ...common,
    type: TransactionType.MassTransfer,
    version: 1,
    asset: null,
    transfers: [{ recipient: to, amount: 0n }],
    attachment: new Uint8Array(0),
  },
  data: {
    ...common,
    type: TransactionType.Data,
    version: 1,
    data: [{ key: "k", value: { type: "integer", value: 1n } }],
  },
  setScript: { ...common, type: TransactionType.SetScript, version: 1, script: null },
  sponsorFee: { ...common, type: TransactionType.SponsorFee, version: 1, asset, minSponsoredAssetFee: null },
  setAssetScript: { ...common, type: TransactionType.SetAssetScript, version: 1, asset, script },
  invokeScript: { ...common, type: TransactionType.InvokeScript, version: 1, dApp: to, call: null, payments: [] },
  updateAssetInfo: {
    ...common,
    type: TransactionType.UpdateAssetInfo,
    version: 1,
    asset,
    name: "name",
    description: "",
  },
  commitToGeneration: {
    ...common,
    type: TransactionType.CommitToGeneration,
    version: 1,
    generationPeriodStart: 12,
    endorserPublicKey: new Uint8Array(48),
    commitmentSignature: new Uint8Array(96),
  },
} as const satisfies Record<string, TransactionFields>;
type Name = keyof typeof valid;
type FieldsNamed<N extends Name> = Extract<TransactionFields, { type: (typeof valid)[N]["type"] }>;

/** Error id and text for the fields; undefined if they are valid. */
function refusalOf<N extends Name>(name: N, changes: Partial<FieldsNamed<N>>): [number, string] | undefined {
  try {
    buildTransaction({ ...valid[name], ...changes } as unknown as TransactionFields);
    return undefined;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const { error: code, message } = formatErrorContent(error.violation);
    return [code, message];
  }
}

describe("what the rules allow is built", () => {
  test.each(Object.keys(valid) as Name[])("%s", (name) => {
    expect(refusalOf(name, {})).toBeUndefined();
  });
});

test("every fee must be positive, but that of genesis", () => {
  for (const name of Object.keys(valid) as Name[]) {
    if (name === "genesis") continue;
    for (const fee of [0n, -1n]) expect(refusalOf(name, { fee } as never), name).toEqual([112, "insufficient fee"]);
  }
});

test("amounts: positive where something moves, not negative where nothing may move", () => {
  const assetText = "5XFi1rV5gMqrLSEdbhSLCSpwd6MGzVuzQ5gtZHzCVrcq";
  expect(refusalOf("genesis", { amount: -1n })).toEqual([111, "negative amount: -1 of waves"]);
  expect(refusalOf("payment", { amount: 0n })).toEqual([115, "non-positive amount: 0 of waves"]);
  expect(refusalOf("transfer", { amount: 0n })).toEqual([115, "non-positive amount: 0 of waves"]);
  const ofAsset = refusalOf("transfer", { amount: -5n, asset: asset as Asset });
  expect(ofAsset?.[1]).toMatch(/^non-positive amount: -5 of [1-9A-HJ-NP-Za-km-z]{43,44}$/);
  expect(assetText).toHaveLength(44);
  expect(refusalOf("issue", { quantity: 0n })).toEqual([115, "non-positive amount: 0 of assets"]);
  expect(refusalOf("reissue", { quantity: 0n })).toEqual([115, "non-positive amount: 0 of assets"]);
  expect(refusalOf("burn", { amount: -1n })).toEqual([111, "negative amount: -1 of assets"]);
  expect(refusalOf("lease", { amount: 0n })).toEqual([115, "non-positive amount: 0 of waves"]);
  expect(refusalOf("massTransfer", { transfers: [{ recipient: to, amount: -1n }] })).toEqual([
    111,
    "negative amount: -1 of asset",
  ]);
  expect(refusalOf("invokeScript", { payments: [{ amount: 0n, asset: null }] })).toEqual([
    115,
    "non-positive amount: 0 of Waves",
  ]);
  expect(refusalOf("sponsorFee", { minSponsoredAssetFee: -1n })).toEqual([114, "negative fee per: -1 per asset"]);
});

test("sums must stay within 64 bits", () => {
  expect(refusalOf("payment", { amount: I64_MAX })).toEqual([113, "overflow error"]);
  expect(refusalOf("lease", { amount: I64_MAX })).toEqual([113, "overflow error"]);
  expect(refusalOf("massTransfer", { transfers: [{ recipient: to, amount: I64_MAX }] })).toEqual([
    113,
    "overflow error",
  ]);
  expect(refusalOf("payment", { amount: I64_MAX - common.fee })).toBeUndefined();
  expect(refusalOf("payment", { amount: I64_MAX - common.fee + 1n })).toEqual([113, "overflow error"]);
});

test("recipients must be of the transaction's chain; no account leases to itself", () => {
  const otherNetwork = [199, "Address or alias from other network"];
  expect(refusalOf("transfer", { recipient: foreign })).toEqual(otherNetwork);
  expect(refusalOf("lease", { recipient: foreign })).toEqual(otherNetwork);
  expect(refusalOf("invokeScript", { dApp: foreign })).toEqual(otherNetwork);
  expect(refusalOf("massTransfer", { transfers: [{ recipient: foreign, amount: 1n }] })).toEqual([
    199,
    "One of chain ids not match: List(87)",
  ]);
  expect(refusalOf("lease", { recipient: self })).toEqual([114, "Transaction to yourself"]);
});

test("sizes and counts", () => {
  expect(refusalOf("transfer", { attachment: new Uint8Array(141) })).toEqual([
    107,
    "Invalid attachment. Length 141 bytes exceeds maximum of 140 bytes.",
  ]);
  expect(refusalOf("massTransfer", { transfers: Array(101).fill({ recipient: to, amount: 0n }) })).toEqual([
    199,
    "Number of transfers 101 is greater than 100",
  ]);
  for (const name of ["abc", "a".repeat(17), "éé", "a".repeat(16)]) {
    const expected = ["éé", "a".repeat(16)].includes(name) ? undefined : [111, "invalid name"];
    expect(refusalOf("issue", { name: utf8Bytes(name) })).toEqual(expected);
    expect(refusalOf("updateAssetInfo", { name })).toEqual(expected);
  }
  const tooBig = [10, "Too big sequence requested"];
  expect(refusalOf("issue", { description: new Uint8Array(1001) })).toEqual(tooBig);
  expect(refusalOf("updateAssetInfo", { description: "é".repeat(501) })).toEqual(tooBig);
  expect(refusalOf("issue", { description: new Uint8Array(1000) })).toBeUndefined();
  expect(refusalOf("issue", { decimals: 9 })).toEqual([
    117,
    "invalid decimals value: 9, decimals should be in interval [0; 8]",
  ]);
  expect(refusalOf("leaseCancel", { leaseId: leaseId.subarray(1) as Uint8Array as LeaseId })?.[1]).toMatch(
    /has invalid length = 31 byte\(s\) while expecting 32$/,
  );
});

test("an array that is too big is named, with its size and what it may have", () => {
  expect(() => checkAssetDescription(new Uint8Array(1001))).toThrow(
    expect.objectContaining({ violation: { code: "tooBigArray", what: "description", size: 1001, max: 1000 } }),
  );
});

test("data entries: count, sizes, keys, deletions", () => {
  const tooBig = [10, "Too big sequence requested"];
  const entry = (name: string) => ({ key: name, value: { type: "boolean", value: true } }) as const;
  const data = (...entries: FieldsNamed<"data">["data"]) => refusalOf("data", { data: entries });
  expect(data(...Array.from({ length: 101 }, (_, index) => entry(`k${index}`)))).toEqual(tooBig);
  expect(data(entry("é".repeat(201)))).toEqual(tooBig);
  expect(data({ key: "k", value: { type: "binary", value: new Uint8Array(32_768) } })).toEqual(tooBig);
  expect(data({ key: "k", value: { type: "string", value: "a".repeat(32_768) } })).toEqual(tooBig);
  expect(data(entry(""))).toEqual([199, "Empty key found"]);
  expect(data(entry("a"), entry("a"))).toEqual([199, "Duplicated keys found"]);
  expect(data({ key: "a", value: null })).toEqual([199, "Empty data is not allowed in V1"]);
  expect(refusalOf("data", { version: 2, data: [{ key: "a", value: null }] })).toBeUndefined();
});

test("aliases: 4 to 30 characters of the alphabet", () => {
  const alias = (name: string) => refusalOf("createAlias", { alias: { chainId, name } });
  expect(alias("abc")).toEqual([199, "Alias 'abc' length should be between 4 and 30"]);
  expect(alias("a".repeat(31))?.[1]).toMatch(/length should be between 4 and 30$/);
  expect(alias("abcD")).toEqual([
    199,
    "Alias should contain only following characters: -.0123456789@_abcdefghijklmnopqrstuvwxyz",
  ]);
});

test("scripts: readable, with the right checksum, and of the right kind", () => {
  const unreadable = (code: Uint8Array) => refusalOf("setScript", { script: code as Script });
  expect(unreadable(new Uint8Array(0))).toEqual([199, "ScriptParseError(Can't parse empty script bytes)"]);
  expect(unreadable(Uint8Array.of(0, 1))).toEqual([199, "ScriptParseError(Illegal length of script: 2)"]);
  expect(unreadable(Uint8Array.of(0, 4, 1))).toEqual([199, "ScriptParseError(Invalid content type of script: 4)"]);
  expect(unreadable(Uint8Array.of(200))).toEqual([199, "ScriptParseError(Invalid version of script: -56)"]);
  expect(unreadable(Uint8Array.of(10))).toEqual([199, "ScriptParseError(Invalid version of script: 10)"]);
  expect(unreadable(Uint8Array.of(1, 6, 0, 0, 0, 0))).toEqual([199, "ScriptParseError(Invalid checksum)"]);
  expect(refusalOf("setScript", { script: dAppScript })).toBeUndefined();
  const onlyExpressions = [199, "Asset can only be assigned with Expression script, not Contract"];
  expect(refusalOf("setAssetScript", { script: dAppScript })).toEqual(onlyExpressions);
  expect(refusalOf("issue", { script: dAppScript })).toEqual(onlyExpressions);
  expect(refusalOf("issue", { version: 1, script })).toEqual([199, "Script not supported"]);
  expect(refusalOf("setAssetScript", { script: null })).toEqual([199, "Cannot set empty script"]);
  const long = scriptOf(1, ...new Array<number>(32_763).fill(6));
  expect(refusalOf("setScript", { script: long })).toEqual([
    199,
    "Attempting to serialize array with size, but the size(32768) exceeds MaxShort(32767)",
  ]);
  expect(refusalOf("setScript", { version: 2, script: long })).toBeUndefined();
  expect(refusalOf("setScript", { script: scriptOf(1, ...new Array<number>(32_762).fill(6)) })).toBeUndefined();
});

test("calls: number of arguments, size of the name, size of the whole", () => {
  const call = (name: string, count: number, sizeBytes = 0) =>
    refusalOf("invokeScript", {
      version: 2,
      call: { function: name, args: Array(count).fill({ type: "binary", value: new Uint8Array(sizeBytes) }) },
    });
  expect(call("f", 22)).toBeUndefined();
  expect(call("f", 23)).toEqual([199, "InvokeScript can't have more than 22 arguments"]);
  expect(call("é".repeat(128), 0)).toEqual([199, "Callable function name size = 256 bytes must be less than 255"]);
  expect(call("f", 1, 5120)?.[1]).toMatch(/^InvokeScriptTransaction bytes length = 51\d\d exceeds limit = 5120$/);
});

describe("exchanges", () => {
  const orderInvalid = (reason: string) => [403, `Order validation error: ${reason}`];
  const withOrders = (changes: Partial<Order>, version = 3) =>
    refusalOf("exchange", { version, order1: order("buy", changes), order2: order("sell", changes) });

  test("terms of the deal", () => {
    expect(refusalOf("exchange", { amount: 0n })).toEqual([
      199,
      "amount should be in interval (0; 1000000000000000000]",
    ]);
    expect(refusalOf("exchange", { price: 10n ** 18n + 1n })).toEqual([
      199,
      "price should be in interval (0; 1000000000000000000]",
    ]);
    expect(refusalOf("exchange", { sellMatcherFee: 10n ** 18n + 1n })).toEqual([199, "sellMatcherFee too large"]);
    expect(refusalOf("exchange", { buyMatcherFee: 10n ** 18n + 1n })).toEqual([199, "buyMatcherFee too large"]);
    expect(refusalOf("exchange", { fee: 10n ** 18n + 1n })).toEqual([199, "fee too large"]);
  });

  test("sides: the buy order comes first before version 3", () => {
    const swapped = { order1: order("sell"), order2: order("buy") };
    expect(refusalOf("exchange", swapped)).toEqual([199, "order1 should have OrderType.BUY"]);
    expect(refusalOf("exchange", { ...swapped, version: 3 })).toBeUndefined();
    expect(refusalOf("exchange", { order2: order("buy") })).toEqual([199, "sellOrder should has OrderType.SELL"]);
    expect(refusalOf("exchange", { version: 3, order1: order("sell"), order2: order("sell") })).toEqual([
      199,
      "buyOrder should has OrderType.BUY",
    ]);
  });

  test("versions of orders", () => {
    expect(withOrders({ version: 2 }, 1)).toEqual([199, "can only contain orders of version 1"]);
    expect(withOrders({ version: 4 }, 2)).toEqual([199, "can only contain orders of version < 4"]);
    expect(withOrders({ version: 5 })).toEqual(orderInvalid("invalid version"));
  });

  test("orders", () => {
    expect(withOrders({ amount: 0n })).toEqual([199, "amount should be in interval (0; 1000000000000000000]"]);
    expect(withOrders({ price: 0n })).toEqual([199, "price should be > 0"]);
    expect(withOrders({ matcherFee: 10n ** 18n })).toEqual([
      199,
      "matcher fee should be in interval (0; 1000000000000000000)",
    ]);
    expect(withOrders({ priceAsset: asset })).toEqual(orderInvalid("Invalid AssetPair"));
    expect(withOrders({ timestamp: 0n })).toEqual(orderInvalid("timestamp should be > 0"));
    expect(withOrders({ expiration: common.timestamp - 1n })).toEqual(
      orderInvalid("expiration should be > currentTime"),
    );
    expect(withOrders({ expiration: common.timestamp + 30n * 86_400_000n })).toBeUndefined();
    expect(withOrders({ expiration: common.timestamp + 30n * 86_400_000n + 1n })).toEqual(
      orderInvalid("expiration should be earlier than 30 days"),
    );
    expect(withOrders({ version: 2, matcherFeeAsset: asset })).toEqual(
      orderInvalid("matcherFeeAssetId should be waves"),
    );
    expect(withOrders({ priceMode: "assetDecimals" })).toEqual(orderInvalid("price mode should be default for V3"));
    expect(withOrders({ eip712Signature: new Uint8Array(65) })).toEqual(
      orderInvalid("eip712Signature available only in V4"),
    );
    expect(withOrders({ version: 4, eip712Signature: new Uint8Array(64) })).toEqual([
      199,
      "Unexpected signature length: 64",
    ]);
    expect(withOrders({ version: 4, eip712Signature: new Uint8Array(65) })?.[0]).toBe(199);
    expect(withOrders({ proofs: Array(9).fill(new Uint8Array(1)) })).toEqual(
      orderInvalid("Too many proofs (9), only 8 allowed"),
    );
    expect(withOrders({ attachment: Uint8Array.of(1) })).toEqual(
      orderInvalid("non-empty attachment field is allowed only for version >= V4"),
    );
    expect(withOrders({ version: 4, attachment: new Uint8Array(1025) })).toEqual(
      orderInvalid("attachment size should be <= 1024 bytes"),
    );
    expect(withOrders({ version: 4, attachment: new Uint8Array(0) })).toEqual(
      orderInvalid("attachment size should be > 0"),
    );
    expect(refusalOf("exchange", { order2: order("sell", { matcher: key }) })).toEqual([
      199,
      "buyOrder.matcher should be the same as sellOrder.matcher",
    ]);
    expect(refusalOf("exchange", { order2: order("sell", { amountAsset: key as Uint8Array as AssetId }) })).toEqual([
      199,
      "Both orders should have same AssetPair",
    ]);
  });
});

test("the id of an alias transaction follows from the alias alone before version 3", () => {
  const build = (version: number, fee: bigint) => buildTransaction({ ...valid.createAlias, version, fee });
  expect(build(2, 1n).id).toEqual(build(1, 2n).id);
  expect(build(3, 1n).id).not.toEqual(build(3, 2n).id);
});
