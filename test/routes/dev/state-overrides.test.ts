/** State overrides of a dev chain's owner, as clients see them. */
import { beforeEach, describe, expect, test } from "vitest";
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { encodePrefixedBase64 } from "../../../src/crypto/base64.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import { keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import { I64_MAX } from "../../../src/protocol/codec/i64.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { compileRide, directives } from "../../../verification/chain-generator/ride/compile-ride.ts";
import { countMoney } from "../../../verification/simulation/conserved-money.ts";
import { readModelDifferences } from "../../../verification/sqlite/compare-read-model.ts";
import { DevNode, type NodeResponse } from "../../support/builders/dev-node.ts";
import { signedBy } from "../../support/builders/signed-by.ts";
import { richKey, signedTransfer } from "../../support/builders/signed-transfer.ts";

const chainId = 82;
const common = { chainId, feeAsset: null, proofs: [], timestamp: 1_700_000_000_000n } as const;
const otherKey = keyPairOfAccountSeed(new Uint8Array(32).fill(7));
const addressOf = ({ publicKey }: KeyPair) => addressText(addressOfPublicKey(publicKey, chainId));
const otherAddress = addressOf(otherKey);
const rich = addressOf(richKey);
const dApp = compileRide(`${directives(6, "DAPP", "ACCOUNT")}
@Callable(i)
func count(step: Int) = {
  let now = getInteger(this, "count").valueOrElse(0)
  [IntegerEntry("count", now + step), BinaryEntry("key", i.callerPublicKey)]
}
@Verifier(tx)
func verify() = sigVerify(tx.bodyBytes, tx.proofs[0], tx.senderPublicKey)`);

let chain: DevNode;
beforeEach(async () => {
  chain = new DevNode();
  await chain.mine();
});

/** The whole state of the chain as text. */
const state = () => chain.database.dump(stateTables.map(({ name }) => name));
const differences = () => readModelDifferences(chain.database.database, chain.readModel);

/** Expects an override in the next block, complete, rolled back with it, and without effect on later blocks. */
async function expectOverride(edit: () => Promise<NodeResponse>, check: () => Promise<void>): Promise<void> {
  const { height } = chain;
  const before = state();
  expect(await edit()).toEqual({ status: 200, json: { height: height + 1 } });
  expect(chain.height).toBe(height + 1);
  await check();
  expect(differences()).toEqual([]);
  chain.restart();
  await check();
  // After it, in the same block and in the next ones.
  await chain.send(signedTransfer({ timestamp: BigInt(chain.wallMs) }));
  await chain.mine();
  expect(chain.node.pool.size).toBe(0);
  await chain.mine();
  await check();
  expect(differences()).toEqual([]);
  const heights = Array.from({ length: chain.height }, (_, index) => index + 1);
  for (const each of heights) expect((await chain.get(`/debug/stateHash/${each}`)).status).toBe(200);
  // A rollback to its block keeps the override, a deeper one removes it.
  const rollBack = (to: number) => chain.post("/debug/rollback", { rollbackTo: to, returnTransactionsToUtx: false });
  expect((await rollBack(height + 1)).status).toBe(200);
  await check();
  expect((await rollBack(height)).status).toBe(200);
  expect(state()).toBe(before);
  expect(differences()).toEqual([]);
}

const balanceOf = async (address: string) => (await chain.get(`/addresses/balance/${address}`)).json["balance"];

