/** Accounts for tests, derived from a text, so that they are the same in every run. */
import { addressOfPublicKey, addressText } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../src/crypto/seed.ts";

export interface DevAccount {
  /** Seed phrase, as client libraries take it. */
  readonly seed: string;
  readonly address: string;
  /** Base58, like the address and the private key. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The first accounts of a text: `<text> account 1` is the first seed.
 * @param chainId of the network
 */
export function makeAccounts(text: string, count: number, chainId: number): readonly DevAccount[] {
  return Array.from({ length: count }, (_, index) => {
    const seed = `${text} account ${index + 1}`;
    const { publicKey, privateKey } = keyPairOfAccountSeed(accountSeed(new TextEncoder().encode(seed), 0));
    return {
      seed,
      address: addressText(addressOfPublicKey(publicKey, chainId)),
      publicKey: encodeBase58(publicKey),
      privateKey: encodeBase58(privateKey),
    };
  });
}
