/**
 * Revocation status of a certificate in a path, by the given lists.
 *
 * A list counts if the certificate's issuer made it and signed it with its key, or if it names the trusted certificate
 * as its source. Lists by keys that would need a path of their own are ignored.
 * @source RFC 5280, 6.3; Java 17: sun.security.provider.certpath.RevocationChecker, DistributionPointFetcher
 *   (verifyCRL)
 */
import { equalBytes } from "../bytes.ts";
import { derTag, encodedBytes } from "../der/platform-der.ts";
import type { RunStep } from "../long-step.ts";
import { type Certificate, keyUsage } from "./certificate.ts";
import { type DistributionPoint, namesOf } from "./distribution-points.ts";
import { criticalIdentifiers } from "./extensions.ts";
import { directoryName } from "./general-names.ts";
import { extensionId } from "./identifiers.ts";
import { isSignedBy, type SubjectKey } from "./public-keys.ts";
import { findEntry, type RevocationList } from "./revocation-list.ts";
import { X509Error } from "./x509-error.ts";

/** Tolerance before the beginning and after the end of a list's validity. */
const clockSkewMs = 900_000;
const reasonCount = 9;
const everyReason: readonly boolean[] = Array.from({ length: reasonCount }, () => true);

/** Key that signs the lists of an issuer. */
export interface ListSigner {
  readonly key: SubjectKey;
  /** Always true for the first certificate of a path. */
  readonly maySign: boolean;
  /** The trusted certificate, which any list may name as its source. */
  readonly root: Certificate;
  readonly run: RunStep;
}

/** @throws X509Error revoked, or no list covers it */
export function checkRevocation(
  certificate: Certificate,
  signer: ListSigner,
  lists: readonly RevocationList[],
  timeMs: number,
): void {
  const current = lists.filter(
    ({ thisUpdateMs, nextUpdateMs }) =>
      nextUpdateMs !== undefined && timeMs - clockSkewMs <= nextUpdateMs && timeMs + clockSkewMs >= thisUpdateMs,
  );
  const reasons = Array.from({ length: reasonCount }, () => false);
  const approved = new Set<RevocationList>();
  for (const point of pointsOf(certificate)) {
    for (const list of current) {
      if (isApproved(certificate, point, list, signer, reasons)) approved.add(list);
    }
    if (reasons.every(Boolean)) break;
  }
  if (approved.size === 0 || !reasons.every(Boolean)) throw new X509Error("Could not determine revocation status");
  for (const list of approved) checkEntry(certificate, list, timeMs);
}

/** Distribution points; a certificate without any has one with its issuer's name. */
function pointsOf({ points, issuer }: Certificate): readonly DistributionPoint[] {
  const own: DistributionPoint = {
    names: { kind: "full", names: [directoryName(issuer.canonical)] },
    reasons: undefined,
    listIssuers: undefined,
  };
  return points ?? [own];
}

/** @param covered reasons that earlier lists covered; those of this list are added */
function isApproved(
  certificate: Certificate,
  point: DistributionPoint,
  list: RevocationList,
  issuer: ListSigner,
  covered: boolean[],
): boolean {
  const signer = signerOf(certificate, point, list, issuer);
  if (signer === undefined || !fitsPoint(certificate, point, list)) return false;
  const reasons = everyReason.map(
    (_, index) =>
      (list.issuingPoint?.reasons ?? everyReason)[index] === true && (point.reasons ?? everyReason)[index] === true,
  );
  if (!reasons.some((isOne, index) => isOne && !covered[index])) return false;
  if (!isSignedBy(signer, list.signed, issuer.run)) return false;
  if (criticalIdentifiers(list.extensions).some((identifier) => identifier !== extensionId.issuingPoint)) return false;
  for (const [index, isOne] of reasons.entries()) if (isOne) covered[index] = true;
  return true;
}

