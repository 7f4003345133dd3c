/** The reference compiler, where it is installed. */
import { createRequire } from "node:module";
import { blake2b256, keccak256, sha256 } from "../../src/crypto/hash.ts";

export interface Compiled {
  readonly error?: string;
  readonly result: ArrayBuffer;
  readonly complexity: number;
  readonly userFunctionComplexities: Readonly<Record<string, number>>;
}
/** A type as the compiler documents it. */
export type DocumentedType =
  | string
  | readonly DocumentedType[]
  | { readonly typeName: string }
  | { readonly listOf: DocumentedType };
export interface DocumentedFunction {
  readonly name: string;
  readonly resultType: DocumentedType;
  readonly args: readonly { readonly name: string; readonly type: DocumentedType }[];
}
export interface ReferenceCompiler {
  compile(source: string, estimator: number, compacts: boolean, removesUnused: boolean): Compiled;
  getFunctionsDoc(libraryVersion: number): readonly DocumentedFunction[];
}

const packageName = "@waves/ride-lang";

/** Undefined where the package is not installed. */
export function findReferenceCompiler(): ReferenceCompiler | undefined {
  const require = createRequire(import.meta.url);
  try {
    require.resolve(packageName);
  } catch {
    return undefined;
  }
  // The compiler finds its hash functions among the globals.
  const hashes = { blake2b256, keccak256, sha256 };
  for (const [name, hash] of Object.entries(hashes)) {
    const onBuffers = (message: ArrayBuffer): ArrayBufferLike => hash(new Uint8Array(message)).slice().buffer;
    Object.assign(globalThis, { [name]: onBuffers });
  }
  return require(packageName) as ReferenceCompiler;
}
