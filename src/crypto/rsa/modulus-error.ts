/**
 * Validation of a key's numbers before any computation, as the reference's verifier does it: a modulus must be
 * composite, but not by small factors.
 * @source Bouncy Castle 1.78.1: crypto.params.RSAKeyParameters
 */
import { checkPrimeSync } from "node:crypto";
import { LRUCache } from "lru-cache";
import { bytesOfInteger, integerOfBytes } from "../big-endian.ts";
import { concatBytes, i32Bytes } from "../bytes.ts";
import { blake2b256 } from "../hash.ts";
import { computeNow, type RunStep } from "../long-step.ts";
import { modularPower } from "./modular-power.ts";
import { bitLength, type RsaPublicKey } from "./rsa-key.ts";

const maxModulusBits = 16_384;
/** Largest prime that is tried as a factor. */
const largestSmallPrime = 743;
/** The platform's test of a longer prime takes seconds, without interruption. */
const maxNativeBits = 2_048;
/** Up to this size as many bases are tried as by the platform's test. */
const maxThoroughBits = 8_192;
const thoroughBases = 64;
/** Bases of the primality test of longer numbers; as many as the reference draws for numbers of that size. */
const bases = [2n, 3n, 5n];
const maxCachedModuli = 256;

const smallPrimes = primesUpTo(largestSmallPrime);
const smallPrimesProduct = smallPrimes.reduce((product, prime) => product * prime, 1n);

/** Errors of moduli, empty for valid ones: testing a modulus takes longer than most signatures do. */
const checkedModuli = new LRUCache<bigint, string>({ max: maxCachedModuli });

/**
 * Error text, as the reference prints it; undefined for valid numbers.
 * Cost: that of a signature with an exponent of the modulus' size, once for each modulus; up to 64 times that for a
 * prime.
 */
export function findModulusError({ modulus, exponent }: RsaPublicKey, run: RunStep = computeNow): string | undefined {
  if (exponent % 2n === 0n) return "RSA publicExponent is even";
  const known = checkedModuli.get(modulus);
  if (known !== undefined) return known || undefined;
  const error = modulusError(modulus, run);
  checkedModuli.set(modulus, error ?? "");
  return error;
}

function modulusError(modulus: bigint, run: RunStep): string | undefined {
  if (modulus % 2n === 0n) return "RSA modulus is even";
  if (bitLength(modulus) > maxModulusBits) return "RSA modulus out of range";
  if (hasSmallFactor(modulus)) return "RSA modulus has a small prime factor";
  return modulus === 1n || isPrime(modulus, run) ? "RSA modulus is not composite" : undefined;
}

function hasSmallFactor(odd: bigint): boolean {
  let [left, right] = [smallPrimesProduct, odd % smallPrimesProduct];
  while (right > 0n) [left, right] = [right, left % right];
  return left > 1n;
}

/**
 * Primality of a number without small factors. A wrong result is less likely than a hardware error, unless the number
 * is crafted.
 */
function isPrime(odd: bigint, run: RunStep): boolean {
  const bits = bitLength(odd);
  const encoded = bytesOfInteger(odd, Math.ceil(bits / 8));
  if (bits <= maxNativeBits) return checkPrimeSync(encoded);
  const tried = bits <= maxThoroughBits ? basesFor(encoded) : bases;
  for (const base of tried) if (!isStrongProbablePrime(odd, base, run)) return false;
  return true;
}

/** Bases derived from the number itself: the same in every attempt. */
function* basesFor(encoded: Uint8Array): Iterable<bigint> {
  for (let number = 0; number < thoroughBases; number++)
    yield 2n + integerOfBytes(blake2b256(concatBytes(encoded, i32Bytes(number))));
}

/** @source Miller and Rabin */
function isStrongProbablePrime(odd: bigint, base: bigint, run: RunStep): boolean {
  const before = odd - 1n;
  let twos = 0;
  while ((before >> BigInt(twos)) % 2n === 0n) twos++;
  let power = modularPower(base, before >> BigInt(twos), odd, run);
  if (power === 1n) return true;
  for (let index = 0; index < twos; index++) {
    if (power === before) return true;
    power = (power * power) % odd;
  }
  return false;
}

/** Odd primes. */
function primesUpTo(most: number): readonly bigint[] {
  const primes: number[] = [];
  for (let number = 3; number <= most; number += 2)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes.map(BigInt);
}
