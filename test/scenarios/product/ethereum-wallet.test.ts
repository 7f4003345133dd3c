/** User of MetaMask on a private chain: gets WAVES and a token, sends both on, and calls a dApp. */
import { issue, seedUtils, setScript, transfer } from "@waves/waves-transactions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressOfPublicKeyHash, addressText, parseAddress, publicKeyHashOf } from "../../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import { hexText, readHex } from "../../../src/crypto/hex.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { type LocalNode, readyNode } from "../../../verification/local-node.ts";
import { eventually, getJson, sentAndConfirmed } from "../../support/builders/started-node.ts";
import { type AbiFunction, callData, EthereumClient } from "../../support/fakes/ethereum-client.ts";

const masterSeed = "waves private node seed with waves tokens";
const chainId = "R";
const chainByte = 82;
const weiPerWavelet = 10n ** 10n;
const transferAbi: AbiFunction = {
  name: "transfer",
  inputs: [
    { name: "to", type: "address" },
    { name: "amount", type: "uint256" },
  ],
};
const source = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
@Callable(i)
func keep(name: String, numbers: List[Int], bytes: ByteVector, isSure: Boolean) = [
  StringEntry("name", name),
  IntegerEntry("second", numbers[1]),
  BinaryEntry("bytes", bytes),
  BooleanEntry("isSure", isSure),
  IntegerEntry("paid", i.payments[0].amount),
  StringEntry("caller", i.caller.toString())
]`;

let node: LocalNode;
let wallet: EthereumClient;
let walletAddress: string;
const dApp = new seedUtils.Seed(seedUtils.generateNewSeed(), chainId);
const receiver = new seedUtils.Seed(seedUtils.generateNewSeed(), chainId);
const token = issue(
  { name: "Token", description: "of a test", quantity: 1_000_000, decimals: 2, reissuable: false, chainId },
  masterSeed,
);
const tokenAddress = hexText(decodeBase58(token.id).subarray(0, 20));

beforeAll(async () => {
  node = await readyNode(["--memory"]);
  wallet = new EthereumClient(node.url, new Uint8Array(32).fill(7));
  walletAddress = addressText(addressOfPublicKeyHash(readHex(wallet.address), chainByte));
  await sent(token);
  await sent(transfer({ recipient: walletAddress, amount: 10_0000_0000, chainId }, masterSeed));
  await sent(transfer({ recipient: walletAddress, amount: 500, assetId: token.id, chainId }, masterSeed));
  await sent(transfer({ recipient: dApp.address, amount: 1_0000_0000, chainId }, masterSeed));
});
afterAll(() => node.stop());

const sent = (tx: { readonly id: string }) => sentAndConfirmed(node.url, tx);

interface Receipt {
  readonly status: string;
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly gasUsed: string;
}

/** Waits like a wallet, until there is a receipt. */
function mined(hash: string): Promise<Receipt> {
  return eventually(async () => (await wallet.call<Receipt | null>("eth_getTransactionReceipt", hash)) ?? undefined);
}

function hashOf(address: string): string {
  return hexText(publicKeyHashOf(parseAddress(address, chainByte) as Address));
}

test("the wallet finds the network, its height and its own balance", async () => {
  expect(await wallet.call("eth_chainId")).toBe("0x52");
  expect(await wallet.call("net_version")).toBe("0x52");
  const height = await wallet.call<string>("eth_blockNumber");
  expect(Number(height)).toBeGreaterThan(0);
  expect(await wallet.call("eth_getBlockByNumber", "latest", false)).toMatchObject({
    number: expect.stringMatching(/^0x/),
  });
  expect(BigInt(await wallet.call<string>("eth_getBalance", wallet.address, "latest"))).toBe(
    10_0000_0000n * weiPerWavelet,
  );
});

test("WAVES go to an account, and the wallet sees the receipt, the transaction and its balance", async () => {
  const to = hashOf(receiver.address);
  const hash = await wallet.send({ to, value: 1_5000_0000n * weiPerWavelet });
  const receipt = await mined(hash);
  expect(receipt).toMatchObject({ status: "0x1", transactionHash: hash, from: wallet.address, to, gasUsed: "0x186a0" });
  const transaction = await wallet.call("eth_getTransactionByHash", hash);
  expect(transaction).toMatchObject({ hash, from: wallet.address, to, blockNumber: receipt.blockNumber });
  expect(BigInt(await wallet.call<string>("eth_getBalance", wallet.address, "latest"))).toBe(
    (10_0000_0000n - 1_5000_0000n - 100_000n) * weiPerWavelet,
  );
  expect(await getJson(`${node.url}/transactions/info/${encodeBase58(readHex(hash))}`)).toMatchObject({
    type: 18,
    payload: { type: "transfer", recipient: receiver.address, asset: null, amount: 1_5000_0000 },
  });
});

test("a token shows its symbol, decimals and balance, and goes to an account", async () => {
  const ask = (data: string) => wallet.call<string>("eth_call", { to: tokenAddress, data }, "latest");
  expect(await wallet.call("eth_getCode", tokenAddress, "latest")).toBe("0xff");
  expect(Buffer.from(readHex(await ask("0x95d89b41"))).toString()).toContain("Token");
  expect(BigInt(await ask("0x313ce567"))).toBe(2n);
  const balanceOf = (account: string) => ask(`0x70a08231${account.slice(2).padStart(64, "0")}`);
  expect(BigInt(await balanceOf(wallet.address))).toBe(500n);
  const to = hashOf(receiver.address);
  const hash = await wallet.send({ to: tokenAddress, data: callData(transferAbi, [BigInt(to), 120n]) });
  expect(await mined(hash)).toMatchObject({ status: "0x1", to: tokenAddress, gasUsed: "0x186a0" });
  expect(BigInt(await balanceOf(to))).toBe(120n);
  expect(BigInt(await balanceOf(wallet.address))).toBe(380n);
  const [details] = await getJson<readonly unknown[]>(`${node.url}/eth/assets?id=${tokenAddress}`);
  expect(details).toMatchObject({ assetId: token.id, name: "Token", decimals: 2 });
});

test("a dApp is called by its interface, with a payment", async () => {
  const compiled = await fetch(`${node.url}/utils/script/compileCode`, { method: "POST", body: source });
  const { script } = (await compiled.json()) as { readonly script: string };
  await sent(setScript({ script, fee: 1_000_000, chainId }, dApp.phrase));
  const abi = await getJson<readonly AbiFunction[]>(`${node.url}/eth/abi/${dApp.address}`);
  const keep = abi.find(({ name }) => name === "keep");
  if (keep === undefined) throw new Error("the dApp does not tell of its function");
  const waves = `0x${"0".repeat(64)}`;
  const to = hashOf(dApp.address);
  const data = callData(keep, ["Ünï", [1n, -2n], "0x0102", true, [[waves, 7000n]]]);
  const hash = await wallet.send({ to, data });
  expect(await mined(hash)).toMatchObject({ status: "0x1", to, gasUsed: "0x7a120" });
  const entries = await getJson<readonly { readonly key: string; readonly value: unknown }[]>(
    `${node.url}/addresses/data/${dApp.address}`,
  );
  expect(Object.fromEntries(entries.map(({ key, value }) => [key, value]))).toEqual({
    name: "Ünï",
    second: -2,
    bytes: "base64:AQI=",
    isSure: true,
    paid: 7000,
    caller: walletAddress,
  });
});

test("a refusal of the node is an error of the catalogue, and nothing is sent", async () => {
  const refused = wallet.send({ to: hashOf(receiver.address), value: 10n ** 12n * weiPerWavelet });
  await expect(refused).rejects.toThrow(/refused: .*"error":112.*negative waves balance/);
});
