/** Requests of Ethereum's tools, and responses that are not in the recordings. */
import { beforeAll, describe, expect, test } from "vitest";
import { parseAddress } from "../../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import { hexText } from "../../../src/crypto/hex.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { JsonValue } from "../../../src/protocol/json.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import { EthereumWallet } from "../../../verification/chain-generator/ethereum-wallet.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

const chainId = 82;
const account = "0x2789c985d35d67d685dc0e98ba2f216d86be8fbc";
const balance = "0x39d7946ca17e47d3c2b800";
const assetId = "HejzhR8Ptc6EbPh6Hi31CGG7RW2PD8TNMyseD1qr8zzD";
const token = "0xf76618589c85013ef3d4d1706f1c7f9d34b72332";
const transferData = `a9059cbb${account.slice(2).padStart(64, "0")}${"5".padStart(64, "0")}`;
const noRoute = "The requested resource could not be found but may be available again in the future.";
const jsonHeaders = { "Content-Type": "application/json" };

let node: TestNode;
let broadcasts: Uint8Array[];
beforeAll(async () => {
  broadcasts = [];
  node = testNode({
    database: await recordedReadModel(),
    network: fixtureText("private-a/network.json"),
    chainState: {
      broadcastAll: async (offers) =>
        offers.map(({ signedTransaction }) => {
          broadcasts.push(signedTransaction);
          return { accepted: true, isNew: true };
        }),
    },
  });
});

