import { expect, test } from "vitest";
import { Wallet, type WalletAccount } from "../../../../durable/chain-state/wallet/wallet.ts";
import { storedWallet, type WalletStorage } from "../../../../durable/chain-state/wallet/wallet-storage.ts";
import { addressText } from "../../../../src/crypto/address.ts";
import { privateNetworkSecrets } from "../../../../src/network/networks/private.ts";
import { testStore } from "../../../support/builders/test-store.ts";
import { walletInMemory } from "../../../support/builders/test-wallet.ts";

const chainId = "R".charCodeAt(0);
const walletOf = (accounts: number, storage = walletInMemory()) =>
  new Wallet({ seed: privateNetworkSecrets.walletSeed, chainId, accounts, storage });
const addressesOf = (wallet: Wallet) => wallet.accounts().map(({ address }) => addressText(address));

test("the first account of the private network's wallet is the one that owns everything", () => {
  expect(
    walletOf(1)
      .accounts()
      .map(({ address }) => addressText(address)),
  ).toEqual(["3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF"]);
});

test("accounts are numbered, found by address, created once and deleted", () => {
  const wallet = walletOf(2);
  const third = wallet.create() as WalletAccount;
  expect(wallet.accounts().map(({ nonce }) => nonce)).toEqual([0, 1, 2]);
  expect(wallet.find(third.address)).toBe(third);
  expect(wallet.delete(third.address)).toBe(true);
  expect(wallet.delete(third.address)).toBe(false);
  expect(wallet.find(third.address)).toBeUndefined();
});

test("created and deleted accounts survive a restart, and a deleted one's number is not used again", () => {
  const storage = walletInMemory();
  const wallet = walletOf(2, storage);
  const [first] = wallet.accounts();
  const third = wallet.create() as WalletAccount;
  wallet.delete((first as WalletAccount).address);
  wallet.delete(third.address);
  // Setting for new wallets.
  const again = walletOf(5, storage);
  expect(addressesOf(again)).toEqual(addressesOf(wallet));
  expect(again.accounts().map(({ nonce }) => nonce)).toEqual([1]);
  expect(again.create()?.nonce).toBe(3);
  expect(walletOf(5, storage).accounts()).toHaveLength(2);
});

test("a wallet that cannot be written stays as it was", () => {
  const full: WalletStorage = {
    find: () => undefined,
    put: () => {
      throw new Error("database or disk is full");
    },
  };
  const wallet = walletOf(2, full);
  const before = addressesOf(wallet);
  expect(() => wallet.create()).toThrow("full");
  expect(() => wallet.delete((wallet.accounts()[0] as WalletAccount).address)).toThrow("full");
  expect(addressesOf(wallet)).toEqual(before);
});

test("a wallet creates no more than 1,000 accounts", () => {
  const storage = walletInMemory();
  storage.put({ nextNonce: 999, nonces: Array.from({ length: 999 }, (_, nonce) => nonce) });
  const wallet = walletOf(1, storage);
  expect(wallet.create()?.nonce).toBe(999);
  expect(wallet.create()).toBeUndefined();
  expect(storage.find()?.nonces).toHaveLength(1_000);
});

test("the row of a wallet holds numbers, neither seed nor keys", () => {
  const { store } = testStore();
  const wallet = walletOf(1, storedWallet(store));
  wallet.create();
  expect(store.findMeta("wallet")).toBe('{"nextNonce":2,"nonces":[0,1]}');
  expect(addressesOf(walletOf(1, storedWallet(store)))).toEqual(addressesOf(wallet));
});

test("a wallet does not show its seed", () => {
  expect(JSON.stringify(walletOf(1))).toBe("{}");
});
