import { describe, expect, it } from "vitest";
import { validateChain } from "../../../src/crypto/x509/validate-chain.ts";
import { X509Error } from "../../../src/crypto/x509/x509-error.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import {
  basicConstraints,
  type CertificateChain,
  extensionIds,
  keyUsageBits,
  makeCertificateChain,
  middleMs,
} from "../../../verification/fuzz/families/certificates/certificate-chain.ts";
import {
  extension,
  octets,
  sequence,
  writeCertificate,
  writeList,
} from "../../../verification/fuzz/families/certificates/certificate-writer.ts";

const minuteMs = 60_000;

/** Result for a chain of three after a change: the certified key, or the error text. */
function verdictOn(change: (chain: CertificateChain) => void, timeMs = middleMs): string {
  const chain = makeCertificateChain(new SeededRandom("validate"), 3);
  change(chain);
  try {
    const key = validateChain(chain.certificates.map(writeCertificate), chain.lists.map(writeList), timeMs);
    const [own] = chain.keys;
    return Buffer.from(own?.curve.getPublicKey(own.secret, false).subarray(1) ?? []).equals(key)
      ? "its key"
      : "another";
  } catch (error) {
    if (error instanceof X509Error) return error.message;
    throw error;
  }
}

describe("a chain", () => {
  it("vouches for the key of its first certificate", () => {
    expect(verdictOn(() => undefined)).toBe("its key");
    expect(verdictOn(({ lists }) => lists.reverse())).toBe("its key");
  });

  it("of one certificate vouches for its own key, at any time", () => {
    const { certificates, keys } = makeCertificateChain(new SeededRandom("one"), 1);
    const key = keys[0]?.curve.getPublicKey(keys[0].secret, false).subarray(1);
    expect(validateChain(certificates.map(writeCertificate), [], -1)).toEqual(key);
  });

  it("may have bytes behind its certificates, and lengths told by a mark inside", () => {
    const { certificates, keys } = makeCertificateChain(new SeededRandom("mark"), 1);
    const [certificate] = certificates.map((spec) => writeCertificate({ ...spec, form: "mark" }));
    const key = keys[0]?.curve.getPublicKey(keys[0].secret, false).subarray(1);
    const longer = new Uint8Array([...(certificate ?? []), 1, 2, 3]);
    expect(validateChain([longer], [], middleMs)).toEqual(key);
  });

  it("is valid while its certificates are, except the trusted one", () => {
    const unlike = "validity check failed";
    const early = Date.UTC(2025, 0, 1);
    const listsFrom = (chain: CertificateChain): void => {
      for (const list of chain.lists) list.thisUpdate = "240101000000Z";
    };
    expect(verdictOn(listsFrom, early)).toBe("its key");
    expect(verdictOn(listsFrom, early - 1)).toContain(unlike);
    const ends = (index: number) => (chain: CertificateChain) => {
      const certificate = chain.certificates[index];
      if (certificate !== undefined) certificate.notAfter = "260101000000Z";
    };
    expect(verdictOn(ends(0))).toContain(unlike);
    expect(verdictOn(ends(1))).toContain(unlike);
    expect(verdictOn(ends(2))).toBe("its key");
  });

  it("asks lists for a quarter of an hour before and after they hold", () => {
    const [first, last] = [Date.UTC(2026, 4, 1) - 15 * minuteMs, Date.UTC(2026, 6, 1) + 15 * minuteMs];
    expect([first, last].map((timeMs) => verdictOn(() => undefined, timeMs))).toEqual(["its key", "its key"]);
    expect([first - 1, last + 1].map((timeMs) => verdictOn(() => undefined, timeMs))).toEqual([
      "Could not determine revocation status",
      "Could not determine revocation status",
    ]);
  });

  it("ends where a certificate was revoked before", () => {
    const revoked = (time: string) => (chain: CertificateChain) => {
      const [list, certificate] = [chain.lists[0], chain.certificates[0]];
      if (list && certificate) list.entries = [{ serial: certificate.serial, time, extensions: [] }];
    };
    expect(verdictOn(revoked("260531235959Z"))).toBe("Certificate has been revoked");
    expect(verdictOn(revoked("260601000000Z"))).toBe("its key");
    // Entries are found by the printed name, although another notation of it is the same name.
    const renamed = (chain: CertificateChain): void => {
      revoked("260101000000Z")(chain);
      const [certificate] = chain.certificates;
      if (certificate) certificate.issuer = certificate.issuer.map((part) => ({ ...part, text: ` ${part.text}` }));
    };
    expect(verdictOn(renamed)).toBe("its key");
  });

  it("needs authorities that may sign", () => {
    const middle = (identifier: string, value: Uint8Array) => (chain: CertificateChain) => {
      const certificate = chain.certificates[1];
      const at = certificate?.extensions.findIndex((each) => each.identifier === identifier) ?? -1;
      certificate?.extensions.splice(at, 1, extension(identifier, value, true));
    };
    expect(verdictOn(middle(extensionIds.basicConstraints, basicConstraints(false)))).toContain("not a CA certificate");
    expect(verdictOn(middle(extensionIds.basicConstraints, basicConstraints(true, 0)))).toBe("its key");
    expect(verdictOn(middle(extensionIds.keyUsage, keyUsageBits(6)))).toContain("keyCertSign bit is not set");
    expect(verdictOn(middle(extensionIds.keyUsage, keyUsageBits(5)))).toBe("Could not determine revocation status");
    expect(verdictOn(middle("1.2.3.4", octets(new Uint8Array(1))))).toContain("unrecognized critical extension");
  });

  it("is refused where names or policies are constrained", () => {
    const constrained = (chain: CertificateChain): void => {
      chain.certificates[1]?.extensions.push(extension("2.5.29.30", sequence(), false));
    };
    expect(verdictOn(constrained)).toBe("constraints on names or policies are not supported");
  });

  it("of other signers is refused", () => {
    const swapped = (index: number) => (chain: CertificateChain) => {
      const certificate = chain.certificates[index];
      if (certificate && chain.keys[0]) certificate.signer = chain.keys[0];
    };
    expect(verdictOn(swapped(0))).toContain("signature check failed");
    expect(verdictOn(swapped(1))).toContain("signature check failed");
    expect(verdictOn(swapped(2))).toBe("its key");
  });

  it("that is no chain at all is refused", () => {
    for (const bytes of [
      new Uint8Array(0),
      Uint8Array.of(0x30, 0),
      Uint8Array.of(0x30, 0x80, 0, 0),
      new Uint8Array(9),
    ]) {
      expect(() => validateChain([bytes], [], 0)).toThrow(X509Error);
    }
  });
});
