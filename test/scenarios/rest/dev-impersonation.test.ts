/** Transactions without authorization on a dev chain, as clients send them. */
import { libs, transfer as signedTransfer } from "@waves/waves-transactions";
import { beforeEach, describe, expect, test } from "vitest";
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { encodePrefixedBase64 } from "../../../src/crypto/base64.ts";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { compileRide, directives } from "../../../verification/chain-generator/ride/compile-ride.ts";
import { readModelDifferences } from "../../../verification/sqlite/compare-read-model.ts";
import { DevNode } from "../../support/builders/dev-node.ts";

const chainId = 82;
/** Key with an unknown private key. */
const publicKey = new Uint8Array(32).fill(77) as PublicKey;
const account = addressText(addressOfPublicKey(publicKey, chainId));
const elsewhere = addressText(addressOfPublicKey(new Uint8Array(32).fill(78) as PublicKey, chainId));
const timestamp = 1_700_000_000_000;
const common = { senderPublicKey: encodeBase58(publicKey), fee: 1_000_000, timestamp };
const transfer = { ...common, type: 4, version: 3, recipient: elsewhere, amount: 5 };
const wrongProof = encodeBase58(new Uint8Array(64).fill(3));

let chain: DevNode;
beforeEach(async () => {
  chain = new DevNode();
  await chain.post("/dev/fund", { address: account, amount: 1_000_000_000 });
});

const impersonate = (enabled?: boolean) => chain.post("/dev/impersonate", { address: account, enabled });
const broadcast = (body: object) => chain.post("/transactions/broadcast", body);
const balance = async () => (await chain.get(`/addresses/balance/${elsewhere}`)).json["balance"];

describe("transactions of an impersonated account", () => {
  test.each([
    ["without proofs", { proofs: [] }],
    ["without the member", {}],
    ["with null for proofs", { proofs: null }],
    ["with an invalid proof", { proofs: [wrongProof] }],
    ["with more proofs than one", { proofs: [wrongProof, "1"] }],
  ])("are taken %s from then on", async (_, proofs) => {
    const sent = { ...transfer, ...proofs };
    expect((await broadcast(sent)).status).toBe(400);
    expect((await impersonate()).json).toMatchObject({ impersonated: [account] });
    const { status, json } = await broadcast(sent);
    expect(status).toBe(200);
    await chain.mine();
    const placed = await chain.get(`/transactions/info/${json["id"] as string}`);
    expect(placed.json).toMatchObject({ applicationStatus: "succeeded", sender: account, height: chain.height });
    expect(await balance()).toBe(5);
    expect(readModelDifferences(chain.database.database, chain.readModel)).toEqual([]);
  });

  const others = [
    { type: 12, version: 1, data: [{ key: "a", type: "integer", value: 1 }] },
    { type: 10, version: 2, alias: "nobodys" },
    {
      type: 3,
      version: 2,
      name: "Token",
      description: "",
      quantity: 10,
      decimals: 0,
      reissuable: false,
      fee: 100_000_000,
    },
    { type: 8, version: 2, recipient: elsewhere, amount: 1 },
    { type: 13, version: 1, script: null },
    { type: 4, version: 1, recipient: elsewhere, amount: 1 },
  ];
  test.each(others.map((fields) => [fields.type, fields.version, fields] as const))(
    "of type %i and version %i are taken",
    async (_, __, fields) => {
      await impersonate();
      const { status, json } = await broadcast({ ...common, ...fields });
      expect(status).toBe(200);
      await chain.mine();
      chain.restart();
      expect((await chain.get(`/transactions/info/${json["id"] as string}`)).status).toBe(200);
      expect((await chain.get(`/blocks/at/${chain.height}`)).json["transactionCount"]).toBe(1);
    },
  );

  test("have ids of their own, also where a signature stands for proofs", async () => {
    await impersonate();
    const first = { ...common, type: 4, version: 1, recipient: elsewhere, amount: 1 };
    const answers = [await broadcast(first), await broadcast({ ...first, amount: 2 })];
    expect(new Set(answers.map(({ json }) => json["id"])).size).toBe(2);
    await chain.mine();
    expect(await balance()).toBe(3);
  });

  test("do not run a script that refuses everything", async () => {
    const script = encodePrefixedBase64(compileRide(`${directives(6, "EXPRESSION", "ACCOUNT")}\nfalse`));
    await chain.post("/dev/setScript", { publicKey: encodeBase58(publicKey), script });
    expect((await broadcast({ ...transfer, proofs: [] })).status).toBe(400);
    await impersonate();
    expect((await broadcast({ ...transfer, proofs: [] })).status).toBe(200);
    await chain.mine();
    expect(await balance()).toBe(5);
  });

  test("are taken with a block for each as well", async () => {
    await chain.post("/dev/automine", { enabled: true });
    await impersonate();
    expect((await broadcast(transfer)).status).toBe(200);
    expect(await balance()).toBe(5);
  });

  test("are valid to those who ask", async () => {
    const valid = async () => (await chain.post("/debug/validate", { ...transfer, proofs: [] })).json["valid"];
    expect(await valid()).toBe(false);
    await impersonate();
    expect(await valid()).toBe(true);
    await impersonate(false);
    expect(await valid()).toBe(false);
  });
});

