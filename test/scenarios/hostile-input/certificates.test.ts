/**
 * Bytes that are crafted to be slow to read: each took minutes once, against a fraction of a millisecond for honest
 * ones.
 */
import { describe, expect, it } from "vitest";
import { derTag, dottedText, encodedBytes, partsOf, readOnlyValue } from "../../../src/crypto/der/platform-der.ts";
import { decomposed } from "../../../src/crypto/x509/decomposed.ts";
import { readName } from "../../../src/crypto/x509/distinguished-name.ts";
import { validateChain } from "../../../src/crypto/x509/validate-chain.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { makeCertificateChain, middleMs } from "../../../verification/fuzz/families/certificates/certificate-chain.ts";
import {
  extension,
  sequence,
  writeCertificate,
  writeList,
} from "../../../verification/fuzz/families/certificates/certificate-writer.ts";
import { tagged } from "../../../verification/fuzz/families/der-writer.ts";

const size = 400_000;
const commonName = Uint8Array.of(6, 3, 0x55, 4, 3);

function nameOf(text: string): string {
  const value = encodedBytes(0x0c, new TextEncoder().encode(text));
  const attribute = sequence(commonName, value);
  return readName(readOnlyValue(sequence(encodedBytes(derTag.set, attribute)))).canonical;
}

describe("a name", () => {
  it("is read with a long run of controls inside of it, and without those at its ends", () => {
    const controls = "\u0001".repeat(size);
    expect(nameOf(`${controls}a${controls}B${controls}`) === nameOf(`A${controls}b`)).toBe(true);
    expect(nameOf(`a${controls}b`) === nameOf("ab")).toBe(false);
  });

  it("has its marks in their order, however many there are", () => {
    const [above, below] = ["\u0301", "\u0316"];
    const many = size / 4;
    const mixed = nameOf(`x${`${above}${below}`.repeat(many)}`);
    expect(mixed === nameOf(`x${below.repeat(many)}${above.repeat(many)}`)).toBe(true);
  });
});

describe("decomposed text", () => {
  const marks = Array.from({ length: 0x20_000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /[\p{M}\uff9e\uff9f]/u.test(character));

  it("is what the platform makes of it, in runs of any marks", () => {
    const random = new SeededRandom("marks");
    for (let round = 0; round < 500; round++) {
      const run = Array.from({ length: 20 + random.below(60) }, () =>
        random.boolean(0.02) ? "é" : (marks[random.below(marks.length)] as string),
      );
      const text = `é${run.join("")}b`;
      expect(decomposed(text)).toBe(text.normalize("NFKD"));
    }
  });
});

describe("a value of indefinite length", () => {
  const begun = Uint8Array.of(derTag.sequence, 0x80);
  const ended = new Uint8Array(2);

  it("is read with as many inside of each other as there is room for", () => {
    const count = size / 4;
    const bytes = new Uint8Array(4 * count);
    for (let index = 0; index < count; index++) bytes.set(begun, 2 * index);
    expect(partsOf(readOnlyValue(bytes), derTag.sequence).length).toBe(1);
  });

  it("is read with as many behind it as there is room for", () => {
    const count = size / 4;
    const bytes = new Uint8Array(4 * count);
    for (let index = 0; index < count; index++) bytes.set([...begun, ...ended], 4 * index);
    expect(partsOf(readOnlyValue(encodedBytes(derTag.sequence, bytes)), derTag.sequence).length).toBe(count);
  });
});

describe("an identifier", () => {
  it("is read with a number of any length", () => {
    expect(dottedText(Uint8Array.of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01))).toBe("1.2.840.113549.1");
    const groups = new Uint8Array(4_096).fill(0xff);
    groups[4_095] = 0x7f;
    expect(dottedText(groups)).toBe(`2.${2n ** (7n * 4_096n) - 81n}`);
  });
});

describe("a list of revoked certificates", () => {
  it("is verified once, however many places a certificate names", () => {
    const { certificates, lists } = makeCertificateChain(new SeededRandom("places"), 2);
    const [last] = certificates;
    const [list] = lists;
    if (last === undefined || list === undefined) throw new Error("a chain of two has one list");
    const point = sequence(tagged(0xa0, tagged(0xa0, tagged(0x86, new Uint8Array(1)))));
    last.extensions.push(extension("2.5.29.31", sequence(...Array.from({ length: size / 20 }, () => point))));
    list.entries = Array.from({ length: size / 20 }, (_, index) => ({
      serial: BigInt(5_000 + index),
      time: "260101000000Z",
      extensions: [],
    }));
    const forged = writeList(list);
    forged[forged.length - 1] = (forged.at(-1) as number) ^ 1;
    expect(() => validateChain(certificates.map(writeCertificate), [forged], middleMs)).toThrow(
      "Could not determine revocation status",
    );
  });
});
