import { expect, test } from "vitest";
import { Wallet } from "../../../durable/wallet/wallet.ts";
import { addressText } from "../../../src/crypto/address.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";

const chainId = "R".charCodeAt(0);
const walletOf = (accounts: number) => new Wallet({ seed: privateNetworkSecrets.walletSeed, chainId, accounts });

test("the first account of the private network's wallet is the one that owns everything", () => {
  expect(
    walletOf(1)
      .accounts()
      .map(({ address }) => addressText(address)),
  ).toEqual(["3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF"]);
});

test("accounts are numbered, found by address, made once and deleted", () => {
  const wallet = walletOf(2);
  const third = wallet.generate(2);
  expect(wallet.accounts().map(({ nonce }) => nonce)).toEqual([0, 1, 2]);
  expect(wallet.generate(2)).toBe(third);
  expect(wallet.find(third.address)).toBe(third);
  expect(wallet.delete(third.address)).toBe(true);
  expect(wallet.delete(third.address)).toBe(false);
  expect(wallet.find(third.address)).toBeUndefined();
});

test("a wallet does not show its seed", () => {
  expect(JSON.stringify(walletOf(1))).toBe("{}");
});
