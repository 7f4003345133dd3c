/**
 * RSA keys as the reference's second provider reads them, after the platform refused them: any size, any exponent, BER,
 * and the identifiers of PSS and OAEP.
 * @source RFC 5280, 4.1 (SubjectPublicKeyInfo); Bouncy Castle 1.78.1: asymmetric.rsa.KeyFactorySpi, BCRSAPublicKey,
 *   asn1.x509.SubjectPublicKeyInfo, asn1.pkcs.RSAPublicKey
 */
import { integerOfBytes } from "../big-endian.ts";
import { dottedText } from "../der/platform-der.ts";
import { BerError, type BerValue, readBer } from "./ber.ts";
import type { RsaPublicKey } from "./rsa-key.ts";

/** rsaEncryption, RSAES-OAEP, RSASSA-PSS, and the identifier of X.500. */
const identifiers: ReadonlySet<string> = new Set([
  "1.2.840.113549.1.1.1",
  "1.2.840.113549.1.1.7",
  "1.2.840.113549.1.1.10",
  "2.5.8.1.1",
]);

/** Reads a key; undefined if the bytes are none. */
export function findLenientKey(encoded: Uint8Array): RsaPublicKey | undefined {
  try {
    return readKey(encoded);
  } catch (error) {
    if (error instanceof BerError) return undefined;
    throw error;
  }
}

/** @throws BerError */
function readKey(encoded: Uint8Array): RsaPublicKey | undefined {
  const [algorithm, key, ...others] = sequenceItems(readBer(encoded));
  if (algorithm === undefined || key === undefined || others.length > 0) return undefined;
  const [identifier, ...parameters] = sequenceItems(algorithm);
  if (identifier?.kind !== "identifier" || parameters.length > 1) return undefined;
  if (!identifiers.has(dottedText(identifier.content))) return undefined;
  if (key.kind !== "bits" || key.content[0] !== 0) return undefined;
  const [modulus, exponent, ...more] = sequenceItems(readBer(key.content.subarray(1)));
  if (modulus?.kind !== "integer" || exponent?.kind !== "integer" || more.length > 0) return undefined;
  return { modulus: integerOfBytes(modulus.content), exponent: integerOfBytes(exponent.content) };
}

/** Items of a sequence; none for other values, which every caller refuses as too few. */
function sequenceItems({ kind, items }: BerValue): readonly BerValue[] {
  return kind === "sequence" ? items : [];
}