describe("data", () => {
  const entries = [
    { key: "int", type: "integer", value: 5 },
    { key: "bool", type: "boolean", value: true },
    { key: "bytes", type: "binary", value: "base64:AQI=" },
    { key: "text", type: "string", value: "some" },
  ];

  test("are there when they are answered, and go with their block", async () => {
    await expectOverride(
      () => chain.post("/dev/setData", { address: otherAddress, entries }),
      async () => expect((await chain.get(`/addresses/data/${otherAddress}/text`)).json).toEqual(entries[3]),
    );
  });

  test("are replaced and deleted", async () => {
    await chain.post("/dev/setData", { address: otherAddress, entries });
    const later = [
      { key: "int", value: null },
      { key: "text", type: "integer", value: -1 },
    ];
    await chain.post("/dev/setData", { address: otherAddress, entries: later });
    const { json } = await chain.get(`/addresses/data/${otherAddress}`);
    expect(json).toEqual([entries[1], entries[2], later[1]]);
  });

  test("of more entries than a transaction has are set at once", async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => ({ key: `k${index}`, type: "integer", value: index }));
    expect((await chain.post("/dev/setData", { address: otherAddress, entries: many })).status).toBe(200);
    expect((await chain.get(`/addresses/data/${otherAddress}/k2499`)).json).toEqual(many[2_499]);
  });

  test.each([
    ["a value of another type", [{ key: "a", type: "integer", value: "1" }]],
    ["a key twice", [entries[0], entries[0]]],
    ["an empty key", [{ key: "", type: "integer", value: 1 }]],
    ["a key that is too long", [{ key: "a".repeat(401), type: "integer", value: 1 }]],
    ["a value that is too long", [{ key: "a", type: "string", value: "a".repeat(32_768) }]],
  ])("with %s are refused, and nothing happens", async (_, wrong) => {
    const { height } = chain;
    const { status, json } = await chain.post("/dev/setData", { address: otherAddress, entries: wrong });
    expect(status).toBe(400);
    expect(json).toHaveProperty("error");
    expect(chain.height).toBe(height);
  });

  test("want entries and an address of this network", async () => {
    expect((await chain.post("/dev/setData", { address: otherAddress })).status).toBe(400);
    expect((await chain.post("/dev/setData", { address: "3P", entries })).status).toBe(400);
  });
});

describe("a script", () => {
  const script = encodePrefixedBase64(dApp);
  const setScript = (fields: object) => chain.post("/dev/setScript", fields);

  test("is there when it is answered, and goes with its block", async () => {
    await expectOverride(
      () => setScript({ publicKey: encodeBase58(otherKey.publicKey), script }),
      async () => expect((await chain.get(`/addresses/scriptInfo/${otherAddress}`)).json).toMatchObject({ script }),
    );
  });

  test("costs what it would cost if a transaction had set it", async () => {
    await setScript({ publicKey: encodeBase58(otherKey.publicKey), script });
    const transaction = buildTransaction({
      ...common,
      type: TransactionType.SetScript,
      version: 2,
      sender: richKey.publicKey,
      fee: 2_000_000n,
      script: dApp,
    });
    expect((await chain.send(signedBy(richKey, transaction))).status).toBe(200);
    await chain.mine();
    const { address, publicKey, ...set } = (await chain.get(`/addresses/scriptInfo/${otherAddress}`)).json;
    expect([address, publicKey]).toEqual([otherAddress, encodeBase58(otherKey.publicKey)]);
    expect((await chain.get(`/addresses/scriptInfo/${rich}`)).json).toEqual({
      ...set,
      address: rich,
      publicKey: encodeBase58(richKey.publicKey),
    });
    expect(chain.node.chain.view.findAccountScript(addressOfPublicKey(otherKey.publicKey, chainId))).toEqual({
      ...chain.node.chain.view.findAccountScript(addressOfPublicKey(richKey.publicKey, chainId)),
      address: expect.anything() as unknown,
      height: expect.anything() as unknown,
      publicKey: otherKey.publicKey,
    });
  });

  test("runs", async () => {
    await setScript({ publicKey: encodeBase58(otherKey.publicKey), script });
    await chain.post("/dev/setData", {
      address: otherAddress,
      entries: [{ key: "count", type: "integer", value: 40 }],
    });
    const call = buildTransaction({
      ...common,
      type: TransactionType.InvokeScript,
      version: 2,
      sender: richKey.publicKey,
      fee: 500_000n,
      dApp: { kind: "address", address: addressOfPublicKey(otherKey.publicKey, chainId) },
      call: { function: "count", args: [{ type: "integer", value: 2n }] },
      payments: [],
    });
    expect((await chain.send(signedBy(richKey, call))).status).toBe(200);
    await chain.mine();
    expect((await chain.get(`/addresses/data/${otherAddress}/count`)).json).toMatchObject({ value: 42 });
  });

  test("of an account that is named by its address needs a key that the chain has seen", async () => {
    expect((await setScript({ address: otherAddress, script: null })).status).toBe(200);
    const { height } = chain;
    const refused = await setScript({ address: otherAddress, script });
    expect(refused.status).toBe(400);
    expect(refused.json["message"]).toContain("give publicKey");
    expect(chain.height).toBe(height);
    await chain.post("/dev/fund", { address: otherAddress, amount: 100_000_000 });
    expect((await setScript({ address: otherAddress, script })).status).toBe(400);
    await chain.send(signedTransfer({ key: otherKey, timestamp: BigInt(chain.wallMs) }));
    await chain.mine();
    expect((await setScript({ address: otherAddress, script })).status).toBe(200);
    // Accounts of the wallet, and with a script.
    const own = chain.node.wallet?.create()?.address;
    expect((await setScript({ address: own && addressText(own), script })).status).toBe(200);
    expect((await setScript({ address: otherAddress, script: null })).status).toBe(200);
    expect((await chain.get(`/addresses/scriptInfo/${otherAddress}`)).json).toMatchObject({
      script: null,
      complexity: 0,
    });
  });

  test("is refused as a transaction's would be, and nothing happens", async () => {
    const { height } = chain;
    const publicKey = encodeBase58(otherKey.publicKey);
    // Allowed for an asset.
    const big = compileRide(
      `${directives(6, "EXPRESSION", "ASSET")}\n${Array.from({ length: 12 }, (_, at) => `let a${at} = sigVerify(base58'', base58'', base58'')`).join("\n")}\n${Array.from({ length: 12 }, (_, at) => `a${at}`).join(" || ")}`,
    );
    const refusals = [
      [encodePrefixedBase64(big), "Script is too complex"],
      ["base64:!", "Unable to decode base64"],
      ["base64:BgEBBgEBBg==", ""],
    ] as const;
    for (const [wrong, message] of refusals) {
      const response = await setScript({ publicKey, script: wrong });
      expect(response.status).toBe(400);
      expect(response.json["message"]).toContain(message);
    }
    expect((await setScript({ script })).status).toBe(400);
    expect((await setScript({ script, publicKey, address: otherAddress })).status).toBe(400);
    expect(chain.height).toBe(height);
  });
});

