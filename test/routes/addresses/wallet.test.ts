/** The wallet's routes, and signatures of its accounts. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import { blsVerify } from "../../../src/crypto/bls.ts";
import { verify } from "../../../src/crypto/curve25519.ts";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import { proofOfPossessionMessage } from "../../../src/protocol/transactions/proof-of-possession.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { testWallet } from "../../support/builders/test-wallet.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

const network = fixtureText("private-a/network.json");
const chainId = 82;
const key = { "X-API-Key": "waves-private-node" };
const first = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
const second = "3MGqWUDyZuENhGUK7MqcavBbgtTgfMeDzUW";
const recipient = "3MNLh31RbGPLjoc9XXNLyRK3aD9HVsQVNtv";
const sponsored = "BHedF3cDGDfudUtC3KzsrpHpxFRRoP5nCoEmf2JKg3F3";
const otherAsset = "HejzhR8Ptc6EbPh6Hi31CGG7RW2PD8TNMyseD1qr8zzD";

let database: D1Database;
beforeAll(async () => {
  database = await recordedReadModel();
});

type Json = Record<string, unknown>;
const nodeOf = (facts: Partial<Parameters<typeof testNode>[0]> = {}) => testNode({ database, network, ...facts });

async function request(node: TestNode, method: string, path: string, body?: unknown, headers: Json = key) {
  const response = await node.fetch(path, {
    method,
    headers: {
      ...(headers as Record<string, string>),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = text.startsWith("{") || text.startsWith("[") ? (JSON.parse(text) as Json) : undefined;
  return { status: response.status, json: json as Json, text };
}

const transfer = { type: 4, sender: first, recipient, amount: 1, fee: 100_000, timestamp: 5 };
const sign = (body: Json, path = "/transactions/sign", node = nodeOf()) => request(node, "POST", path, body);

describe("accounts", () => {
  test("are made and deleted, and listed by everybody", async () => {
    const node = nodeOf();
    const made = await request(node, "POST", "/addresses");
    const list = (await request(node, "GET", "/addresses", undefined, {})).json as unknown as string[];
    expect(list).toHaveLength(4);
    expect(list).toContain(made.json["address"]);
    expect((await request(node, "GET", "/addresses/seq/1/3")).json).toEqual(list.slice(1, 3));
    expect((await request(node, "DELETE", `/addresses/${second}`)).json).toEqual({ deleted: true });
    expect((await request(node, "DELETE", `/addresses/${second}`)).json).toEqual({ deleted: false });
    expect((await request(node, "GET", "/addresses")).json).toEqual(list.filter((address) => address !== second));
  });

  test("the key is asked for before the path is read", async () => {
    const node = nodeOf();
    for (const [method, path] of [
      ["POST", "/addresses"],
      ["DELETE", "/addresses/bad"],
      ["GET", "/addresses/seed/bad"],
      ["GET", "/wallet/seed"],
      ["POST", "/transactions/sign/bad"],
      ["GET", "/transactions/sign"],
      // No routes, but the response without the key does not say so.
      ["DELETE", "/addresses"],
      ["DELETE", `/addresses/effectiveBalance/${first}`],
      ["PUT", "/transactions/sign"],
      ["PATCH", "/transactions/sign/bad"],
      ["GET", `/transactions/sign/${first}/x`],
      ["POST", "/transactions/signs"],
      ["PUT", "/peers/connect"],
    ] as const)
      expect((await request(node, method, path, undefined, {})).json, `${method} ${path}`).toMatchObject({ error: 2 });
  });

  test("with it the address is checked, then the route is unknown", async () => {
    const node = nodeOf();
    for (const [method, path] of [
      ["DELETE", "/addresses/seq/0/1"],
      ["PUT", "/transactions/sign/bad"],
      ["POST", "/transactions/sign/bad/x"],
    ] as const)
      expect((await request(node, method, path)).json, `${method} ${path}`).toEqual({
        error: 102,
        message: "invalid address",
      });
    for (const [method, path] of [
      ["DELETE", "/addresses"],
      ["DELETE", `/addresses/${first}/x`],
      ["PUT", "/transactions/sign"],
      ["DELETE", `/transactions/sign/${first}`],
      ["POST", "/transactions/signs"],
      ["PUT", "/peers/connect"],
    ] as const)
      expect((await request(node, method, path)).status, `${method} ${path}`).toBe(404);
  });

  test("a node without a seed has none, and says what it lacks", async () => {
    const file = JSON.parse(network) as { waves: { wallet: { seed?: string } } };
    delete file.waves.wallet.seed;
    const node = nodeOf({ wallet: testWallet(JSON.stringify(file)) });
    expect((await request(node, "GET", "/addresses")).json).toEqual([]);
    expect((await request(node, "GET", "/addresses/seq/0/9")).json).toEqual([]);
    expect((await request(node, "GET", `/addresses/seed/${first}`)).json).toMatchObject({ error: 115 });
    expect((await sign(transfer, "/transactions/sign", node)).json).toMatchObject({ error: 115 });
    for (const [method, path] of [
      ["POST", "/addresses"],
      ["GET", "/wallet/seed"],
    ] as const)
      expect(await request(node, method, path)).toMatchObject({ status: 400, json: { error: 199 } });
  });

  test("a call that changes the wallet is not tried again", async () => {
    let calls = 0;
    const broken = { ...testWallet(network), create: () => Promise.reject(calls++), accounts: async () => [] };
    const failing = async () => {
      calls += 1;
      throw Object.assign(new Error("the object was reset"), { retryable: true });
    };
    const node = nodeOf({ wallet: { ...broken, create: failing, accounts: failing } as never });
    expect((await request(node, "POST", "/addresses")).json).toMatchObject({ error: 5031 });
    expect(calls).toBe(1);
    expect((await request(node, "GET", "/addresses")).json).toMatchObject({ error: 5031 });
    expect(calls).toBe(3);
  });
});

describe("signing", () => {
  test("takes floats that are integers, and a token behind the request, as clients of the reference may send them", async () => {
    const text = JSON.stringify({ ...transfer, version: 3 })
      .replace('"amount":1', '"amount":1.0')
      .replace('"fee":100000', '"fee":1e5')
      .replace('"version":3', '"version":3.0000000000000000000000000000000000001');
    const headers = { ...key, "Content-Type": "application/json" };
    const response = await nodeOf().fetch("/transactions/sign", { method: "POST", headers, body: `${text} {` });
    expect(await response.json()).toMatchObject({ type: 4, version: 3, amount: 1, fee: 100_000 });
  });

  test("the answer is a transaction that may be broadcast: its proof is the signer's", async () => {
    for (const [path, signerKey] of [
      ["/transactions/sign", "AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV"],
      ["/transactions/sign/", "AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV"],
      [`/transactions/sign/${second}`, "4228hbjw3t8TcogeRC8WK8Jh8kbGkmd9gtc23CSGT3bJ"],
    ] as const) {
      const { status, text } = await sign(transfer, path);
      expect(status).toBe(200);
      const signed = transactionFromJson(parseJson(text), chainId);
      expect(signed).toMatchObject({ type: 4, version: 1, timestamp: 5n });
      const [proof] = (signed as unknown as { proofs: readonly Uint8Array[] }).proofs;
      expect(verify(proof as Uint8Array, signed.bodyBytes, decodeBase58(signerKey))).toBe(true);
    }
  });

  test("without a timestamp it is now", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_795_223_900_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { timestamp: _, ...timeless } = transfer;
    expect((await sign(timeless)).json).toMatchObject({ timestamp: 1_795_223_900_000 });
  });

  test.each([
    [undefined, 1],
    [null, 1],
    ["2", 2],
    ["+3", 3],
    [258, 2],
  ])("the version %j is %j", async (version, expected) => {
    expect((await sign({ ...transfer, version })).json).toMatchObject({ version: expected });
  });

  test.each([
    ["x", "Can't parse version"],
    ["200", "Can't parse version"],
    [1.5, "error.expected.jsstring"],
    [true, "error.expected.jsstring"],
    [2 ** 40, "error.expected.jsstring"],
  ])("the version %j is refused", async (version, complaint) => {
    expect((await sign({ ...transfer, version })).json).toEqual({
      error: 199,
      message: `Wrong JSON: (,List(JsonValidationError(List(${complaint}),List())))`,
    });
  });

  test("an issue without a version is of version 1 here, as every type", async () => {
    const issue = {
      type: 3,
      sender: first,
      name: "Asset",
      description: "",
      quantity: 1,
      decimals: 0,
      reissuable: false,
    };
    expect((await sign({ ...issue, fee: 1, timestamp: 5 })).json).toMatchObject({ type: 3, version: 1 });
  });

  test("chain ids are signed bytes in an update of asset information, too", async () => {
    const update = {
      type: 17,
      sender: first,
      assetId: otherAsset,
      name: "Named",
      description: "",
      fee: 1,
      timestamp: 5,
    };
    expect((await sign({ ...update, chainId: -1 })).json).toMatchObject({ type: 17, chainId: -1 });
  });

  test("`feeAsset` counts where there is no `feeAssetId`", async () => {
    const feeAssetOf = async (members: Json) => {
      const { json } = await sign({ ...transfer, ...members });
      return json["feeAssetId"] ?? json["validationErrors"] ?? null;
    };
    expect(await feeAssetOf({ feeAsset: sponsored })).toBe(sponsored);
    expect(await feeAssetOf({ feeAsset: sponsored, feeAssetId: otherAsset })).toBe(otherAsset);
    expect(await feeAssetOf({ feeAsset: sponsored, feeAssetId: null })).toBe(sponsored);
    expect(await feeAssetOf({ feeAsset: null, feeAssetId: null })).toBe(null);
    expect(await feeAssetOf({ feeAsset: "x0" })).toEqual({
      "obj.feeAsset": [{ msg: ["Expected base58-encoded assetId"], args: [] }],
    });
  });

  test("a sender or signer that the wallet has not is error 115, before or after the values as the reference has it", async () => {
    const stranger = "3MHsLz2JEyhGiZvzCo4bT8cqRmznUTWij5M";
    const bad = { ...transfer, recipient: "x" };
    const badData = { type: 12, sender: first, data: [{ key: "", type: "integer", value: 1 }], fee: 0, timestamp: 5 };
    expect((await sign({ ...bad, sender: stranger })).json).toMatchObject({ error: 115 });
    expect((await sign(bad, `/transactions/sign/${stranger}`)).json).toMatchObject({ error: 102 });
    expect((await sign(badData, `/transactions/sign/${stranger}`)).json).toMatchObject({ error: 115 });
    expect((await sign(badData)).json).toMatchObject({ error: 112 });
    expect((await sign({ ...transfer, sender: "3P8qJyxUqizCWWtEn2zsLZVPzZAjdNGppB1" })).json).toMatchObject({
      error: 102,
    });
  });

  test("an account that is deleted between the two calls signs nothing", async () => {
    const wallet = testWallet(network);
    const accounts = async () => {
      const all = await wallet.accounts();
      await wallet.delete(decodeBase58(first));
      return all;
    };
    const calls = { accounts, sign: (...args: Parameters<typeof wallet.sign>) => wallet.sign(...args) };
    const node = nodeOf({ wallet: calls as never });
    expect((await sign(transfer, "/transactions/sign", node)).json).toMatchObject({ error: 115 });
  });
});

describe("committing to generate", () => {
  const commit = { type: 19, sender: first, generationPeriodStart: 1_001, timestamp: 5 };
  const blsKeyOf = async (address: string) =>
    (await request(nodeOf(), "GET", `/addresses/bls/${address}`, undefined, {})).json["blsPublicKey"] as string;
  const holds = ({ endorserPublicKey, commitmentSignature, generationPeriodStart }: Json) => {
    const key = decodeBase58(endorserPublicKey as string);
    const message = proofOfPossessionMessage(key, generationPeriodStart as number);
    return blsVerify(key, message, decodeBase58(commitmentSignature as string));
  };

  test("everybody may know the BLS keys of the accounts", async () => {
    expect(decodeBase58(await blsKeyOf(first))).toHaveLength(48);
    expect(await blsKeyOf(second)).not.toBe(await blsKeyOf(first));
    expect((await request(nodeOf(), "GET", `/addresses/bls/${recipient}`, undefined, {})).json).toEqual({
      error: 115,
      message: "no private key for sender address in wallet",
    });
    expect((await request(nodeOf(), "GET", "/addresses/bls/bad", undefined, {})).json).toMatchObject({ error: 102 });
  });

  test("key, proof and fee are filled in, of the account that signs", async () => {
    for (const [path, signer] of [
      ["/transactions/sign", first],
      [`/transactions/sign/${second}`, second],
    ] as const) {
      const { status, text, json } = await sign(commit, path);
      expect(status, text).toBe(200);
      expect(json).toMatchObject({ type: 19, version: 1, chainId, sender: first, fee: 10_000_000, timestamp: 5 });
      expect(json["endorserPublicKey"]).toBe(await blsKeyOf(signer));
      expect(holds(json)).toBe(true);
      expect(transactionFromJson(parseJson(text), chainId)).toMatchObject({ type: 19, generationPeriodStart: 1_001 });
    }
  });

  test("what the request says itself stands", async () => {
    const own = { endorserPublicKey: await blsKeyOf(second), commitmentSignature: "1".repeat(96), fee: 20_000_000 };
    expect((await sign({ ...commit, ...own })).json).toMatchObject(own);
  });

  test("without a period it is the next one, and before feature 25 there is none", async () => {
    const { generationPeriodStart: _, ...periodless } = commit;
    expect((await sign(periodless)).json).toMatchObject({ error: 199, message: "missing generation period start" });
  });

  test("a period that is no height is as none", async () => {
    expect((await sign({ ...commit, generationPeriodStart: "soon" })).json).toMatchObject({ error: 199 });
    expect((await sign({ ...commit, generationPeriodStart: 2 ** 40 })).json).toMatchObject({ error: 199 });
  });

  test("an account that the wallet does not have commits nothing", async () => {
    const missing = { error: 115, message: "no private key for sender address in wallet" };
    expect((await sign({ ...commit, sender: recipient })).json).toEqual(missing);
    expect((await sign(commit, `/transactions/sign/${recipient}`)).json).toEqual(missing);
  });
});

describe("unsigned transactions", () => {
  test.each([
    ["/transactions/calculateFee", false],
    ["/utils/transactionSerialize", false],
    ["/transactions/sign", true],
    [`/transactions/sign/${second}`, true],
  ])("%s is 405 for GET", async (path, isPrivate) => {
    const node = nodeOf();
    expect(await request(node, "GET", path)).toMatchObject({ status: 405, json: undefined });
    expect((await request(node, "GET", path, undefined, {})).status).toBe(isPrivate ? 403 : 405);
    expect((await request(node, "PUT", path)).status).toBe(404);
  });

  test("a type that does not exist is refused where the reference breaks", async () => {
    const body = { type: 99, senderPublicKey: "C7NL1ngDhtGmzrUrjuaX9AQn5XF9cmDh9XGMQNwKvWhX" };
    expect(await request(nodeOf(), "POST", "/transactions/calculateFee", body)).toMatchObject({
      status: 400,
      json: { error: 199, message: "Bad transaction type (99) and version (1)" },
    });
  });

  test("the version of a fee's transaction may be a text, and is refused in other words", async () => {
    const { sender: _, ...rest } = transfer;
    const body = { ...rest, senderPublicKey: "C7NL1ngDhtGmzrUrjuaX9AQn5XF9cmDh9XGMQNwKvWhX" };
    const path = "/transactions/calculateFee";
    expect((await request(nodeOf(), "POST", path, { ...body, version: "2" })).json).toEqual({
      feeAssetId: null,
      feeAmount: 100_000,
    });
    expect((await request(nodeOf(), "POST", path, { ...body, version: "x" })).json).toMatchObject({
      error: 1,
      validationErrors: { obj: [{ msg: ["Can't parse version"], args: [] }] },
    });
  });

  test("the fee is that of the key's account on this network, also where the transaction is of another", async () => {
    const senderPublicKey = "FC4VS8rfGda8a8AttXL8TpfhopogVPggQFWvtdTP1d98";
    const body = { type: 17, senderPublicKey, assetId: otherAsset, name: "Named", description: "" };
    for (const chain of [chainId, 87]) {
      const { json } = await request(nodeOf(), "POST", "/transactions/calculateFee", { ...body, chainId: chain });
      expect(json).toEqual({ feeAssetId: null, feeAmount: 500_000 });
    }
  });

  test("the bytes of a transaction are those that are signed, whether the sender is `senderPublicKey` or `senderPk`", async () => {
    const senderKey = "AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV";
    const { sender: _, ...rest } = transfer;
    const bytesOf = async (body: Json) =>
      (await request(nodeOf(), "POST", "/utils/transactionSerialize", body)).json["bytes"];
    const signed = transactionFromJson(
      parseJson(JSON.stringify({ ...rest, senderPublicKey: senderKey, proofs: [] })),
      chainId,
    );
    expect(await bytesOf({ ...rest, senderPublicKey: senderKey })).toEqual([...signed.bodyBytes]);
    expect(await bytesOf({ ...rest, senderPk: senderKey })).toEqual([...signed.bodyBytes]);
  });

  const strangers = (count: number) => Array.from({ length: count }, () => ({}));
  const nested = { type: "list", value: strangers(200_000) };
  test.each([
    ["entries", { type: 12, data: strangers(200_000) }],
    ["recipients", { type: 11, transfers: strangers(200_000) }],
    ["arguments", { type: 16, dApp: recipient, payment: [], call: { function: "f", args: strangers(200_000) } }],
    ["elements of an argument", { type: 16, dApp: recipient, payment: [], call: { function: "f", args: [nested] } }],
    ["proofs", { type: 12, data: [], proofs: strangers(200_000) }],
  ])("of 200,000 %s that are none the first thousand complaints are told", async (_, own) => {
    const senderPublicKey = "C7NL1ngDhtGmzrUrjuaX9AQn5XF9cmDh9XGMQNwKvWhX";
    const body = { senderPublicKey, fee: 1, timestamp: 5, version: 1, proofs: [], ...own };
    const { status, json } = await request(nodeOf(), "POST", "/utils/transactionSerialize", body);
    const complaints = Object.values(json["validationErrors"] as Readonly<Record<string, unknown[]>>).flat();
    expect([status, complaints.length]).toEqual([400, 1_000]);
  });
});
