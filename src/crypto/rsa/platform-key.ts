/**
 * RSA keys as the reference's platform reads them, with its error texts for invalid ones.
 * @source RFC 5280, 4.1 (SubjectPublicKeyInfo); Java 17: sun.security.x509.X509Key, AlgorithmId,
 *   sun.security.rsa.RSAPublicKeyImpl, RSAKeyFactory, RSAUtil
 */
import { integerOfBytes } from "../big-endian.ts";
import { DerError } from "../der/der-error.ts";
import {
  bitsOf,
  type DerInput,
  type DerValue,
  derTag,
  objectIdentifier,
  readOnlyValue,
  readOuterValue,
} from "../der/platform-der.ts";
import { algorithmName } from "./algorithm-names.ts";
import { bitLength, type RsaPublicKey } from "./rsa-key.ts";

const minModulusBits = 512;
const maxModulusBits = 16_384;
/** Longer moduli allow only short exponents. */
const maxModulusBitsOfLongExponent = 3_072;
const maxShortExponentBits = 64;
const leastExponent = 3n;
const pssName = "RSASSA-PSS";

/** Reason why the bytes are not a key. */
class KeyError extends Error {}

/** @returns the key, or the error text */
export function readPlatformKey(encoded: Uint8Array): RsaPublicKey | string {
  if (encoded.length === 0) return "Missing key encoding";
  try {
    return readKey(encoded);
  } catch (error) {
    if (error instanceof KeyError) return error.message;
    if (error instanceof DerError) return `IOException: ${error.message}`;
    throw error;
  }
}

/** @throws KeyError, DerError */
function readKey(encoded: Uint8Array): RsaPublicKey {
  const outer = readOuterValue(encoded);
  if (outer.tag !== derTag.sequence) throw new KeyError("invalid key format");
  const parts = outer.parts;
  const algorithm = readAlgorithm(parts.next());
  const numbers = readNumbers(bitsOf(parts.next()));
  if (parts.available !== 0) throw new KeyError("excess key data");
  checkSizes(numbers);
  checkAlgorithm(algorithm);
  return numbers;
}

/** Name of the algorithm; its parameters are ignored. @throws DerError */
function readAlgorithm(value: DerValue): string {
  if (value.tag !== derTag.sequence) throw new DerError("algid parse error, not a sequence");
  const parts = value.parts;
  const name = algorithmName(objectIdentifier(parts.next()));
  if (parts.available === 0) return name;
  const parameters = parts.next();
  if (parameters.tag === derTag.nullValue && parameters.content.length > 0) throw new DerError("invalid NULL");
  if (parts.available !== 0) throw new DerError("Invalid AlgorithmIdentifier: extra data");
  return name;
}

/** @throws KeyError */
function readNumbers(encoded: Uint8Array): RsaPublicKey {
  try {
    const value = readOnlyValue(encoded);
    if (value.tag !== derTag.sequence) throw new DerError("Not a SEQUENCE");
    const parts = value.parts;
    const [modulus, exponent] = [readNumber(parts), readNumber(parts)];
    if (parts.available !== 0) throw new DerError("Extra data available");
    return { modulus, exponent };
  } catch (error) {
    throw error instanceof DerError ? new KeyError(error.message) : error;
  }
}

/** Reads an unsigned integer: the sign is ignored. @throws DerError */
function readNumber(parts: DerInput): bigint {
  const value = parts.next();
  if (value.tag !== derTag.integer) {
    throw new DerError(`DerValue.getBigIntegerInternal, not expected ${value.signedTag}`);
  }
  if (value.content.length === 0) throw new DerError("Invalid encoding: zero length Int value");
  return integerOfBytes(value.content);
}

/** @throws KeyError */
function checkSizes({ modulus, exponent }: RsaPublicKey): void {
  const modulusBits = Math.ceil(bitLength(modulus) / 8) * 8;
  if (modulusBits < minModulusBits) throw new KeyError(`RSA keys must be at least ${minModulusBits} bits long`);
  if (modulusBits > maxModulusBits) throw new KeyError(`RSA keys must be no longer than ${maxModulusBits} bits`);
  if (modulusBits > maxModulusBitsOfLongExponent && bitLength(exponent) > maxShortExponentBits) {
    throw new KeyError(
      `RSA exponents can be no longer than ${maxShortExponentBits} bits  if modulus is greater than ${maxModulusBitsOfLongExponent} bits`,
    );
  }
  if (exponent >= modulus) throw new KeyError("exponent is larger than modulus");
  if (exponent < leastExponent) throw new KeyError(`exponent is smaller than ${leastExponent}`);
}

/** Accepts any algorithm with RSA in its name, except PSS. @throws KeyError */
function checkAlgorithm(name: string): void {
  if (name.includes("PSS")) throw new KeyError(`Expected a RSA key, but got ${pssName}`);
  if (!name.includes("RSA")) throw new KeyError(`Unsupported algorithm ${name}`);
}