async function post(body: unknown, headers: Record<string, string> = jsonHeaders, path = "/eth") {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await node.fetch(path, { method: "POST", headers, body: new TextEncoder().encode(text) });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Result of a call, or its error. */
async function resultOf(method: string, ...params: readonly JsonValue[]): Promise<unknown> {
  const { text } = await post({ jsonrpc: "2.0", id: 1, method, params });
  const answer = JSON.parse(text) as { readonly result?: unknown };
  return "result" in answer ? answer.result : answer;
}

describe("POST /eth", () => {
  test.each(["7", '"text"', "null", "123456789012345678901", "1.5", "1E+400", "[1]", '{"a":1}'])(
    "gives the id %s back",
    async (id) => {
      const { text } = await post(`{"id":${id},"method":"eth_chainId"}`);
      expect(text).toBe(`{"id":${id},"jsonrpc":"2.0","result":"0x52"}`);
    },
  );

  test("takes requests without id, with members of others, and without parameters where none are needed", async () => {
    expect((await post({ method: "eth_chainId", origin: "x", params: { a: 1 } })).text).toBe(
      '{"id":null,"jsonrpc":"2.0","result":"0x52"}',
    );
  });

  test.each([{ method: "eth_accounts" }, { method: "constructor" }, { method: "__proto__" }, { method: 5 }, {}])(
    "answers a method that it does not know with nothing: %j",
    async (body) => {
      expect(await post({ id: 1, ...body })).toMatchObject({ status: 200, text: "{}" });
    },
  );

  test.each(["[]", '[{"method":"eth_chainId"}]', "5", '"x"', "null", "{", ""])("takes no body %s", async (body) => {
    expect(await post(body)).toMatchObject({ status: 404, text: noRoute });
  });

  test("takes JSON only, and one slash at the end", async () => {
    const body = { id: 1, method: "eth_chainId" };
    expect(await post(body, { "Content-Type": "text/plain" })).toMatchObject({ status: 404, text: noRoute });
    expect(await post(body, { "Content-Type": "application/json; charset=utf-8" })).toMatchObject({ status: 200 });
    expect(await post(body, jsonHeaders, "/eth/")).toMatchObject({ status: 200 });
    expect(await post(body, jsonHeaders, "/eth//")).toMatchObject({ status: 404, text: noRoute });
    expect((await node.fetch("/eth")).status).toBe(404);
  });

  test("lets pages of others read its answers", async () => {
    const origin = "https://wallet.example";
    const { headers } = await post({ id: 1, method: "eth_chainId" }, { ...jsonHeaders, Origin: origin });
    expect(headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(headers.get("Access-Control-Allow-Credentials")).toBe("true");
  });

  test.each([[], [null], [7], [{}], [["x"]]])("asks for its parameter where it is %j", async (...params) => {
    const { status, text } = await post({ id: 1, method: "eth_getBalance", params });
    expect({ status, text }).toEqual({
      status: 400,
      text: '{"error":199,"message":"Error extracting required parameter"}',
    });
  });

  test("reads digits as the reference does: in any case, with or without prefix", async () => {
    expect(await resultOf("eth_getBalance", account)).toBe(balance);
    expect(await resultOf("eth_getBalance", account.slice(2).toUpperCase())).toBe(balance);
  });

  test.each([
    ["eth_getBalance", "0x12"],
    ["eth_getBalance", `${account}00`],
    ["eth_getCode", ""],
    ["eth_call", {}],
    ["eth_call", { to: token }],
    ["eth_call", { data: "0x95d89b41" }],
    ["eth_call", { to: "0x12", data: "0x95d89b41" }],
    ["eth_call", { to: token, data: "0x70a0823112" }],
    ["eth_estimateGas", { to: "bad", value: "0x1" }],
    ["eth_estimateGas", { to: account, value: "0x" }],
    ["eth_estimateGas", { to: account, value: "ten" }],
    ["eth_estimateGas", { to: account, value: `0x${"f".repeat(40)}` }],
    ["eth_estimateGas", { to: account, value: `0x${"f".repeat(40)}`, data: "0x12345678" }],
    ["eth_estimateGas", { to: token, data: "0xa9059cbb00" }],
    ["eth_estimateGas", { to: token, data: `0x${transferData.slice(0, -64)}${"f".repeat(64)}` }],
    ["eth_sendRawTransaction", "0x"],
    ["eth_sendRawTransaction", "0x01c0"],
    ["eth_sendRawTransaction", "0xc3010203"],
    // It can be parsed, but no node could parse the relayed form.
    [
      "eth_sendRawTransaction",
      "0xf85c8601a2043688cb8502540be400830186a094e774257922962893c613a9c8672d391c3cd3a0cc85104c533c008081c7a079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f817988a7f01020304050607089901",
    ],
  ])("refuses %s of %j, which the reference breaks on", async (method, parameter) => {
    const { status, text } = await post({ id: 1, method, params: [parameter] });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({ error: 199, message: expect.any(String) });
  });

  test.each([
    ["0x10", "0x10"],
    ["zz0010", "0x10"],
    ["0x-1", "0x-1"],
    ["0x7fffffff", "0x7fffffff"],
    ["0x80000000", { error: 199, message: "Request parameter is not number nor supported tag" }],
    ["0x", { error: 199, message: "Request parameter is not number nor supported tag" }],
  ])("gives the number of a block back without looking: %s", async (text, expected) => {
    const answer = await resultOf("eth_getBlockByNumber", text);
    expect(answer).toEqual(typeof expected === "string" ? { number: expected } : expected);
  });

  test.each([
    [{ to: token, data: `0x${transferData}` }, "0x186a0"],
    [{ to: token, data: `0x${transferData}00` }, "0x186a0"],
    // A missing digit counts at the start of a word, an extra one shifts all words.
    [
      { to: token, data: `0x${transferData.slice(0, -1)}` },
      { error: 115, message: `non-positive amount: 0 of ${token}` },
    ],
    [{ to: token, data: `0x${transferData.slice(0, -2)}5` }, "0x186a0"],
    [
      { to: token, data: `0x${transferData}0` },
      { error: 115, message: `non-positive amount: 0 of ${token}` },
    ],
    // In upper case it is not a transfer for the reference.
    [{ to: token, data: transferData.toUpperCase() }, "0x7a120"],
    [{ to: account, data: "0x1" }, "0x7a120"],
    [{ value: "2540be400" }, "0x186a0"],
    [{ value: 5 }, { error: 199, message: "Transaction cancellation is not supported" }],
    [{ value: "-2540be400" }, { error: 111, message: "negative amount: -1 of waves" }],
    [
      { value: "0x1", data: "0x12" },
      { error: 199, message: "Transaction should have either data or value" },
    ],
    [
      { to: token, data: `0x${transferData.slice(0, -1)}0` },
      { error: 115, message: `non-positive amount: 0 of ${token}` },
    ],
  ])("estimates %j", async (transaction, expected) => {
    expect(await resultOf("eth_estimateGas", transaction)).toEqual(expected);
  });

  test("an unknown contract has no balance and no code", async () => {
    const unknown = `0x${"22".repeat(20)}`;
    expect(await resultOf("eth_call", { to: unknown, data: "0x70a0823112" })).toBe(`0x${"0".repeat(64)}`);
    expect(await resultOf("eth_getCode", unknown)).toBe("0x");
    expect(await resultOf("eth_getCode", token)).toBe("0xff");
  });

  test("unknown ids are null, of any size", async () => {
    for (const method of ["eth_getTransactionReceipt", "eth_getTransactionByHash", "eth_getBlockByHash"])
      for (const id of ["", "0x12", `0x${"12".repeat(32)}`, `0x${"12".repeat(64)}`, "what"])
        expect(await resultOf(method, id), `${method} ${id}`).toBeNull();
  });

  test("a raw transaction reaches the pool as it was signed", async () => {
    const wallet = new EthereumWallet("of a test", chainId);
    const recipient = parseAddress("3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF", chainId) as Address;
    const asset = null;
    const transaction = wallet.transfer({ recipient, asset, amount: 1n, fee: 100_000n, timestamp: 1_795_223_923_917n });
    broadcasts = [];
    expect(await resultOf("eth_sendRawTransaction", hexText(transaction.ethereumBytes))).toBe(hexText(transaction.id));
    expect(broadcasts.map((bytes) => encodeBase58(parseSignedTransaction(bytes, chainId).id))).toEqual([
      encodeBase58(transaction.id),
    ]);
  });
});

describe("/eth/assets", () => {
  const other = "0x9c1013e1c728d4f2776ae33bed7f6ace8c1d539c";
  const otherId = "BWCpZYPJ9HBF9yuKB7qSNqCpjdz9URAcE6sF2soKFJGB";

  async function idsOf(response: Response): Promise<readonly string[]> {
    return ((await response.json()) as readonly { readonly assetId: string }[]).map((asset) => asset.assetId);
  }

  test("keeps order and repetitions, in all three forms", async () => {
    const ids = [other, token, other];
    const query = ids.map((id) => `id=${id}`).join("&");
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const expected = [otherId, assetId, otherId];
    expect(await idsOf(await node.fetch(`/eth/assets?${query}`))).toEqual(expected);
    expect(JSON.parse((await post(query, form, "/eth/assets")).text)).toMatchObject(
      expected.map((id) => ({ assetId: id })),
    );
    expect(JSON.parse((await post({ ids }, jsonHeaders, "/eth/assets")).text)).toMatchObject(
      expected.map((id) => ({ assetId: id })),
    );
  });

  test("wants some ids, at most a hundred, and no slash at the end", async () => {
    expect((await node.fetch("/eth/assets")).status).toBe(404);
    expect((await node.fetch(`/eth/assets/?id=${token}`)).status).toBe(404);
    const { status, text } = await post({ ids: Array.from({ length: 101 }, () => "x") }, jsonHeaders, "/eth/assets");
    expect({ status, text }).toEqual({
      status: 400,
      text: '{"error":10,"message":"Too big sequence requested: max limit is 100 entries"}',
    });
  });

  test("names the ids that are no asset's, as digits, and those that are no ids", async () => {
    const unknown = "AB".repeat(20);
    expect(JSON.parse((await post({ ids: [token, unknown, unknown] }, jsonHeaders, "/eth/assets")).text)).toMatchObject(
      {
        error: 116,
        ids: [`0x${"ab".repeat(20)}`, `0x${"ab".repeat(20)}`],
      },
    );
    expect(JSON.parse((await post({ ids: [token, "zz", unknown] }, jsonHeaders, "/eth/assets")).text)).toMatchObject({
      error: 116,
      ids: ["zz"],
    });
  });

  test("an asset is found by the first 20 bytes of its id", () => {
    expect(hexText(decodeBase58(assetId).subarray(0, 20))).toBe(token);
  });
});

test("/eth/abi of an account without a script is nothing, not even a type", async () => {
  const response = await node.fetch("/eth/abi/3MHsLz2JEyhGiZvzCo4bT8cqRmznUTWij5M");
  expect({ status: response.status, type: response.headers.get("Content-Type"), text: await response.text() }).toEqual({
    status: 200,
    type: null,
    text: "",
  });
});
