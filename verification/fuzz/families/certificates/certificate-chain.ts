/** Valid certificate chains in parts, so that any part can be made invalid. */
import { p256 } from "@noble/curves/nist.js";
import { sha1 } from "@noble/hashes/legacy.js";
import type { SeededRandom } from "../../../chain-generator/seeded-random.ts";
import { tagged } from "../der-writer.ts";
import {
  bits,
  boolean,
  type CertificateSpec,
  extension,
  integer,
  type ListSpec,
  type NamePart,
  octets,
  type SigningKey,
  sequence,
  writeKey,
} from "./certificate-writer.ts";

export const p256Identifier = "1.2.840.10045.3.1.7";
export const extensionIds = {
  subjectKey: "2.5.29.14",
  keyUsage: "2.5.29.15",
  basicConstraints: "2.5.29.19",
  listNumber: "2.5.29.20",
  authorityKey: "2.5.29.35",
} as const;
export const printable = 0x13;
/** Time in the middle of all validity periods: 2026-06-01. */
export const middleMs = Date.UTC(2026, 5, 1);

export interface CertificateChain {
  /** Certificates from the leaf to the trusted root, in the order that the function takes. */
  readonly certificates: CertificateSpec[];
  /** Revocation list of each issuer, in the same order. */
  readonly lists: ListSpec[];
  readonly keys: readonly SigningKey[];
  timeMs: number;
}

export function nameOf(text: string): NamePart[] {
  return [
    { type: "2.5.4.6", text: "US", tag: printable },
    { type: "2.5.4.10", text: "Some Authority", tag: 0x0c },
    { type: "2.5.4.3", text, tag: 0x0c },
  ];
}

export function keyUsageBits(...numbers: readonly number[]): Uint8Array {
  const value = numbers.reduce((sum, number) => sum | (0x8000 >> number), 0);
  return bits(Uint8Array.of(value >> 8, value & 0xff), 7);
}

export function basicConstraints(isAuthority: boolean, length?: number): Uint8Array {
  const parts = length === undefined ? [] : [integer(BigInt(length))];
  return sequence(...(isAuthority || parts.length > 0 ? [boolean(isAuthority)] : []), ...parts);
}

export function authorityKey(keyIdentifier: Uint8Array | undefined, serial?: bigint): Uint8Array {
  return sequence(
    ...(keyIdentifier === undefined ? [] : [tagged(0x80, keyIdentifier)]),
    ...(serial === undefined ? [] : [tagged(0x82, integer(serial).subarray(2))]),
  );
}

export function keyIdentifier(key: SigningKey): Uint8Array {
  return sha1(key.curve.getPublicKey(key.secret, false));
}

/** @param length 1 to 5 */
export function makeCertificateChain(random: SeededRandom, length: number): CertificateChain {
  const keys = Array.from({ length }, () => ({
    curve: p256,
    curveIdentifier: p256Identifier,
    secret: p256.utils.randomSecretKey(random.bytes(48)),
  }));
  const hasIdentifiers = random.boolean(0.7);
  const name = (index: number): NamePart[] => nameOf(`Certificate ${index} of ${length}`);
  const certificates = keys.map((key, index): CertificateSpec => {
    const issuerIndex = Math.min(index + 1, length - 1);
    const signer = keys[issuerIndex] as SigningKey;
    const isAuthority = index > 0;
    return {
      version: 3,
      serial: BigInt(1_000 + index),
      issuer: name(issuerIndex),
      subject: name(index),
      notBefore: "250101000000Z",
      notAfter: "G20510101000000Z",
      digest: "sha256",
      innerAlgorithm: undefined,
      hasNull: false,
      subjectKey: writeKey(key),
      extensions: [
        extension(extensionIds.basicConstraints, basicConstraints(isAuthority), true),
        extension(extensionIds.keyUsage, isAuthority ? keyUsageBits(5, 6) : keyUsageBits(0, 1), true),
        ...(hasIdentifiers
          ? [
              extension(extensionIds.subjectKey, octets(keyIdentifier(key))),
              extension(extensionIds.authorityKey, authorityKey(keyIdentifier(signer))),
            ]
          : []),
      ],
      signer,
      form: "shortest",
    };
  });
  const lists = keys.slice(1).map((signer, index): ListSpec => {
    return {
      issuer: name(index + 1),
      thisUpdate: "260501000000Z",
      nextUpdate: "260701000000Z",
      digest: "sha256",
      entries: random.boolean(0.5) ? [{ serial: 77n, time: "260101000000Z", extensions: [] }] : [],
      extensions: hasIdentifiers
        ? [
            extension(extensionIds.authorityKey, authorityKey(keyIdentifier(signer))),
            extension(extensionIds.listNumber, integer(1n)),
          ]
        : [],
      signer,
    };
  });
  return { certificates, lists, keys, timeMs: middleMs };
}
