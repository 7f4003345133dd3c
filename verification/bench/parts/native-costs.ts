/** Time of native functions per unit of complexity, with their slowest arguments. */
import { generateKeyPairSync } from "node:crypto";
import { ExecutionError } from "../../../src/ride/execution-error.ts";
import { complexityIn, type NativeFunction } from "../../../src/ride/functions/function-definition.ts";
import { libraryOf } from "../../../src/ride/functions/library.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { BigInteger, List, Structure, unit, type Value } from "../../../src/ride/values/value.ts";
import { ChainNeeded, pureEnvironment } from "../../../test/support/fakes/pure-environment.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { makeProof } from "../../fuzz/families/groth16-proofs.ts";
import { parameterTypes } from "../../fuzz/typed-functions.ts";
import { randomArgument } from "./random-arguments.ts";

export interface NativeCost {
  readonly name: string;
  readonly complexity: number;
  /** Processor time of the slowest call. */
  readonly microseconds: number;
}

const libraryVersion = 8;
const largestValueBytes = 32_767;
const context = {
  environment: pureEnvironment({ chainId: 82 }),
  libraryVersion,
  hasSynchronousCallFixes: true,
  hasPrecisePowers: true,
  keepsLeadingZeros: true,
  hasProofs: true,
};
/** Measured functions and number of rounds; the fastest round counts. */
export interface NativeSelection {
  readonly repetitions: number;
  readonly isChosen: (name: string) => boolean;
  /** Random argument lists per function, besides those known to be slow. */
  readonly draws: number;
}
const everything: NativeSelection = { repetitions: 3, isChosen: () => true, draws: 0 };
/** Minimum duration of a round, so that code is compiled and the clock is fine enough. */
const ROUND_MICROSECONDS = 2_000;
/** Maximum calls of a round, for functions that need less than the clock can show. */
const MAX_CALLS = 200;

/** Measures native functions. @returns slowest for their complexity first */
export function measureNatives(choice: Partial<NativeSelection> = {}): readonly NativeCost[] {
  const { repetitions, isChosen, draws } = { ...everything, ...choice };
  const library = libraryOf({ libraryVersion, content: "dApp", guards: "account" });
  const rows = [...library.values()].filter(
    (row) => row.kind === "native" && row.evaluate !== undefined && isChosen(row.name),
  );
  const costs = (rows as NativeFunction[]).flatMap((row) => {
    const complexity = complexityIn(row, libraryVersion);
    const random = new SeededRandom(`natives ${row.id}`);
    const types = parameterTypes(row.parameters);
    const drawn = Array.from({ length: draws }, () => types.map((type) => randomArgument(random, type)));
    const measured = [...argumentLists(row), ...drawn].map((args) => microsecondsOf(row, args, repetitions));
    return complexity === 0
      ? []
      : [{ name: `${row.name}(${row.parameters})`, complexity, microseconds: Math.max(0, ...measured) }];
  });
  return costs.sort((left, right) => right.microseconds / right.complexity - left.microseconds / left.complexity);
}

function microsecondsOf(row: NativeFunction, args: readonly Value[], rounds: number): number {
  if (!call(row, args)) return 0;
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    let calls = 0;
    let spent = 0;
    while (spent < ROUND_MICROSECONDS && calls < MAX_CALLS) {
      // Twice as many calls as before each look at the clock, which itself takes a microsecond.
      for (let left = Math.max(1, calls); left > 0; left--, calls++) call(row, args);
      const { user, system } = process.cpuUsage(before);
      spent = user + system;
    }
    return spent / calls;
  });
  return Math.min(...times);
}

/** @returns false for a function that reads the chain */
function call(row: NativeFunction, args: readonly Value[]): boolean {
  try {
    row.evaluate?.(args, context);
    return true;
  } catch (error) {
    if (error instanceof ChainNeeded) return false;
    if (error instanceof ExecutionError) return true;
    throw error;
  }
}

function argumentLists(row: NativeFunction): readonly (readonly Value[])[] {
  const special = specialArguments(row);
  if (special !== undefined) return special;
  const types = parameterTypes(row.parameters);
  return [0, 1, 2].map((size) => types.map((type) => argument(type, size, row.name)));
}

