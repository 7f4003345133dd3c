/** Browser replacement for the parts of `node:crypto` that signing needs; the bundler substitutes it. */
import { sha256, sha512 } from "@noble/hashes/sha2.js";

interface Hash {
  update(bytes: Uint8Array): Hash;
  digest(): Uint8Array;
}

const hashes = { sha256, sha512 } as const;

export function createHash(name: keyof typeof hashes): Hash {
  const hash = hashes[name].create();
  const made: Hash = {
    update: (bytes) => {
      hash.update(bytes);
      return made;
    },
    digest: () => hash.digest(),
  };
  return made;
}

export function createPublicKey(): never {
  throw unused("createPublicKey");
}

export function verify(): never {
  throw unused("verify");
}

function unused(name: string): Error {
  return new Error(`signatures are made in the page, not verified: ${name}`);
}
