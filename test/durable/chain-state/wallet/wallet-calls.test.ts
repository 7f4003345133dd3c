import { describe, expect, test } from "vitest";
import { WalletCalls } from "../../../../durable/chain-state/wallet/wallet-calls.ts";
import { addressText } from "../../../../src/crypto/address.ts";
import { blsVerify } from "../../../../src/crypto/bls.ts";
import { verify } from "../../../../src/crypto/curve25519.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import type { EndorserCommitment } from "../../../../src/env.ts";
import { parseJson } from "../../../../src/protocol/parse-json.ts";
import { encodeProtobuf } from "../../../../src/protocol/transactions/encode-for-block.ts";
import { proofOfPossessionMessage } from "../../../../src/protocol/transactions/proof-of-possession.ts";
import { transactionFromJson } from "../../../../src/protocol/transactions/transaction-from-json.ts";
import { testWallet } from "../../../support/builders/test-wallet.ts";
import { fixtureText, recordedLines } from "../../../support/fixtures/recorded-lines.ts";

const network = fixtureText("private-a/network.json");
const chainId = 82;
const wallet = () => testWallet(network);
const transfer = transactionFromJson(
  parseJson(
    JSON.stringify({
      type: 4,
      version: 2,
      senderPublicKey: "AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV",
      recipient: "3MNLh31RbGPLjoc9XXNLyRK3aD9HVsQVNtv",
      amount: 1,
      fee: 100_000,
      timestamp: 5,
      proofs: [],
    }),
  ),
  chainId,
);

describe("a wallet signs", () => {
  test("the body of a transaction, with the key of the given account", async () => {
    const calls = wallet();
    for (const { address, publicKey } of await calls.accounts()) {
      const signature = await calls.sign(address, encodeProtobuf(transfer));
      expect(verify(signature as Uint8Array, transfer.bodyBytes, publicKey)).toBe(true);
    }
  });

  test("nothing for an unknown or deleted account", async () => {
    const calls = wallet();
    const [first] = await calls.accounts();
    const address = first?.address as Address;
    await calls.delete(address);
    expect(await calls.sign(address, encodeProtobuf(transfer))).toBeUndefined();
  });

  test("nothing but transactions of accounts", async () => {
    const calls = wallet();
    const address = (await calls.accounts())[0]?.address as Address;
    const text = new TextEncoder().encode("I owe you");
    const ethereum = recordedLines<{ raw: string }>("private-a/ethereum-requests.jsonl.gz")[0]?.raw as string;
    for (const bytes of [
      text,
      transfer.bodyBytes,
      new Uint8Array(0),
      Uint8Array.from(Buffer.from(ethereum.slice(2), "hex")),
    ])
      await expect(calls.sign(address, bytes)).rejects.toThrow();
  });
});

describe("the wallet commits", () => {
  test("with the BLS key derived from the account's own, and a proof that is valid for the period alone", async () => {
    const calls = wallet();
    const address = (await calls.accounts())[0]?.address as Address;
    const committed = await calls.commitment(address, 1_001);
    const { endorserPublicKey: key, commitmentSignature: proof } = committed as EndorserCommitment;
    expect(key).toEqual(await calls.endorserKey(address));
    expect(blsVerify(key, proofOfPossessionMessage(key, 1_001), proof)).toBe(true);
    expect(blsVerify(key, proofOfPossessionMessage(key, 1_002), proof)).toBe(false);
  });

  test("none but its own accounts", async () => {
    const calls = wallet();
    const address = (await calls.accounts())[0]?.address as Address;
    await calls.delete(address);
    expect(await calls.endorserKey(address)).toBeUndefined();
    expect(await calls.commitment(address, 1_001)).toBeUndefined();
  });
});

test("a node without a seed has no accounts, makes none and signs nothing", async () => {
  const file = JSON.parse(network) as { waves: { wallet: { seed?: string } } };
  delete file.waves.wallet.seed;
  const calls = testWallet(JSON.stringify(file));
  const address = (await wallet().accounts())[0]?.address as Address;
  expect(await calls.accounts()).toEqual([]);
  expect(await calls.create()).toBeUndefined();
  expect(await calls.delete(address)).toBe(false);
  expect(await calls.seed()).toBeUndefined();
  expect(await calls.accountSeed(address)).toBeUndefined();
  expect(await calls.sign(address, encodeProtobuf(transfer))).toBeUndefined();
  expect(await calls.endorserKey(address)).toBeUndefined();
  expect(await calls.commitment(address, 1)).toBeUndefined();
});

test("the wallet's public information has no secret", async () => {
  const calls = wallet();
  const accounts = await calls.accounts();
  expect(accounts.map(({ address }) => addressText(address as Address))).toHaveLength(3);
  expect(accounts.flatMap((account) => Object.keys(account))).not.toContain("privateKey");
  expect(JSON.stringify(calls)).toBe("{}");
  expect(calls).toBeInstanceOf(WalletCalls);
});
