/**
 * Chains of certificates with their revocation lists, as the reference's platform validates them: the last certificate
 * is trusted without validation, and those before it form a path from it.
 *
 * Not supported: constraints on names, and constraints on and mappings of policies. A chain with any of them is
 * refused.
 * @source RFC 5280, 6.1; Waves 1.6: crypto/P256Curve.scala (validateCertChain); Java 17:
 *   sun.security.provider.certpath: PKIXCertPathValidator, KeyChecker, ConstraintsChecker, BasicChecker,
 *   AlgorithmChecker, PolicyChecker
 */
import { DerError } from "../der/der-error.ts";
import { derTag, partsOf, readOnlyValue } from "../der/platform-der.ts";
import { computeNow, type RunStep } from "../long-step.ts";
import { type Certificate, isSelfIssued, keyUsage, parseCertificate } from "./certificate.ts";
import { anyPathLength, criticalIdentifiers } from "./extensions.ts";
import { extensionId } from "./identifiers.ts";
import { isLongEnough, isSignedBy, isSlowKey, keyCoordinates } from "./public-keys.ts";
import { checkRevocation, hasKey } from "./revocation.ts";
import { parseRevocationList, type RevocationList } from "./revocation-list.ts";
import { X509Error } from "./x509-error.ts";

const oldestVersionWithExtensions = 3;
/** Number of key usage bits of which one must be set; the rest only qualify others. */
const usefulUsages = 7;
const understood: ReadonlySet<string> = new Set([
  extensionId.keyUsage,
  extensionId.extendedKeyUsage,
  extensionId.subjectNames,
  extensionId.basicConstraints,
  extensionId.policies,
]);
const unsupported = [
  extensionId.nameConstraints,
  extensionId.policyMappings,
  extensionId.policyConstraints,
  extensionId.inhibitAnyPolicy,
];

/** A key in the chain takes many milliseconds for a signature. */
export class SlowKey extends Error {
  override readonly name = "SlowKey";
}

/**
 * Validates a chain and returns the key it certifies. A chain of one certificate certifies its own key, at any time.
 * Cost: two signatures for each certificate; earlier results are cached.
 * @param chain from the certified to the trusted certificate, at least one; DER, or the text form (PEM)
 * @param lists of revoked certificates, in any order
 * @returns both coordinates of the key, 32 bytes each
 * @throws X509Error
 * @throws SlowKey only with `refusesSlowKeys`
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
    throw error instanceof DerError ? new X509Error(error.message, { cause: error }) : error;
  }
}

/** @param path from the certificate that the trusted one issued to the last */
function validatePath(
  root: Certificate,
  path: readonly Certificate[],
  lists: readonly RevocationList[],
  { timeMs, run }: { readonly timeMs: number; readonly run: RunStep },
): void {
  const [first] = path;
  if (first === undefined) return;
  if (first.issuer.canonical !== root.subject.canonical || !hasKey(root, first.authorityKey)) {
    throw new X509Error("Path does not chain with any of the trust anchors");
  }
  let issuer = root;
  let remaining = path.length;
  let hasPolicies = true;
  for (const [index, certificate] of path.entries()) {
    const isLast = index === path.length - 1;
    checkUsage(certificate, isLast);
    if (![certificate, issuer].every(({ key }) => isLongEnough(key))) {
      throw new X509Error("Algorithm constraints check failed on keysize limits");
    }
    if (!isLast) remaining = remainingPathLength(certificate, index === 0, remaining);
    checkExtensions(certificate, hasPolicies);
    // Policies have no effect after a certificate without any.
    hasPolicies &&= certificate.extensions.has(extensionId.policies);
    checkValidity(certificate, timeMs);
    if (certificate.issuer.canonical !== issuer.subject.canonical) {
      throw new X509Error("subject/issuer name chaining check failed");
    }
    if (!isSignedBy(issuer.key, certificate.signed, run)) {
      throw new X509Error("signature check failed: Signature does not match.");
    }
    // The key of an issuer without stated uses is found through a separate key, which leads back to it.
    const maySign = index === 0 || issuer.keyUsage?.[keyUsage.revocationLists] !== false;
    checkRevocation(certificate, { key: issuer.key, maySign, root, run }, lists, timeMs);
    issuer = certificate;
  }
}

function checkUsage({ keyUsage: usages }: Certificate, isLast: boolean): void {
  if (usages === undefined) return;
  if (!usages.slice(0, usefulUsages).some(Boolean)) throw new X509Error("incorrect KeyUsage extension bits");
  if (!isLast && !usages[keyUsage.certificates]) {
    throw new X509Error("CA key usage check failed: keyCertSign bit is not set");
  }
}

/** Number of certificates that may follow after this one. */
function remainingPathLength(certificate: Certificate, isFirst: boolean, remaining: number): number {
  const isOld = certificate.version < oldestVersionWithExtensions;
  const isOwn = isSelfIssued(certificate);
  const allowed = isOld ? (isFirst && isOwn ? anyPathLength : undefined) : certificate.pathLength;
  if (allowed === undefined || allowed === -1) {
    throw new X509Error("basic constraints check failed: this is not a CA certificate");
  }
  if (!isOwn && remaining <= 0) {
    throw new X509Error(
      "basic constraints check failed: pathLenConstraint violated - this cert must be the last cert in the certification path",
    );
  }
  return Math.min(isOwn ? remaining : remaining - 1, allowed);
}

function checkExtensions({ extensions }: Certificate, hasPolicies: boolean): void {
  if (unsupported.some((identifier) => extensions.has(identifier))) {
    throw new X509Error("constraints on names or policies are not supported");
  }
  const policies = extensions.get(extensionId.policies);
  if (hasPolicies && policies?.isCritical && hasQualifiers(policies.value)) {
    throw new X509Error("critical policy qualifiers present in certificate");
  }
  if (criticalIdentifiers(extensions).some((identifier) => !understood.has(identifier))) {
    throw new X509Error("unrecognized critical extension(s)");
  }
}

function hasQualifiers(value: Uint8Array): boolean {
  return partsOf(readOnlyValue(value), derTag.sequence).some((policy) => partsOf(policy, derTag.sequence).length > 1);
}

function checkValidity({ notBeforeMs, notAfterMs }: Certificate, timeMs: number): void {
  if (timeMs < notBeforeMs) throw new X509Error("validity check failed: NotBefore is after the time");
  if (timeMs > notAfterMs) throw new X509Error("validity check failed: NotAfter is before the time");
}
