/**
 * Accounts of a wallet: keys that follow from its seed, one for each number.
 * @source Waves: wallet/Wallet.scala
 */
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { type BytesKey, bytesKey } from "../../src/crypto/bytes.ts";
import type { Address, KeyPair } from "../../src/crypto/identities.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../src/crypto/seed.ts";

export interface WalletAccount extends KeyPair {
  readonly address: Address;
  /** Number of the account in the wallet, from 0. */
  readonly nonce: number;
}

export class Wallet {
  /** Never leaves the object. */
  readonly #seed: Uint8Array;
  readonly #chainId: number;
  readonly #accounts = new Map<BytesKey, WalletAccount>();

  /** @param accounts how many exist from the start */
  constructor(facts: { readonly seed: Uint8Array; readonly chainId: number; readonly accounts: number }) {
    this.#seed = facts.seed;
    this.#chainId = facts.chainId;
    for (let nonce = 0; nonce < facts.accounts; nonce++) this.generate(nonce);
  }

  /** In the order in which they were made. */
  accounts(): readonly WalletAccount[] {
    return [...this.#accounts.values()];
  }

  find(address: Address): WalletAccount | undefined {
    return this.#accounts.get(bytesKey(address));
  }

  /** Makes the account with a number, if it is not there. @param nonce signed 32 bits */
  generate(nonce: number): WalletAccount {
    const keyPair = keyPairOfAccountSeed(accountSeed(this.#seed, nonce));
    const address = addressOfPublicKey(keyPair.publicKey, this.#chainId);
    const known = this.find(address);
    if (known !== undefined) return known;
    const account: WalletAccount = { ...keyPair, address, nonce };
    this.#accounts.set(bytesKey(address), account);
    return account;
  }

  /** @returns whether it was there */
  delete(address: Address): boolean {
    return this.#accounts.delete(bytesKey(address));
  }
}
