/** Accounts of tests: their keys follow from a text, so that every run has the same. */
import { addressOfPublicKey, addressText } from "../src/crypto/address.ts";
import { encodeBase58 } from "../src/crypto/base58.ts";
import { accountSeed, keyPairOfAccountSeed } from "../src/crypto/seed.ts";

export interface DevAccount {
  /** The words that keys follow from, as client libraries take them. */
  readonly seed: string;
  readonly address: string;
  /** In base58, like the address and the private key. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The first accounts of a text: `<text> account 1` is the seed of the first.
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
