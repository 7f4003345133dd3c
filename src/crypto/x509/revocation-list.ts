/** Certificate revocation lists. @source RFC 5280, 5; Java 17: sun.security.x509.X509CRLImpl, X509CRLEntryImpl */
import { DerError } from "../der/der-error.ts";
import { type DerValue, derTag, integerOf, partsOf, readOnlyValue } from "../der/platform-der.ts";
import { isSameAlgorithm, readAlgorithm } from "./algorithm.ts";
import { readSigned } from "./certificate.ts";
import { type DistinguishedName, readName } from "./distinguished-name.ts";
import { type IssuingPoint, namesOf, readIssuingPoint } from "./distribution-points.ts";
import { type AuthorityKey, type Extensions, readAuthorityKey, readExtensions } from "./extensions.ts";
import { directoryTag } from "./general-names.ts";
import { extensionId } from "./identifiers.ts";
import { isTime, readTime } from "./point-in-time.ts";
import type { Signed } from "./public-keys.ts";
import { readBlock } from "./read-block.ts";
import { X509Error } from "./x509-error.ts";

export interface RevokedEntry {
  readonly revokedMs: number;
  readonly extensions: Extensions;
}

export interface RevocationList {
  readonly signed: Signed;
  readonly issuer: DistinguishedName;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number | undefined;
  readonly extensions: Extensions;
  readonly authorityKey: AuthorityKey | undefined;
  readonly issuingPoint: IssuingPoint | undefined;
  /** Full names of its distribution point; undefined: no restriction. */
  readonly pointNames: ReadonlySet<string> | undefined;
  readonly entries: RevokedEntries;
}

/** By the printed name of the issuer, and the serial number; the last of several entries for one certificate. */
type RevokedEntries = ReadonlyMap<string, ReadonlyMap<string, RevokedEntry>>;

const extensionsTag = 0xa0;
const secondVersion = 1n;
const noExtensions: Extensions = new Map();

/** The entry of a certificate. */
export function findEntry(
  entries: RevokedEntries,
  { printed }: DistinguishedName,
  serialNumber: bigint,
): RevokedEntry | undefined {
  return entries.get(printed)?.get(serialText(serialNumber));
}

/** PERF: not decimal, which takes milliseconds for a number of 30 KB. */
function serialText(serialNumber: bigint): string {
  return serialNumber.toString(16);
}

/** @param bytes DER, or the text form (PEM) @throws X509Error, DerError */
export function parseRevocationList(bytes: Uint8Array): RevocationList {
  const { parts, signed } = readSigned(readBlock(bytes));
  const values = [...partsOf(parts, derTag.sequence)];
  if (values[0]?.tag === derTag.integer) {
    if (integerOf(values.shift() as DerValue) !== secondVersion) throw new X509Error("Invalid version");
  }
  const [algorithm, name] = values.splice(0, 2);
  if (algorithm === undefined || name === undefined) throw new DerError("Too short");
  if (!isSameAlgorithm(readAlgorithm(algorithm), signed.algorithm)) throw new X509Error("Signature algorithm mismatch");
  const issuer = readName(name);
  if (issuer.isEmpty) throw new X509Error("Empty issuer DN not allowed in X509CRLs");
  const first = values.shift();
  if (first === undefined || !isTime(first)) throw new X509Error("Invalid encoding for thisUpdate");
  const thisUpdateMs = readTime(first);
  const [second] = values;
  const hasEnd = second !== undefined && isTime(second);
  if (hasEnd) values.shift();
  const entries = values[0]?.tag === derTag.sequence ? readEntries(values.shift() as DerValue, issuer) : new Map();
  const [last] = values;
  const extensions = last?.tag === extensionsTag ? readExtensions(last.parts.next()) : noExtensions;
  const issuingPoint = readPart(extensions, extensionId.issuingPoint, readIssuingPoint);
  return {
    signed,
    issuer,
    thisUpdateMs,
    nextUpdateMs: hasEnd ? readTime(second) : undefined,
    extensions,
    authorityKey: readPart(extensions, extensionId.authorityKey, readAuthorityKey),
    issuingPoint,
    pointNames: issuingPoint?.names && new Set(namesOf(issuingPoint.names, issuer)),
    entries,
  };
}

/** Unlike those of certificates, these must be readable even if not critical. */
function readPart<Read>(extensions: Extensions, identifier: string, read: (value: DerValue) => Read): Read | undefined {
  const found = extensions.get(identifier);
  return found && read(readOnlyValue(found.value));
}

/** First of several names. @throws X509Error it is of another kind */
function firstName(value: DerValue): DistinguishedName {
  const [name] = partsOf(value, derTag.sequence);
  if (name?.tag !== directoryTag) throw new X509Error("an entry's issuer is not a directory's name");
  return readName(name.parts.next());
}

function readEntries(value: DerValue, issuer: DistinguishedName): RevokedEntries {
  const entries = new Map<string, Map<string, RevokedEntry>>();
  // An entry without an issuer has the issuer of the entry before it.
  let entryIssuer = issuer;
  for (const part of partsOf(value, derTag.sequence)) {
    const [serial, time, more] = partsOf(part, derTag.sequence);
    if (serial === undefined || time === undefined || !isTime(time)) {
      throw new X509Error("Invalid encoding for revocation date");
    }
    const extensions = more === undefined ? noExtensions : readExtensions(more);
    entryIssuer = readPart(extensions, extensionId.certificateIssuer, firstName) ?? entryIssuer;
    const entriesOfIssuer = entries.get(entryIssuer.printed) ?? new Map<string, RevokedEntry>();
    entriesOfIssuer.set(serialText(integerOf(serial)), { revokedMs: readTime(time), extensions });
    entries.set(entryIssuer.printed, entriesOfIssuer);
  }
  return entries;
}