describe("impersonation", () => {
  test("outlives the object, until it is ended", async () => {
    await impersonate();
    chain.restart();
    expect((await chain.get("/dev/status")).json).toMatchObject({ impersonated: [account] });
    expect((await broadcast({ ...transfer, proofs: [] })).status).toBe(200);
    expect((await impersonate(false)).json).toMatchObject({ impersonated: [] });
    expect((await broadcast({ ...transfer, amount: 6, proofs: [] })).status).toBe(400);
    chain.restart();
    expect((await chain.get("/dev/status")).json).toMatchObject({ impersonated: [] });
  });

  test.each([
    ["none", []],
    ["a wrong one", [wrongProof]],
  ])("ends for what waits in the pool with %s for a proof", async (_, proofs) => {
    await impersonate();
    expect((await broadcast({ ...transfer, proofs })).status).toBe(200);
    await impersonate(false);
    await chain.mine();
    expect(await balance()).toBe(0);
    expect(chain.node.pool.size).toBe(0);
  });

  const page = { "Sec-Fetch-Site": "cross-site" };
  const key = { "X-Api-Key": privateNetworkSecrets.apiKey };
  test.each([
    ["a page of another site", page, 403],
    ["such a page with the API key", { ...page, ...key }, 200],
    ["a page of the node", { "Sec-Fetch-Site": "same-origin" }, 200],
    ["a program", {}, 200],
  ])("lets %s send transactions without proofs, or refuses them", async (_, client, status) => {
    await impersonate();
    const sent = { ...transfer, proofs: [] };
    expect((await chain.postFrom(client, "/transactions/broadcast", sent)).status).toBe(status);
  });

  test("does not matter for pages of other sites that send signed transactions, nor without impersonated accounts", async () => {
    const path = "/transactions/broadcast";
    expect((await chain.postFrom(page, path, { ...transfer, proofs: [] })).status).toBe(400);
    await impersonate();
    const seed = "a client of a page";
    await chain.post("/dev/fund", { address: libs.crypto.address(seed, chainId), amount: 10_000_000 });
    const signed = signedTransfer({ recipient: elsewhere, amount: 5, chainId, timestamp: transfer.timestamp }, seed);
    expect((await chain.postFrom(page, path, signed)).status).toBe(200);
  });

  test("is part of what a revert puts back", async () => {
    await chain.post("/dev/snapshot", { name: "nobody" });
    await impersonate();
    await chain.post("/dev/snapshot", { name: "one" });
    await chain.post("/dev/revert", { name: "nobody" });
    expect((await chain.get("/dev/status")).json).toMatchObject({ impersonated: [] });
    expect((await broadcast({ ...transfer, proofs: [] })).status).toBe(400);
    await impersonate();
    await chain.post("/dev/snapshot", { name: "one" });
    await impersonate(false);
    await chain.post("/dev/revert", { name: "one" });
    expect((await chain.get("/dev/status")).json).toMatchObject({ impersonated: [account] });
    expect((await broadcast({ ...transfer, proofs: [] })).status).toBe(200);
  });

  test("is of the account alone", async () => {
    await impersonate();
    const others = { ...transfer, senderPublicKey: encodeBase58(new Uint8Array(32).fill(78)), proofs: [] };
    await chain.post("/dev/fund", { address: elsewhere, amount: 10_000_000 });
    expect((await broadcast(others)).status).toBe(400);
  });

  test("wants an address of this network", async () => {
    expect((await chain.post("/dev/impersonate", { address: "3P9DEDP5VbyXQyKtXDUt2crRPn5B7gs6ujc" })).status).toBe(400);
    expect((await chain.post("/dev/impersonate", {})).status).toBe(400);
    expect((await chain.get("/dev/status")).json).toMatchObject({ impersonated: [] });
  });
});