/** Arguments that must match each other. */
function specialArguments({ name }: NativeFunction): readonly (readonly Value[])[] | undefined {
  const inputs = Number(/_(\d+)inputs$/.exec(name)?.[1] ?? 16);
  if (/^(bn256Groth16|groth16)Verify/.test(name)) {
    const curve = name.startsWith("bn") ? "bn254" : "bls12-381";
    const made = makeProof(
      curve,
      Array.from({ length: inputs }, (_, index) => 2n ** 250n + BigInt(index)),
    );
    return [[made.key, made.proof, made.inputs]];
  }
  if (name.startsWith("rsaVerify")) {
    const sizeKb = Number(/_(\d+)Kb$/.exec(name)?.[1] ?? 32);
    const message = new Uint8Array(sizeKb * 1024);
    return rsaKeys().map((key) => [new Structure("Sha3512", new Map()), message, key.signature, key.encoded]);
  }
  if (name.startsWith("sigVerify")) {
    const sizeKb = Number(/_(\d+)Kb$/.exec(name)?.[1] ?? 32);
    return [[new Uint8Array(sizeKb * 1024), new Uint8Array(64).fill(7, 0, 63), new Uint8Array(32).fill(9)]];
  }
  if (name === "createMerkleRoot") {
    return [[new List(Array.from({ length: 16 }, () => new Uint8Array(32))), new Uint8Array(32), 5n]];
  }
  return name === "ecrecover" ? [[new Uint8Array(32).fill(7), signature()]] : undefined;
}

/** Invalid signature with a nonce on the curve. */
function signature(): Uint8Array {
  const bytes = new Uint8Array(65).fill(5, 32, 64);
  bytes[31] = 1;
  return bytes;
}

let keys: readonly { readonly encoded: Uint8Array; readonly signature: Uint8Array }[] | undefined;

/** The longest modulus with the longest allowed exponent. */
function rsaKeys() {
  keys ??= [4096].map((modulusLength) => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength, publicExponent: 0x10001 });
    const encoded = new Uint8Array(publicKey.export({ type: "spki", format: "der" }));
    return { encoded, signature: new Uint8Array(modulusLength / 8).fill(1) };
  });
  return [...keys, hostileRsaKey(384), hostileRsaKey(2048)];
}

/** A key without a private key: its exponent is as long as the modulus, or 64 bits where that is the limit. */
function hostileRsaKey(modulusBytes: number) {
  const modulus = new Uint8Array(modulusBytes + 1).fill(0xff, 1);
  const exponent =
    modulusBytes <= 384 ? new Uint8Array(modulusBytes + 1).fill(0xfe, 1) : new Uint8Array(9).fill(0xff, 1);
  const der = (tag: number, content: Uint8Array): Uint8Array =>
    Uint8Array.of(tag, 0x83, content.length >> 16, (content.length >> 8) & 255, content.length & 255, ...content);
  const numbers = der(0x30, Uint8Array.of(...der(2, modulus), ...der(2, exponent)));
  const identifier = Uint8Array.of(6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1);
  const encoded = der(
    0x30,
    Uint8Array.of(0x30, identifier.length, ...identifier, ...der(3, Uint8Array.of(0, ...numbers))),
  );
  return { encoded: withLongLengths(encoded), signature: new Uint8Array(modulusBytes).fill(1) };
}

/** Encodes a two-byte length in three bytes with a leading zero, except the outermost, which must not have one. */
function withLongLengths(encoded: Uint8Array): Uint8Array {
  return encoded[2] === 0 ? Uint8Array.of(encoded[0] as number, 0x82, ...encoded.subarray(3)) : encoded;
}

function argument(type: string, size: number, name: string): Value {
  const bytes = [32, 4_096, largestValueBytes][size] as number;
  const limitKb = Number(/_(\d+)Kb/.exec(name)?.[1] ?? 0);
  switch (type) {
    case "Int":
      return [1n, 400n, 9_223_372_036_854_775_807n][size] as bigint;
    case "Boolean":
      return true;
    case "BigInt":
      return new BigInteger([2n, 2n ** 255n - 19n, 2n ** 511n - 1n][size] as bigint);
    case "String":
      return new Text(["a,b", "a,".repeat(2_000), "9".repeat(largestValueBytes)][size] as string);
    case "ByteVector":
      return new Uint8Array(limitKb > 0 ? limitKb * 1024 : bytes).fill(97);
    case "List[String]":
      return new List(Array.from({ length: 1_000 }, () => new Text("a".repeat(30))));
    case "List[Int]":
      return new List(Array.from({ length: 1_000 }, (_, index) => BigInt((index * 7_919) % 1_000)));
    case "List[BigInt]":
      return new List(Array.from({ length: 1_000 }, (_, index) => new BigInteger(BigInt(index) << 400n)));
    default:
      return genericArgument(type);
  }
}

function genericArgument(type: string): Value {
  if (type.startsWith("List")) return new List(Array.from({ length: 1_000 }, (_, index) => BigInt(index)));
  if (type.startsWith("Ceiling") || type.startsWith("Down")) return new Structure("HalfEven", new Map());
  return /^[ABT]/.test(type) ? new Text("a".repeat(13_000 / 2)) : unit;
}
