/**
 * Texts of values in the reference's two formats: for scripts and error messages, and indented for logs.
 * @source Waves: lang/v1/compiler/TermPrinter.scala, common/state/ByteStr.scala
 */
import { encodeBase58 } from "../../crypto/base58.ts";
import { encodeBase64, encodePrefixedBase64 } from "../../crypto/base64.ts";
import { inHashTableOrder, textHash } from "../../protocol/hash-table-order.ts";
import { Text } from "./text.ts";
import { BigInteger, List, type Structure, type Value } from "./value.ts";

/** Minimum size of byte vectors that are printed in base64. */
const base64FromBytes = 1024;

/** Bytes without quotes: base58, or base64 with its prefix. */
export function bytesText(bytes: Uint8Array): string {
  return bytes.length < base64FromBytes ? encodeBase58(bytes) : encodePrefixedBase64(bytes);
}

/** Text of a value: strings and bytes have no quotes, unless they are inside of an object or a list. */
export function valueText(value: Value): string {
  if (value instanceof Text) return value.text;
  if (value instanceof Uint8Array) return bytesText(value);
  return quotedText(value, 0, { indentsLists: false });
}

/**
 * Text of a value in logs.
 * @param depth of indentation
 * @param maxCharacters longer texts are truncated somewhere after this length
 */
export function logText(value: Value, depth: number, maxCharacters?: number): string {
  return quotedText(value, depth, { indentsLists: true, maxCharacters });
}

interface Style {
  readonly indentsLists: boolean;
  readonly maxCharacters?: number | undefined;
}

/** Value with its indentation, or text between values. */
type TextItem = string | { readonly value: Value; readonly depth: number };

/** Default maximum, for unread texts: deeply nested objects are mostly indentation. */
const maxDefaultCharacters = 4 * 1024 * 1024;

/** Text without recursion: values nest deeper than the stack allows. */
function quotedText(
  root: Value,
  atDepth: number,
  { indentsLists, maxCharacters = maxDefaultCharacters }: Style,
): string {
  const texts: string[] = [];
  let length = 0;
  const toDo: TextItem[] = [{ value: root, depth: atDepth }];
  for (let item = toDo.pop(); item !== undefined && length <= maxCharacters; item = toDo.pop()) {
    if (typeof item === "string") {
      texts.push(item);
      length += item.length;
    } else {
      const { value, depth } = item;
      const items = value instanceof List ? listItems(value, depth, indentsLists) : valueItems(value, depth);
      for (let index = items.length - 1; index >= 0; index--) toDo.push(items[index] as TextItem);
    }
  }
  return texts.join("");
}

function valueItems(value: Exclude<Value, List>, depth: number): readonly TextItem[] {
  if (typeof value === "bigint" || typeof value === "boolean") return [String(value)];
  if (value instanceof BigInteger) return [String(value.integer)];
  if (value instanceof Text) return [`"${escaped(value.text)}"`];
  if (value instanceof Uint8Array) {
    return [value.length > base64FromBytes ? `base64'${encodeBase64(value)}'` : `base58'${encodeBase58(value)}'`];
  }
  return structureItems(value, depth);
}

function listItems({ items }: List, depth: number, indents: boolean): readonly TextItem[] {
  if (items.length === 0) return ["[]"];
  const indent = "\t".repeat(depth);
  const pieces: TextItem[] = [indents ? "[\n" : "["];
  items.forEach((value, index) => {
    if (index > 0) pieces.push(indents ? ",\n" : ", ");
    if (indents) pieces.push(`${indent}\t`);
    pieces.push({ value, depth: indents ? depth + 1 : 0 });
  });
  pieces.push(indents ? `\n${indent}]` : "]");
  return pieces;
}

function structureItems(structure: Structure, depth: number): readonly TextItem[] {
  if (structure.fields.size === 0) return [structure.type];
  const indent = "\t".repeat(depth);
  const pieces: TextItem[] = [`${structure.type}(\n`];
  for (const name of inHashTableOrder([...structure.fields.keys()], textHash)) {
    pieces.push(`${indent}\t${name} = `, { value: structure.fields.get(name) as Value, depth: depth + 1 }, "\n");
  }
  pieces.push(`${indent})`);
  return pieces;
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
