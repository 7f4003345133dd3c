/**
 * Values as text, in the two ways the reference prints them: as strings that scripts and error messages show, and
 * indented for logs.
 * @source Waves: lang/v1/compiler/TermPrinter.scala, common/state/ByteStr.scala
 */
import { encodeBase58 } from "../../crypto/base58.ts";
import { encodeBase64, encodePrefixedBase64 } from "../../crypto/base64.ts";
import { inHashTableOrder, textHash } from "../../protocol/hash-table-order.ts";
import { Text } from "./text.ts";
import { BigInteger, List, type Structure, type Value } from "./value.ts";

/** From this size on, bytes are printed in base64. */
const base64FromBytes = 1024;

/** Bytes without quotes: base58, or base64 with its prefix. */
export function bytesText(bytes: Uint8Array): string {
  return bytes.length < base64FromBytes ? encodeBase58(bytes) : encodePrefixedBase64(bytes);
}

/** As values print themselves: strings and bytes without quotes, unless they are inside of an object or a list. */
export function valueText(value: Value): string {
  if (value instanceof Text) return value.text;
  if (value instanceof Uint8Array) return bytesText(value);
  return quotedText(value, 0, { indentsLists: false });
}

/** As logs print values. @param depth of indentation */
export function logText(value: Value, depth: number): string {
  return quotedText(value, depth, { indentsLists: true });
}

interface Style {
  readonly indentsLists: boolean;
}

function quotedText(value: Value, depth: number, style: Style): string {
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value instanceof BigInteger) return String(value.integer);
  if (value instanceof Text) return `"${escaped(value.text)}"`;
  if (value instanceof Uint8Array) {
    return value.length > base64FromBytes ? `base64'${encodeBase64(value)}'` : `base58'${encodeBase58(value)}'`;
  }
  return value instanceof List ? listText(value, depth, style) : structureText(value, depth, style);
}

function listText(list: List, depth: number, style: Style): string {
  if (list.items.length === 0) return "[]";
  if (!style.indentsLists) return `[${list.items.map((item) => quotedText(item, 0, style)).join(", ")}]`;
  const indent = "\t".repeat(depth);
  const items = list.items.map((item) => `${indent}\t${quotedText(item, depth + 1, style)}`);
  return `[\n${items.join(",\n")}\n${indent}]`;
}

function structureText(structure: Structure, depth: number, style: Style): string {
  if (structure.fields.size === 0) return structure.type;
  const indent = "\t".repeat(depth);
  const names = inHashTableOrder([...structure.fields.keys()], textHash);
  const lines = names.map(
    (name) => `${indent}\t${name} = ${quotedText(structure.fields.get(name) as Value, depth + 1, style)}\n`,
  );
  return `${structure.type}(\n${lines.join("")}${indent})`;
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "/": "\\/",
  "'": "\\'",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

function escaped(text: string): string {
  return text.replace(/[\\/'"\n\r\t\b\f\u2028\u2029]/g, (character) => escapes[character] as string);
}
