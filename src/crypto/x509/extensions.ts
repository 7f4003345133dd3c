/**
 * Extensions of certificates, of revocation lists and of their entries.
 * @source RFC 5280, 4.2 and 5.2; Java 17: Extension
 */
import { DerError } from "../der/der-error.ts";
import {
  bitsOf,
  type DerValue,
  derTag,
  integerOf,
  objectIdentifier,
  partsOf,
  readOnlyValue,
} from "../der/platform-der.ts";
import { X509Error } from "./x509-error.ts";

export interface Extension {
  readonly isCritical: boolean;
  readonly value: Uint8Array;
}

/** Extensions by identifier in dotted form. */
export type Extensions = ReadonlyMap<string, Extension>;

/** @throws DerError, X509Error duplicate extension */
export function readExtensions(value: DerValue): Extensions {
  const extensions = new Map<string, Extension>();
  for (const part of partsOf(value, derTag.sequence)) {
    const [identifier, second, third] = partsOf(part, derTag.sequence);
    if (identifier === undefined || second === undefined) throw new DerError("Too short");
    const isMarked = second.tag === derTag.boolean;
    const octets = isMarked ? third : second;
    if (octets?.tag !== derTag.octets) throw new DerError("DerValue.getOctetString, not an Octet String");
    const name = objectIdentifier(identifier);
    if (extensions.has(name)) throw new X509Error("Duplicate extensions not allowed");
    extensions.set(name, { isCritical: isMarked && readBoolean(second), value: octets.content });
  }
  return extensions;
}

export function criticalIdentifiers(extensions: Extensions): readonly string[] {
  return [...extensions].filter(([, { isCritical }]) => isCritical).map(([identifier]) => identifier);
}

/**
 * Reads one extension; undefined if it is missing, or unreadable and not critical.
 * @throws DerError, X509Error
 */
export function readExtension<Read>(
  extensions: Extensions,
  identifier: string,
  read: (value: DerValue) => Read,
): Read | undefined {
  const found = extensions.get(identifier);
  if (found === undefined) return undefined;
  try {
    return read(readOnlyValue(found.value));
  } catch (error) {
    if (found.isCritical || !(error instanceof DerError)) throw error;
    return undefined;
  }
}

/** @throws DerError */
export function readBoolean({ tag, content }: DerValue): boolean {
  if (tag !== derTag.boolean) throw new DerError("DerValue.getBoolean, not a BOOLEAN");
  if (content.length !== 1) throw new DerError("DerValue.getBoolean, invalid length");
  return content[0] !== 0;
}

/** Flags of a key's uses by number; the bits may be wrapped in octets once more. @throws DerError */
export function readKeyUsage(value: DerValue): readonly boolean[] {
  return readFlags(value.tag === derTag.octets ? readOnlyValue(value.content) : value);
}

/** Flags bit by bit, highest bit of each byte first. @throws DerError */
function readFlags(value: DerValue): readonly boolean[] {
  const unusedBits = value.content[0] ?? 0;
  const bytes = bitsOf(value);
  return Array.from(
    { length: bytes.length * 8 - unusedBits },
    (_, index) => ((bytes[index >> 3] as number) & (0x80 >> (index & 7))) !== 0,
  );
}

const keyIdentifierTags = { key: 0x80, names: 0xa1, serial: 0x82 } as const;

/** Identification of the issuer's key that signed. */
export interface AuthorityKey {
  readonly keyIdentifier: Uint8Array | undefined;
  readonly serialNumber: bigint | undefined;
}

/** @throws DerError */
export function readAuthorityKey(value: DerValue): AuthorityKey {
  const found = new Map<number, DerValue>();
  for (const part of partsOf(value, derTag.sequence)) {
    const isKnown = (Object.values(keyIdentifierTags) as readonly number[]).includes(part.tag);
    if (!isKnown || found.has(part.tag)) throw new DerError("Invalid encoding of AuthorityKeyIdentifierExtension.");
    found.set(part.tag, part);
  }
  const serial = found.get(keyIdentifierTags.serial)?.content;
  if (serial?.length === 0) throw new DerError("Invalid encoding: zero length Int value");
  return {
    keyIdentifier: found.get(keyIdentifierTags.key)?.content,
    serialNumber: serial && BigInt.asIntN(serial.length * 8, BigInt(`0x${Buffer.from(serial).toString("hex")}`)),
  };
}

export const anyPathLength = 2 ** 31 - 1;

/** Number of certificates that may follow an authority's; undefined if it is no authority. @throws DerError */
export function readBasicConstraints(value: DerValue): number | undefined {
  const [first, second] = partsOf(value, derTag.sequence);
  if (first?.tag !== derTag.boolean) return undefined;
  const isAuthority = readBoolean(first);
  if (second === undefined) return isAuthority ? anyPathLength : undefined;
  if (second.tag !== derTag.integer) throw new DerError("Invalid encoding of BasicConstraints");
  const length = integerOf(second);
  if (length !== BigInt.asIntN(32, length)) throw new DerError("Integer exceeds maximum int value");
  return isAuthority ? Number(length) : undefined;
}