describe("a balance", () => {
  const setBalance = (fields: object) => chain.post("/dev/setBalance", fields);
  /** Id of an asset with a quantity of ten. */
  const issued = async (): Promise<AssetId> => {
    const issue = buildTransaction({
      ...common,
      type: TransactionType.Issue,
      version: 2,
      sender: richKey.publicKey,
      fee: 100_000_000n,
      name: new TextEncoder().encode("Token"),
      description: new Uint8Array(),
      quantity: 10n,
      decimals: 0,
      reissuable: true,
      script: null,
    });
    await chain.send(signedBy(richKey, issue));
    await chain.mine();
    return issue.id as Uint8Array as AssetId;
  };
  const money = () => countMoney(chain.node.chain, chain.database);

  test("of WAVES is there when it is answered, and goes with its block", async () => {
    await expectOverride(
      () => setBalance({ address: otherAddress, amount: 5_000_000 }),
      async () =>
        expect((await chain.get(`/addresses/balance/${otherAddress}`)).json).toMatchObject({ balance: 5_000_000 }),
    );
  });

  test("makes as many WAVES more or fewer", async () => {
    for (const amount of [7_000, 2_000, 0]) {
      await setBalance({ address: otherAddress, amount });
      expect(await balanceOf(otherAddress)).toBe(amount);
      expect(money().found[0]).toBe(money().expected[0]);
      const { wavesAmount } = chain.node.chain.stored.tip();
      expect((await chain.get("/blockchain/rewards")).json["totalWavesAmount"]).toBe(Number(wavesAmount));
    }
  });

  test("of an asset leaves its quantity alone", async () => {
    const assetId = encodeBase58(await issued());
    await expectOverride(
      () => setBalance({ address: otherAddress, assetId, amount: 1_000 }),
      async () => {
        expect((await chain.get(`/assets/balance/${otherAddress}/${assetId}`)).json).toMatchObject({ balance: 1_000 });
        expect((await chain.get(`/assets/details/${assetId}`)).json).toMatchObject({ quantity: 10 });
      },
    );
  });

  test("of an asset that is burned beyond its quantity leaves that below zero", async () => {
    const asset = await issued();
    const assetId = encodeBase58(asset);
    await setBalance({ address: rich, assetId, amount: 1_000 });
    const burn = buildTransaction({
      ...common,
      type: TransactionType.Burn,
      version: 3,
      sender: richKey.publicKey,
      fee: 100_000n,
      asset,
      amount: 600n,
    });
    expect((await chain.send(signedBy(richKey, burn))).status).toBe(200);
    await chain.mine();
    await chain.mine();
    expect((await chain.get(`/assets/details/${assetId}`)).json).toMatchObject({ quantity: -590 });
    expect((await chain.get(`/assets/balance/${rich}/${assetId}`)).json).toMatchObject({ balance: 400 });
    expect(differences()).toEqual([]);
  });

  test("is refused where there is no such asset, or what is leased out would not be covered", async () => {
    const { height } = chain;
    const unknown = await setBalance({ address: otherAddress, assetId: encodeBase58(new Uint8Array(32)), amount: 1 });
    expect(unknown).toEqual({ status: 400, json: { error: 199, message: "Referenced assetId not found" } });
    expect((await setBalance({ address: otherAddress, assetId: "abc", amount: 1 })).status).toBe(400);
    expect((await setBalance({ address: otherAddress, amount: -1 })).status).toBe(400);
    expect((await setBalance({ address: otherAddress, amount: "9223372036854775807" })).status).toBe(400);
    const most = `{"address":"${otherAddress}","amount":9223372036854775807}`;
    expect((await chain.post("/dev/setBalance", most)).json["message"]).toContain(
      "half the maximum of a 64-bit number",
    );
    expect(chain.height).toBe(height);
    const lease = buildTransaction({
      ...common,
      type: TransactionType.Lease,
      version: 3,
      sender: richKey.publicKey,
      fee: 100_000n,
      recipient: { kind: "address", address: addressOfPublicKey(otherKey.publicKey, chainId) },
      amount: 50n,
    });
    await chain.send(signedBy(richKey, lease));
    await chain.mine();
    expect((await setBalance({ address: rich, amount: 49 })).status).toBe(400);
    expect(money().found).toEqual(money().expected);
  });

  test("of a generator counts for mining at once, and can be set again on the tip if no account can make a block", async () => {
    expect((await setBalance({ address: rich, amount: 0 })).status).toBe(200);
    const { height } = chain;
    const stuck = { status: 400, json: { error: 199, message: expect.stringContaining("no block can be made") } };
    expect(await chain.post("/dev/mine", {})).toEqual(stuck);
    expect(await setBalance({ address: otherAddress, amount: 1 })).toEqual({ status: 200, json: { height } });
    expect(await balanceOf(otherAddress)).toBe(1);
    expect(await chain.post("/dev/mine", {})).toEqual(stuck);
    expect(await setBalance({ address: rich, amount: 200_000_000_000 })).toEqual({ status: 200, json: { height } });
    expect(differences()).toEqual([]);
    chain.restart();
    expect((await chain.post("/dev/mine", {})).status).toBe(200);
    expect(chain.height).toBe(height + 1);
    expect(money().found).toEqual(money().expected);
    expect(differences()).toEqual([]);
  });

  test("leaves room for what blocks add to the supply", async () => {
    const { wavesAmount } = chain.node.chain.stored.tip();
    const half = I64_MAX / 2n;
    const set = (amount: bigint) => chain.post("/dev/setBalance", `{"address":"${otherAddress}","amount":${amount}}`);
    const { height } = chain;
    expect((await set(half - wavesAmount + 1n)).json["message"]).toContain("half the maximum of a 64-bit number");
    expect(chain.height).toBe(height);
    expect((await set(half - wavesAmount - 10_000_000_000n)).status).toBe(200);
    expect((await chain.post("/dev/mine", { blocks: 3 })).status).toBe(200);
    expect(money().found).toEqual(money().expected);
  });

  test("that the next block's reward leaves no room for is refused, and there is no block", async () => {
    await chain.mine();
    const { wavesAmount } = chain.node.chain.stored.tip();
    const { height } = chain;
    expect(await balanceOf(otherAddress)).toBe(0);
    const most = I64_MAX / 2n - wavesAmount;
    const { json } = await chain.post("/dev/setBalance", `{"address":"${otherAddress}","amount":${most}}`);
    expect(json["message"]).toContain("half the maximum of a 64-bit number");
    expect(chain.height).toBe(height);
    expect(differences()).toEqual([]);
    await chain.post("/dev/setTime", { time: chain.wallMs + 1_000_000 });
    await chain.post("/dev/setBalance", `{"address":"${otherAddress}","amount":${most}}`);
    chain.wallMs += 5_000;
    await chain.mine();
    expect(chain.height).toBe(height + 1);
    expect(chain.timestampMs()).toBe(chain.wallMs + 995_000);
    expect(money().found).toEqual(money().expected);
  });

  test("mends a chain whose rewards no number counts any more, which is refused blocks in words", async () => {
    const { height } = chain;
    const address = addressOfPublicKey(richKey.publicKey, chainId);
    chain.node.overrideState({
      snapshot: { balances: [{ address, asset: null, balance: I64_MAX }] },
      issuedWavelets: 0n,
    });
    const refused = { status: 400, json: { error: 199, message: expect.stringMatching(/overflow/i) } };
    expect(await chain.post("/dev/mine", {})).toEqual(refused);
    await chain.send(signedTransfer({ timestamp: BigInt(chain.wallMs) }));
    expect(await chain.post("/dev/automine", { enabled: true })).toEqual(refused);
    expect((await chain.get("/dev/status")).json).toMatchObject({ automine: false });
    expect(await setBalance({ address: rich, amount: 200_000_000_000 })).toEqual({ status: 200, json: { height } });
    expect((await chain.post("/dev/automine", { enabled: true })).status).toBe(200);
    expect(chain.height).toBe(height + 1);
  });

  test("is refused where no block can be made and nothing goes back below the tip", async () => {
    const first = new DevNode();
    for (const { address } of first.node.wallet?.accounts() ?? []) first.node.wallet?.delete(address);
    first.node.miner.accountsChanged();
    const { status, json } = await first.post("/dev/setBalance", { address: otherAddress, amount: 1 });
    expect({ status, message: json["message"] }).toEqual({
      status: 400,
      message: "no block can be made: the wallet has no accounts",
    });
  });
});

