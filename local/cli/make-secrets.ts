/** Generates both secrets of a node from an API key and a seed. */
import { addressOfPublicKey, addressText } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { secureHash } from "../../src/crypto/hash.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../src/crypto/seed.ts";

/** Random bytes of a secret: as many as an account's key has. */
const SECRET_BYTES = 32;

export interface GeneratedSecrets {
  /** Key for requests; the node stores only its hash. */
  readonly apiKey: string;
  /** Address of the wallet's first account. */
  readonly address: string;
  /** Lines `NAME=VALUE`, as in `.dev.vars`. */
  readonly lines: string;
}

/** @param random returns that number of random bytes */
export function makeSecrets(
  {
    key,
    seed,
    chainId,
  }: { readonly key?: string | undefined; readonly seed?: string | undefined; readonly chainId: number },
  random: (sizeBytes: number) => Uint8Array,
): GeneratedSecrets {
  const encoder = new TextEncoder();
  const apiKey = key ?? encodeBase58(random(SECRET_BYTES));
  const walletSeed = seed === undefined ? random(SECRET_BYTES) : encoder.encode(seed);
  const { publicKey } = keyPairOfAccountSeed(accountSeed(walletSeed, 0));
  return {
    apiKey,
    address: addressText(addressOfPublicKey(publicKey, chainId)),
    lines: `API_KEY_HASH=${encodeBase58(secureHash(encoder.encode(apiKey)))}\nWALLET_SEED=${encodeBase58(walletSeed)}\n`,
  };
}
