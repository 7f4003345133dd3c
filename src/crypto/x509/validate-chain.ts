/**
 * Chains of certificates with their revocation lists, as the reference's platform validates them: the last certificate is
 * trusted as it is, and those before it form a path from it.
 *
 * Not followed: constraints on names, and constraints on and mappings of policies. A chain that has any is refused.
 * @source RFC 5280, 6.1; Waves 1.6: crypto/P256Curve.scala (validateCertChain); Java 17: sun.security.provider.certpath:
 *   PKIXCertPathValidator, KeyChecker, ConstraintsChecker, BasicChecker, AlgorithmChecker, PolicyChecker
 */
import { DerFault } from "../der/der-fault.ts";
import { derTag, partsOf, readOnlyValue } from "../der/platform-der.ts";
import { computeNow, type RunStep } from "../long-step.ts";
import { type Certificate, isSelfIssued, keyUsage, parseCertificate } from "./certificate.ts";
import { anyPathLength, criticalIdentifiers } from "./extensions.ts";
import { extensionId } from "./identifiers.ts";
import { isLongEnough, isSignedBy, isSlowKey, keyCoordinates } from "./public-keys.ts";
import { checkRevocation, hasKey } from "./revocation.ts";
import { parseRevocationList, type RevocationList } from "./revocation-list.ts";
import { X509Fault } from "./x509-fault.ts";

const oldestVersionWithExtensions = 3;
/** Uses of a key that stand for something by themselves. */
const usefulUsages = 7;
const understood: ReadonlySet<string> = new Set([
  extensionId.keyUsage,
  extensionId.extendedKeyUsage,
  extensionId.subjectNames,
  extensionId.basicConstraints,
  extensionId.policies,
]);
const notFollowed = [
  extensionId.nameConstraints,
  extensionId.policyMappings,
  extensionId.policyConstraints,
  extensionId.inhibitAnyPolicy,
];

/** Signatures of a key in the chain take many milliseconds. */
export class SlowKey extends Error {
  override readonly name = "SlowKey";
}

/**
 * The key that a chain vouches for. A chain of one certificate vouches for its own, whatever the time.
 * @param chain from the one that is vouched for to the trusted one, at least one; DER, or the text form (PEM)
 * @param lists of revoked certificates, in whatever order
 * @returns both coordinates of the key, 32 bytes each
 * @throws X509Fault, SlowKey where that is asked for
 * Cost: two signatures for each certificate; those that were looked at before are known.
 */
export function validateChain(
  chain: readonly Uint8Array[],
  lists: readonly Uint8Array[],
  timeMs: number,
  { refusesSlowKeys = false, run = computeNow }: { readonly refusesSlowKeys?: boolean; readonly run?: RunStep } = {},
): Uint8Array {
  try {
    const certificates = chain.map(parseCertificate);
    if (refusesSlowKeys && certificates.some(({ key }) => isSlowKey(key))) throw new SlowKey();
    const [root, ...path] = certificates.toReversed() as [Certificate, ...Certificate[]];
    validatePath(root, path, lists.map(parseRevocationList), { timeMs, run });
    return keyCoordinates((path.at(-1) ?? root).key);
  } catch (error) {
    throw error instanceof DerFault ? new X509Fault(error.message, { cause: error }) : error;
  }
}

/** @param path from the one that the trusted one issued to the last */
function validatePath(
  root: Certificate,
  path: readonly Certificate[],
  lists: readonly RevocationList[],
  { timeMs, run }: { readonly timeMs: number; readonly run: RunStep },
): void {
  const [first] = path;
  if (first === undefined) return;
  if (first.issuer.canonical !== root.subject.canonical || !hasKey(root, first.authorityKey)) {
    throw new X509Fault("Path does not chain with any of the trust anchors");
  }
  let issuer = root;
  let left = path.length;
  let hasPolicies = true;
  for (const [index, certificate] of path.entries()) {
    const isLast = index === path.length - 1;
    checkUsage(certificate, isLast);
    if (![certificate, issuer].every(({ key }) => isLongEnough(key))) {
      throw new X509Fault("Algorithm constraints check failed on keysize limits");
    }
    if (!isLast) left = pathLeft(certificate, index === 0, left);
    checkExtensions(certificate, hasPolicies);
    // What policies say counts for nothing behind a certificate that has none.
    hasPolicies &&= certificate.extensions.has(extensionId.policies);
    checkValidity(certificate, timeMs);
    if (certificate.issuer.canonical !== issuer.subject.canonical) {
      throw new X509Fault("subject/issuer name chaining check failed");
    }
    if (!isSignedBy(issuer.key, certificate.signed, run)) {
      throw new X509Fault("signature check failed: Signature does not match.");
    }
    // A key without stated uses is found by the way of a separate key, which leads back to it.
    const maySign = index === 0 || issuer.keyUsage?.[keyUsage.revocationLists] !== false;
    checkRevocation(certificate, { key: issuer.key, maySign, root, run }, lists, timeMs);
    issuer = certificate;
  }
}

function checkUsage({ keyUsage: usages }: Certificate, isLast: boolean): void {
  if (usages === undefined) return;
  if (!usages.slice(0, usefulUsages).some(Boolean)) throw new X509Fault("incorrect KeyUsage extension bits");
  if (!isLast && !usages[keyUsage.certificates]) {
    throw new X509Fault("CA key usage check failed: keyCertSign bit is not set");
  }
}

/** How many certificates may follow after this one. */
function pathLeft(certificate: Certificate, isFirst: boolean, left: number): number {
  const isOld = certificate.version < oldestVersionWithExtensions;
  const isOwn = isSelfIssued(certificate);
  const allowed = isOld ? (isFirst && isOwn ? anyPathLength : undefined) : certificate.pathLength;
  if (allowed === undefined || allowed === -1) {
    throw new X509Fault("basic constraints check failed: this is not a CA certificate");
  }
  if (!isOwn && left <= 0) {
    throw new X509Fault(
      "basic constraints check failed: pathLenConstraint violated - this cert must be the last cert in the certification path",
    );
  }
  return Math.min(isOwn ? left : left - 1, allowed);
}

function checkExtensions({ extensions }: Certificate, hasPolicies: boolean): void {
  if (notFollowed.some((identifier) => extensions.has(identifier))) {
    throw new X509Fault("constraints on names or policies are not followed");
  }
  const policies = extensions.get(extensionId.policies);
  if (hasPolicies && policies?.isCritical && hasQualifiers(policies.value)) {
    throw new X509Fault("critical policy qualifiers present in certificate");
  }
  if (criticalIdentifiers(extensions).some((identifier) => !understood.has(identifier))) {
    throw new X509Fault("unrecognized critical extension(s)");
  }
}

function hasQualifiers(value: Uint8Array): boolean {
  return partsOf(readOnlyValue(value), derTag.sequence).some((policy) => partsOf(policy, derTag.sequence).length > 1);
}

function checkValidity({ notBeforeMs, notAfterMs }: Certificate, timeMs: number): void {
  if (timeMs < notBeforeMs) throw new X509Fault("validity check failed: NotBefore is after the time");
  if (timeMs > notAfterMs) throw new X509Fault("validity check failed: NotAfter is before the time");
}