test("what was set goes with a revert, and what was there comes back", async () => {
  const set = async (amount: number) => {
    const publicKey = encodeBase58(otherKey.publicKey);
    const entries = [{ key: "a", type: "integer", value: amount }];
    await chain.post("/dev/setBalance", { address: otherAddress, amount });
    await chain.post("/dev/setData", { address: otherAddress, entries });
    await chain.post("/dev/setScript", { publicKey, script: amount === 1 ? encodePrefixedBase64(dApp) : null });
  };
  await set(1);
  const before = state();
  await chain.post("/dev/snapshot", { name: "before" });
  await set(2);
  expect(await balanceOf(otherAddress)).toBe(2);
  expect((await chain.post("/dev/revert", { name: "before" })).status).toBe(200);
  expect(state()).toBe(before);
  expect(differences()).toEqual([]);
  expect(await balanceOf(otherAddress)).toBe(1);
  expect((await chain.get(`/addresses/data/${otherAddress}/a`)).json).toMatchObject({ value: 1 });
  expect((await chain.get(`/addresses/scriptInfo/${otherAddress}`)).json).toMatchObject({ verifierComplexity: 182 });
  await set(2);
  expect(await balanceOf(otherAddress)).toBe(2);
});

describe("funding", () => {
  test("is an ordinary transfer of the richest account, in a block when it is answered", async () => {
    const { status, json } = await chain.post("/dev/fund", { address: otherAddress, amount: 123 });
    expect(status).toBe(200);
    const { json: transfer } = await chain.get(`/transactions/info/${json["id"] as string}`);
    expect(transfer).toMatchObject({
      type: 4,
      sender: rich,
      recipient: otherAddress,
      amount: 123,
      height: json["height"],
    });
    expect((await chain.get(`/addresses/balance/${otherAddress}`)).json).toMatchObject({ balance: 123 });
  });

  test("twice in a millisecond is twice", async () => {
    const answers = [];
    for (let times = 0; times < 3; times++)
      answers.push(await chain.post("/dev/fund", { address: otherAddress, amount: 1 }));
    expect(new Set(answers.map(({ json }) => json["id"])).size).toBe(3);
    expect((await chain.get(`/addresses/balance/${otherAddress}`)).json).toMatchObject({ balance: 3 });
  });

  test("wants an amount that there is", async () => {
    expect((await chain.post("/dev/fund", { address: otherAddress, amount: 0 })).status).toBe(400);
    const all = `{"address":"${otherAddress}","amount":9223372036854775807}`;
    expect((await chain.post("/dev/fund", all)).status).toBe(400);
    const more = await chain.post("/dev/fund", `{"address":"${otherAddress}","amount":90000000000000000}`);
    expect(more.status).toBe(400);
    expect(chain.node.pool.size).toBe(0);
  });
});
