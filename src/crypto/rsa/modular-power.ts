/** Powers modulo an odd number: the computation of an RSA signature check. */
import { createDiffieHellman, type DiffieHellman } from "node:crypto";
import { LRUCache } from "lru-cache";
import { bytesOfInteger, integerOfBytes } from "../big-endian.ts";
import { computeNow, MIN_STEP_WORK, type RunStep } from "../long-step.ts";
import { bitLength } from "./rsa-key.ts";

/** Up to this many bits of exponent, computing here costs less than a native call. */
const maxShortExponentBits = 64;
/** Moduli for which native arithmetic is worth its setup; it supports no longer numbers. */
const nativeModulusBits = { least: 512, most: 8_192 };
/** Divisor from bit operations to units of `LongStep.work`. A full power of 16,384 bits takes three seconds. */
const bitsPerWork = 44_000_000;
const windowBits = 6;
const generator = Uint8Array.of(2);

/** Native form of moduli: creating one costs as much as a power with an exponent of its size. */
const nativeModuli = new LRUCache<bigint, DiffieHellman>({ max: 32 });

/**
 * `base` to the power of `exponent` modulo `modulus`.
 * Cost: a multiplication modulo the modulus for each bit of the exponent. With 3,072 bits each: 6 milliseconds
 * natively, 35 otherwise.
 * @param base below the modulus
 * @param modulus odd
 * @param run runs a long power as a step of its own
 */
export function modularPower(base: bigint, exponent: bigint, modulus: bigint, run: RunStep = computeNow): bigint {
  const [exponentBits, modulusBits] = [bitLength(exponent), bitLength(modulus)];
  const work = Math.ceil((exponentBits * modulusBits ** 2) / bitsPerWork);
  if (work < MIN_STEP_WORK) return powerOf(base, exponent, modulus, exponentBits);
  const inputs = [base, exponent, modulus].map((number) => bytesOfInteger(number, Math.ceil(bitLength(number) / 8)));
  const compute = () => bytesOfInteger(powerOf(base, exponent, modulus, exponentBits), Math.ceil(modulusBits / 8));
  return integerOfBytes(run({ name: "power", inputs, work, compute }));
}

function powerOf(base: bigint, exponent: bigint, modulus: bigint, exponentBits: number): bigint {
  if (exponentBits <= maxShortExponentBits) return powerBySquaring(base, exponent, modulus);
  return findNativePower(base, exponent, modulus) ?? powerByWindows(base, exponent, modulus);
}

/**
 * Native power: the shared secret of the Diffie-Hellman protocol is the other party's number to the power of the own
 * one, for any modulus. Undefined if the platform does not support the numbers (nothing below 2, nor the modulus less
 * 1).
 */
export function findNativePower(base: bigint, exponent: bigint, modulus: bigint): bigint | undefined {
  const bits = bitLength(modulus);
  if (bits < nativeModulusBits.least || bits > nativeModulusBits.most || base < 2n || base > modulus - 2n) {
    return undefined;
  }
  try {
    const native = nativeModulus(modulus);
    native.setPrivateKey(bytesOfInteger(exponent, Math.ceil(bitLength(exponent) / 8)));
    return integerOfBytes(native.computeSecret(bytesOfInteger(base, Math.ceil(bits / 8))));
  } catch {
    // Platform versions refuse different numbers.
    return undefined;
  }
}

function nativeModulus(modulus: bigint): DiffieHellman {
  let native = nativeModuli.get(modulus);
  if (native === undefined) {
    native = createDiffieHellman(bytesOfInteger(modulus, Math.ceil(bitLength(modulus) / 8)), generator);
    nativeModuli.set(modulus, native);
  }
  return native;
}

function powerBySquaring(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  for (const digit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (digit === "1") result = (result * base) % modulus;
  }
  return result;
}

/**
 * Power by several bits of the exponent at once.
 * PERF: with V8's integers a division costs no more than the two multiplications of Montgomery's reduction.
 */
export function powerByWindows(base: bigint, exponent: bigint, modulus: bigint): bigint {
  const square = (base * base) % modulus;
  const oddPowers = [base % modulus];
  while (oddPowers.length < 2 ** (windowBits - 1)) oddPowers.push(((oddPowers.at(-1) as bigint) * square) % modulus);
  const digits = exponent.toString(2);
  let result = 1n % modulus;
  for (let at = 0; at < digits.length; ) {
    if (digits[at] === "0") {
      result = (result * result) % modulus;
      at++;
      continue;
    }
    const window = digits.slice(at, at + windowBits).replace(/0+$/, "");
    for (let count = 0; count < window.length; count++) result = (result * result) % modulus;
    result = (result * (oddPowers[Number.parseInt(window, 2) >> 1] as bigint)) % modulus;
    at += window.length;
  }
  return result;
}