/** Key that must have signed the list; undefined if the list is not for this certificate. */
function signerOf(
  certificate: Certificate,
  { listIssuers }: DistributionPoint,
  list: RevocationList,
  { key, maySign, root, run }: ListSigner,
): SubjectKey | undefined {
  const own = maySign ? certificate.key : undefined;
  if (listIssuers !== undefined) {
    const isNamed =
      list.issuingPoint?.isIndirect === true && listIssuers.includes(directoryName(list.issuer.canonical));
    if (!isNamed) return undefined;
    return issues(certificate, list, run) ? own : keyIfNamed(root, list);
  }
  if (list.issuer.canonical !== certificate.issuer.canonical) return undefined;
  const [ours, theirs] = [certificate.authorityKey?.keyIdentifier, list.authorityKey?.keyIdentifier];
  const issuerKey = maySign ? key : undefined;
  if (ours !== undefined && theirs !== undefined && equalBytes(ours, theirs)) return issuerKey;
  if (issues(certificate, list, run)) return own;
  if (ours === undefined || theirs === undefined) return issuerKey;
  return keyIfNamed(root, list);
}

/** The trusted certificate's key, if the list names that certificate as its source. */
function keyIfNamed(root: Certificate, list: RevocationList): SubjectKey | undefined {
  const { subject, keyUsage: usages, extensions, key } = root;
  if (subject.canonical !== list.issuer.canonical || usages?.[keyUsage.revocationLists] === false) return undefined;
  const { keyIdentifier, serialNumber } = list.authorityKey ?? {};
  const own = extensions.get(extensionId.subjectKey)?.value;
  if (keyIdentifier !== undefined && (own === undefined || !isOctets(own, keyIdentifier))) return undefined;
  return serialNumber === undefined || serialNumber === root.serialNumber ? key : undefined;
}

/** Whether the certificate itself issued the list. */
function issues(certificate: Certificate, { issuer, authorityKey, signed }: RevocationList, run: RunStep): boolean {
  const mayNot = certificate.keyUsage?.[keyUsage.revocationLists] === false;
  if (mayNot || certificate.subject.canonical !== issuer.canonical) return false;
  if (!hasKey(certificate, authorityKey)) return false;
  if (authorityKey !== undefined && certificate.authorityKey !== undefined) return true;
  return isSignedBy(certificate.key, signed, run);
}

/** Whether the certificate's key may be the one that `authorityKey` identifies. */
export function hasKey(
  { extensions, version, serialNumber }: Certificate,
  authorityKey: Certificate["authorityKey"],
): boolean {
  const requested = authorityKey?.keyIdentifier;
  const own = extensions.get(extensionId.subjectKey)?.value;
  if (requested !== undefined && own !== undefined && !isOctets(own, requested)) return false;
  const serial = authorityKey?.serialNumber;
  return serial === undefined || version < 3 || serial === serialNumber;
}

/** Whether the extension holds exactly these bytes. */
function isOctets(value: Uint8Array, content: Uint8Array): boolean {
  return equalBytes(value, encodedBytes(derTag.octets, content));
}

function fitsPoint({ issuer, pathLength }: Certificate, point: DistributionPoint, list: RevocationList): boolean {
  const { issuingPoint, pointNames } = list;
  if (issuingPoint === undefined) return true;
  if (pointNames !== undefined) {
    const pointsOfCertificate = point.names === undefined ? (point.listIssuers ?? []) : namesOf(point.names, issuer);
    if (!pointsOfCertificate.some((name) => pointNames.has(name))) return false;
  }
  const isAuthority = pathLength !== undefined;
  if (issuingPoint.onlySubjects && isAuthority) return false;
  return !(issuingPoint.onlyAuthorities && !isAuthority) && !issuingPoint.onlyAttributes;
}

const entryExtensions: ReadonlySet<string> = new Set([extensionId.reasonCode, extensionId.certificateIssuer]);

/** @throws X509Error */
function checkEntry({ issuer, serialNumber }: Certificate, { entries }: RevocationList, timeMs: number): void {
  const entry = findEntry(entries, issuer, serialNumber);
  if (entry === undefined) return;
  if (criticalIdentifiers(entry.extensions).some((identifier) => !entryExtensions.has(identifier))) {
    throw new X509Error("Unrecognized critical extension(s) in revoked CRL entry");
  }
  if (entry.revokedMs < timeMs) throw new X509Error("Certificate has been revoked");
}
