/** Accounts of a generated chain: generators (the node's wallet), users, and Ethereum wallets. */
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import type { Address, KeyPair } from "../../src/crypto/identities.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../src/crypto/seed.ts";
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { utf8Bytes } from "../../src/protocol/codec/utf8.ts";
import { EthereumWallet } from "./ethereum-wallet.ts";

export interface GeneratedAccount extends KeyPair {
  readonly address: Address;
}

export interface GeneratedAccounts {
  readonly generators: readonly GeneratedAccount[];
  /** Users, including the dApps' accounts. */
  readonly users: readonly GeneratedAccount[];
  readonly dApps: readonly GeneratedAccount[];
  readonly wallets: readonly EthereumWallet[];
}

export const generatorCount = 4;
const userCount = 10;
const dAppCount = 6;
const walletCount = 3;

/** @param seed of the chain, which determines its users */
export function makeAccounts(seed: number, chainId: number): GeneratedAccounts {
  const account = (walletSeed: Uint8Array, nonce: number): GeneratedAccount => {
    const keyPair = keyPairOfAccountSeed(accountSeed(walletSeed, nonce));
    return { ...keyPair, address: addressOfPublicKey(keyPair.publicKey, chainId) };
  };
  const userSeed = utf8Bytes(`user of chain ${seed}`);
  const users = Array.from({ length: userCount + dAppCount }, (_, nonce) => account(userSeed, nonce));
  return {
    generators: Array.from({ length: generatorCount }, (_, nonce) => account(privateNetworkSecrets.walletSeed, nonce)),
    users,
    dApps: users.slice(userCount),
    wallets: Array.from({ length: walletCount }, (_, nonce) => new EthereumWallet(`${seed}/${nonce}`, chainId)),
  };
}
