/** Object identifiers, in dotted form. @source RFC 5280, 4.2 and 5.2; RFC 5480; RFC 4055 */
export const extensionId = {
  subjectKey: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectNames: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  reasonCode: "2.5.29.21",
  issuingPoint: "2.5.29.28",
  certificateIssuer: "2.5.29.29",
  nameConstraints: "2.5.29.30",
  distributionPoints: "2.5.29.31",
  policies: "2.5.29.32",
  policyMappings: "2.5.29.33",
  authorityKey: "2.5.29.35",
  policyConstraints: "2.5.29.36",
  extendedKeyUsage: "2.5.29.37",
  inhibitAnyPolicy: "2.5.29.54",
} as const;

export const keyAlgorithmId = { ellipticCurve: "1.2.840.10045.2.1", rsa: "1.2.840.113549.1.1.1" } as const;
