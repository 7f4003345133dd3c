/**
 * Reference compiler (1.8 MB of JavaScript). It is loaded at its first use: parsing it takes longer than the rest of
 * the node.
 */
import type { RideLang } from "@waves/ride-lang";
import { blake2b256, keccak256, sha256 } from "../../crypto/hash.ts";

let loading: Promise<RideLang> | undefined;

export function loadCompiler(): Promise<RideLang> {
  loading ??= load();
  return loading;
}

async function load(): Promise<RideLang> {
  // The compiler looks for its hash functions among the globals.
  for (const [name, hash] of Object.entries({ blake2b256, keccak256, sha256 })) {
    const hashBuffer = (message: ArrayBuffer): ArrayBufferLike => hash(new Uint8Array(message)).slice().buffer;
    Object.assign(globalThis, { [name]: hashBuffer });
  }
  return (await import("@waves/ride-lang")).default;
}
