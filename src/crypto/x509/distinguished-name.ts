/**
 * Names of issuers and subjects, and their equality.
 * @source RFC 5280, 4.1.2.4; Java 17: sun.security.x509.X500Name, RDN, AVA (toRFC2253CanonicalString)
 */
import { DerError } from "../der/der-error.ts";
import { type DerValue, derTag, encodedValue, objectIdentifier, partsOf } from "../der/platform-der.ts";
import { encodeHex } from "../hex.ts";
import { decomposed } from "./decomposed.ts";

export interface DistinguishedName {
  readonly isEmpty: boolean;
  /** Equal for equal names: case, runs of spaces and ways to write a letter do not count. */
  readonly canonical: string;
  /** Equal for names that print the same, by which entries of revocation lists are found. */
  readonly printed: string;
}

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const space = 0x20;
const stringTag = { utf8: 0x0c, printable: 0x13, teletex: 0x14, ia5: 0x16, general: 0x1b, basic: 0x1e } as const;
const byteTags: ReadonlySet<number> = new Set([
  stringTag.printable,
  stringTag.teletex,
  stringTag.ia5,
  stringTag.general,
]);
/** Attributes whose values are compared as text: CN, C, L, ST, STREET, O, OU, UID, DC. */
const textual: ReadonlySet<string> = new Set([
  "2.5.4.3",
  "2.5.4.6",
  "2.5.4.7",
  "2.5.4.8",
  "2.5.4.9",
  "2.5.4.10",
  "2.5.4.11",
  "0.9.2342.19200300.100.1.1",
  "0.9.2342.19200300.100.1.25",
]);

/** @throws DerError */
export function readName(value: DerValue): DistinguishedName {
  const levels = partsOf(value, derTag.sequence).map(attributesOf);
  return {
    isEmpty: levels.length === 0,
    canonical: JSON.stringify(levels.map(canonicalLevel)),
    printed: JSON.stringify(
      levels.map((level) => level.map(({ identifier, content }) => [identifier, printedText(content)])),
    ),
  };
}

/** Canonical attributes of one level, in any order. @throws DerError */
export function relativeName(value: DerValue): readonly string[] {
  return canonicalLevel(attributesOf(value));
}

interface Attribute {
  readonly identifier: string;
  readonly content: DerValue;
}

function attributesOf(value: DerValue): readonly Attribute[] {
  return partsOf(value, derTag.set).map((part) => {
    const [type, content, ...others] = partsOf(part, derTag.sequence);
    if (type === undefined || content === undefined || others.length > 0) throw new DerError("AVA, extra bytes");
    return { identifier: objectIdentifier(type), content };
  });
}

function canonicalLevel(level: readonly Attribute[]): readonly string[] {
  return level
    .map(({ identifier, content }) => {
      const text = textual.has(identifier) ? textOf(content) : undefined;
      return `${identifier}=${text === undefined ? hexOf(content) : canonicalText(text)}`;
    })
    .sort();
}

function hexOf(content: DerValue): string {
  return `#${encodeHex(encodedValue(content))}`;
}

function textOf({ tag, content }: DerValue): string | undefined {
  if (tag === stringTag.utf8) return utf8.decode(content);
  return tag === stringTag.printable ? byteText(content) : undefined;
}

function byteText(content: Uint8Array): string {
  return Array.from(content, (byte) => String.fromCharCode(byte)).join("");
}

/** Text of two-byte units, high byte first. */
function unitText(content: Uint8Array): string {
  const units = Array.from({ length: content.length >> 1 }, (_, index) => index * 2);
  return units.map((at) => String.fromCharCode((content[at] as number) * 256 + (content[at + 1] as number))).join("");
}

/** Printed text of a value; more string types are printed as text than compared as text. */
function printedText(value: DerValue): string {
  const { tag, content } = value;
  if (byteTags.has(tag)) return byteText(content);
  if (tag === stringTag.basic) return unitText(content);
  return textOf(value) ?? hexOf(value);
}

/** Only the space counts as white space: other characters that are not printable remain. */
function canonicalText(text: string): string {
  return decomposed(trimmed(text.replaceAll(/ +/g, " ")).toUpperCase().toLowerCase());
}

/** PERF: a pattern for the run at the end would restart at each character of every other run. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text.charCodeAt(from) <= space) from++;
  while (from < to && text.charCodeAt(to - 1) <= space) to--;
  return text.slice(from, to);
}
