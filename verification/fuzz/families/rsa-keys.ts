/** Numbers of RSA keys, valid and invalid. */
import { checkPrimeSync } from "node:crypto";
import { integerOfBytes } from "../../../src/crypto/big-endian.ts";
import { bitLength, type RsaPublicKey } from "../../../src/crypto/rsa/rsa-key.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";

export interface GeneratedKey extends RsaPublicKey {
  /** Undefined: no signature is possible. */
  readonly privateExponent: bigint | undefined;
  readonly note: string;
}

const usualExponents = [3n, 5n, 17n, 257n, 65_537n];
const smallPrimes = [3n, 5n, 739n, 743n, 751n, 757n];

export function randomPrime(random: SeededRandom, bits: number): bigint {
  for (;;) {
    const odd = randomNumber(random, bits) | 1n;
    if (odd % 3n !== 0n && checkPrimeSync(odd)) return odd;
  }
}

/** Random number with exactly this many bits. */
export function randomNumber(random: SeededRandom, bits: number): bigint {
  const bytes = random.bytes(Math.ceil(bits / 8));
  return (integerOfBytes(bytes) & ((1n << BigInt(bits)) - 1n)) | (1n << BigInt(bits - 1));
}

/** Keys that a run draws from. */
export function makeKeys(random: SeededRandom): readonly GeneratedKey[] {
  const usual = [512, 512, 768, 1024, 1024, 2048].map((bits) => keyOf(random, bits, random.pick(usualExponents)));
  const sizes = [96, 128, 200, 500, 504, 505, 509, 511, 513, 520].map((bits) => keyOf(random, bits, 65_537n));
  return [...usual, ...sizes, ...withUnusualExponents(random), ...withUnusualModuli(random)];
}

function withUnusualExponents(random: SeededRandom): readonly GeneratedKey[] {
  const exponents = (modulus: bigint): readonly (readonly [bigint, string])[] => [
    [1n, "exponent 1"],
    [0n, "exponent 0"],
    [2n, "exponent 2"],
    [65_536n, "even exponent"],
    [modulus, "exponent as the modulus"],
    [modulus - 2n, "exponent just below the modulus"],
    [modulus + 2n, "exponent just above the modulus"],
    [(1n << 64n) - 1n, "64 bits of exponent"],
    [(1n << 64n) + 1n, "65 bits of exponent"],
    [randomNumber(random, 500) | 1n, "long exponent"],
    [randomNumber(random, 3000) | 1n, "exponent longer than the modulus"],
  ];
  const short = exponents(0n).map((_, index) => {
    const [left, right] = primes(random, 512);
    const [exponent, note] = exponents(left * right)[index] as readonly [bigint, string];
    return key(left, right, exponent, note);
  });
  const long = [3072, 3080].flatMap((bits) => {
    const modulus = randomNumber(random, bits) | 1n;
    return [65_537n, (1n << 64n) - 1n, (1n << 64n) + 1n, randomNumber(random, 200) | 1n].map((exponent) => ({
      modulus,
      exponent,
      privateExponent: undefined,
      note: `modulus of ${bits} bits, exponent of ${bitLength(exponent)}`,
    }));
  });
  return [...short, ...long];
}

function withUnusualModuli(random: SeededRandom): readonly GeneratedKey[] {
  const prime = randomPrime(random, 512);
  const made = (modulus: bigint, note: string): GeneratedKey => ({
    modulus,
    exponent: 65_537n,
    privateExponent: undefined,
    note,
  });
  return [
    made(randomNumber(random, 512) & ~1n, "even modulus"),
    ...smallPrimes.map((small) => made(small * randomPrime(random, 520), `a factor of ${small}`)),
    key(prime, 1n, 65_537n, "prime modulus"),
    made(prime * prime, "square modulus"),
    made(0n, "modulus 0"),
    made(1n, "modulus 1"),
    made(757n * 761n, "tiny modulus"),
    made(randomNumber(random, 16_390) | 1n, "modulus too long"),
  ];
}

function keyOf(random: SeededRandom, bits: number, exponent: bigint): GeneratedKey {
  const [left, right] = primes(random, bits);
  return key(left, right, exponent, `modulus of ${bits} bits`);
}

/** Two primes whose product has this many bits. */
function primes(random: SeededRandom, bits: number): readonly [bigint, bigint] {
  for (;;) {
    const left = randomPrime(random, bits >> 1);
    const right = randomPrime(random, bits - (bits >> 1));
    if (left !== right && bitLength(left * right) === bits) return [left, right];
  }
}

function key(left: bigint, right: bigint, exponent: bigint, note: string): GeneratedKey {
  const order = (left - 1n) * (right === 1n ? 1n : right - 1n);
  return { modulus: left * right, exponent, privateExponent: findInverse(exponent % order, order), note };
}

function findInverse(value: bigint, modulus: bigint): bigint | undefined {
  let [left, right] = [modulus, value];
  let [before, current] = [0n, 1n];
  while (right > 0n) {
    const quotient = left / right;
    [left, right] = [right, left % right];
    [before, current] = [current, before - quotient * current];
  }
  return left === 1n ? ((before % modulus) + modulus) % modulus : undefined;
}
