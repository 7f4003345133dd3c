/**
 * Reference compiler (1.8 MB of JavaScript). It is loaded at its first use: parsing it takes longer than the rest of
 * the node.
 */
import type { RideLang } from "@waves/ride-lang";
import { blake2b256, keccak256, sha256 } from "../../crypto/hash.ts";

let loading: Promise<void> | undefined;
let loaded: RideLang | undefined;

export async function loadCompiler(): Promise<RideLang> {
  loading ??= load();
  await loading;
  return loadedCompiler();
}

/** The one that was loaded; another one after `dropCompiler`. */
export function loadedCompiler(): RideLang {
  if (loaded === undefined) throw new Error("the compiler is asked before it is loaded");
  return loaded;
}

/** To be called when it broke off in the middle of its work: something in it may be half made. */
export function dropCompiler(): void {
  const { another } = loadedCompiler();
  if (another !== undefined) loaded = another();
}

async function load(): Promise<void> {
  // The compiler looks for its hash functions among the globals.
  for (const [name, hash] of Object.entries({ blake2b256, keccak256, sha256 })) {
    const hashBuffer = (message: ArrayBuffer): ArrayBufferLike => hash(new Uint8Array(message)).slice().buffer;
    Object.assign(globalThis, { [name]: hashBuffer });
  }
  loaded = (await import("@waves/ride-lang")).default;
}
