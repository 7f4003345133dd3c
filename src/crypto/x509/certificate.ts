/** Certificates of X.509. @source RFC 5280, 4.1; Java 17: sun.security.x509.X509CertImpl, X509CertInfo */

import { DerError } from "../der/der-error.ts";
import { bitsOf, type DerValue, derTag, encodedValue, integerOf, partsOf } from "../der/platform-der.ts";
import { isSameAlgorithm, readAlgorithm } from "./algorithm.ts";
import { type DistinguishedName, readName } from "./distinguished-name.ts";
import { type DistributionPoint, readDistributionPoints } from "./distribution-points.ts";
import {
  type AuthorityKey,
  type Extensions,
  readAuthorityKey,
  readBasicConstraints,
  readExtension,
  readExtensions,
  readKeyUsage,
} from "./extensions.ts";
import { extensionId } from "./identifiers.ts";
import { isTime, readTime } from "./point-in-time.ts";
import { readSubjectKey, type Signed, type SubjectKey } from "./public-keys.ts";
import { readBlock } from "./read-block.ts";
import { X509Error } from "./x509-error.ts";

export interface Certificate {
  readonly signed: Signed;
  /** 1 to 3. */
  readonly version: number;
  readonly serialNumber: bigint;
  readonly issuer: DistinguishedName;
  readonly subject: DistinguishedName;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly key: SubjectKey;
  readonly extensions: Extensions;
  readonly authorityKey: AuthorityKey | undefined;
  /** Number of certificates that may follow; undefined if the subject is no authority. */
  readonly pathLength: number | undefined;
  /** Locations of its revocation lists; undefined if the certificate names none. */
  readonly points: readonly DistributionPoint[] | undefined;
  /** Undefined: any use is allowed. */
  readonly keyUsage: readonly boolean[] | undefined;
}

/** Bits of `keyUsage`. */
export const keyUsage = { certificates: 5, revocationLists: 6 } as const;
const keyUsages = 9;
const tags = { version: 0xa0, issuerId: 1, subjectId: 2, extensions: 0xa3 } as const;
const latestVersion = 3;

/** @param bytes DER, or the text form (PEM) @throws X509Error, DerError */
export function parseCertificate(bytes: Uint8Array): Certificate {
  const { parts, signed } = readSigned(readBlock(bytes));
  const input = parts.parts;
  let next = input.next();
  let version = 1;
  if (next.tag === tags.version) {
    const inner = next.parts;
    version = Number(integerOf(inner.next())) + 1;
    if (inner.available !== 0) throw new DerError("X.509 version, bad format");
    next = input.next();
  }
  const serialNumber = integerOf(next);
  if (!isSameAlgorithm(readAlgorithm(input.next()), signed.algorithm))
    throw new X509Error("Signature algorithm mismatch");
  const issuer = readName(input.next());
  if (issuer.isEmpty) throw new X509Error("Empty issuer DN not allowed in X509Certificates");
  const [notBefore, notAfter, ...others] = partsOf(input.next(), derTag.sequence);
  if (notBefore === undefined || notAfter === undefined || others.length > 0 || ![notBefore, notAfter].every(isTime)) {
    throw new DerError("Invalid encoding for CertificateValidity");
  }
  const subject = readName(input.next());
  if (version === 1 && subject.isEmpty) throw new X509Error("Empty subject DN not allowed in v1 certificate");
  const fields = {
    signed,
    version,
    serialNumber,
    issuer,
    subject,
    notBeforeMs: readTime(notBefore),
    notAfterMs: readTime(notAfter),
    key: readSubjectKey(input.next()),
  };
  const extensions = readTrailingFields(input, version, subject);
  const usage = readExtension(extensions, extensionId.keyUsage, readKeyUsage);
  return {
    ...fields,
    extensions,
    authorityKey: readExtension(extensions, extensionId.authorityKey, readAuthorityKey),
    pathLength: readExtension(extensions, extensionId.basicConstraints, readBasicConstraints),
    points: readExtension(extensions, extensionId.distributionPoints, readDistributionPoints),
    keyUsage: usage && Array.from({ length: Math.max(keyUsages, usage.length) }, (_, index) => usage[index] ?? false),
  };
}

/** The signed fields, and the signature. @throws X509Error, DerError */
export function readSigned(value: DerValue): { readonly parts: DerValue; readonly signed: Signed } {
  const [parts, algorithm, signature, ...others] = partsOf(value, derTag.sequence);
  if (parts === undefined || algorithm === undefined || signature === undefined) throw new DerError("Too short");
  if (others.length > 0) throw new X509Error("signed overrun");
  if (parts.tag !== derTag.sequence) throw new X509Error("signed fields invalid");
  return {
    parts,
    signed: { bytes: encodedValue(parts), algorithm: readAlgorithm(algorithm), signature: bitsOf(signature) },
  };
}

/** Reads the optional fields after the key. Without any, an empty subject is accepted too. */
function readTrailingFields(input: DerValue["parts"], version: number, subject: DistinguishedName): Extensions {
  const none: Extensions = new Map();
  if (input.available === 0) return none;
  if (version === 1) throw new X509Error("no more data allowed for version 1 certificate");
  let next = input.next();
  for (const identifier of [tags.issuerId, tags.subjectId]) {
    if ((next.tag & 0xc0) !== 0x80 || (next.tag & 0x1f) !== identifier) continue;
    if (input.available === 0) return none;
    next = input.next();
  }
  if (version !== latestVersion) throw new X509Error("Extensions not allowed in v2 certificate");
  const extensions = next.tag === tags.extensions ? readExtensions(next.parts.next()) : none;
  checkSubject(subject, extensions);
  return extensions;
}

function checkSubject(subject: DistinguishedName, extensions: Extensions): void {
  if (!subject.isEmpty || extensions.get(extensionId.subjectNames)?.isCritical) return;
  throw new X509Error("X.509 Certificate is incomplete: subject field is empty");
}

/** Whether the certificate names its subject as its issuer. */
export function isSelfIssued({ issuer, subject }: Certificate): boolean {
  return issuer.canonical === subject.canonical;
}
