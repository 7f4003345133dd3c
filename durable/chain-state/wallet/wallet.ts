/**
 * Accounts of a wallet: keys that follow from its seed, one for each number.
 * @source Waves: wallet/Wallet.scala
 */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import type { Address, Digest, KeyPair } from "../../../src/crypto/identities.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import { maxWalletAccounts } from "../../../src/network/defaults.ts";
import type { WalletRecord, WalletStorage } from "./wallet-storage.ts";

export interface WalletAccount extends KeyPair {
  readonly address: Address;
  /** Number of the account in the wallet, from 0. */
  readonly nonce: number;
}

export interface WalletOptions {
  readonly seed: Uint8Array;
  readonly chainId: number;
  /** Number of accounts of a new wallet. */
  readonly accounts: number;
  readonly storage: WalletStorage;
}

export class Wallet {
  /** Secret that only `exportSeed` reveals. */
  readonly #seed: Uint8Array;
  readonly #chainId: number;
  readonly #storage: WalletStorage;
  /** Number of accounts of a new wallet. */
  readonly #newAccounts: number;
  readonly #accounts = new Map<BytesKey, WalletAccount>();
  /** Number of the next account; the number of a deleted account is not used again. */
  #nextNonce = 0;

  constructor({ seed, chainId, accounts, storage }: WalletOptions) {
    this.#seed = seed;
    this.#chainId = chainId;
    this.#storage = storage;
    this.#newAccounts = accounts;
    this.restore();
  }

  /** Loads the accounts from the storage. To be called after the storage has changed. */
  restore(): void {
    const { nextNonce, nonces } = this.#storage.find() ?? newRecord(this.#newAccounts);
    this.#nextNonce = nextNonce;
    // PERF: a key costs milliseconds, and most accounts exist already.
    const known = new Map(Array.from(this.#accounts.values(), (account) => [account.nonce, account]));
    this.#accounts.clear();
    for (const nonce of nonces) this.#put(known.get(nonce) ?? this.#make(nonce));
  }

  /** In order of creation. */
  accounts(): readonly WalletAccount[] {
    return [...this.#accounts.values()];
  }

  find(address: Address): WalletAccount | undefined {
    return this.#accounts.get(bytesKey(address));
  }

  // The row is written before the change in memory, so that a failed write changes nothing.

  /** Creates the next account. @returns undefined: the wallet is full */
  create(): WalletAccount | undefined {
    if (this.#accounts.size >= maxWalletAccounts) return undefined;
    const nonce = this.#nextNonce;
    this.#storage.put({ nextNonce: nonce + 1, nonces: [...this.#nonces(), nonce] });
    this.#nextNonce = nonce + 1;
    const account = this.#make(nonce);
    this.#put(account);
    return account;
  }

  /** @returns whether the account existed */
  delete(address: Address): boolean {
    const account = this.find(address);
    if (account === undefined) return false;
    this.#storage.put({
      nextNonce: this.#nextNonce,
      nonces: this.#nonces().filter((nonce) => nonce !== account.nonce),
    });
    return this.#accounts.delete(bytesKey(address));
  }

  /** Seed of all keys, a secret. */
  exportSeed(): Uint8Array {
    return this.#seed;
  }

  /** Seed of the account's keys, a secret. */
  exportAccountSeed(address: Address): Digest | undefined {
    const account = this.find(address);
    return account && accountSeed(this.#seed, account.nonce);
  }

  #make(nonce: number): WalletAccount {
    const keyPair = keyPairOfAccountSeed(accountSeed(this.#seed, nonce));
    return { ...keyPair, address: addressOfPublicKey(keyPair.publicKey, this.#chainId), nonce };
  }

  #put(account: WalletAccount): void {
    this.#accounts.set(bytesKey(account.address), account);
  }

  #nonces(): readonly number[] {
    return Array.from(this.#accounts.values(), ({ nonce }) => nonce);
  }
}

function newRecord(accounts: number): WalletRecord {
  return { nextNonce: accounts, nonces: Array.from({ length: accounts }, (_, nonce) => nonce) };
}
