/**
 * JSON as the REST API prints it: 64-bit integers as bare digits, members in the given order, compact.
 * @source docs/protocol/rest-api.md 1.11, 7
 */

import { withoutHalves } from "./codec/utf8.ts";
import { decimalText } from "./decimal-text.ts";

/** JSON number that is not an integer, as written (`1.5`, `1e400`). */
export class JsonDecimal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON object that is already text, with at least one member; inserted into other JSON unchanged. */
export class RawJson {
  /** Text as `jsonText` prints it. */
  readonly written: string;
  constructor(written: string) {
    this.written = written;
  }

  /** The object with more members after its own. @param more must not repeat a member */
  with(more: JsonObject): RawJson {
    const text = jsonText(more);
    return text === "{}" ? this : new RawJson(`${this.written.slice(0, -1)},${text.slice(1)}`);
  }
}

export type JsonValue =
  | null
  | boolean
  | string
  | bigint
  | number
  | JsonDecimal
  | RawJson
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
export type JsonObject = { readonly [name: string]: JsonValue };

/** Characters that a JSON string must escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
const escaped = /["\\\u0000-\u001f]/;
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/**
 * Compact JSON text; `parseJson` reads it back to the same value. A number must be an integer of at most 2^53 - 1;
 * larger ones are bigint.
 */
export function jsonText(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "bigint":
      return integerText(value);
    case "boolean":
      return String(value);
    case "number":
      if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`);
      return String(value);
    default:
      return value === null ? "null" : compoundText(value);
  }
}

/** From here on the reference's printer omits trailing zeros: only integers of scripts are so large. */
const shortenedFrom = 10n ** 20n;

function integerText(value: bigint): string {
  const text = String(value);
  if ((value < shortenedFrom && value > -shortenedFrom) || value % 10n !== 0n) return text;
  const [, sign, first, rest = ""] = /^(-?)(\d)(\d*?)0+$/.exec(text) as RegExpExecArray;
  const exponent = text.length - (sign as string).length - 1;
  return `${sign}${first}${rest === "" ? "" : `.${rest}`}E+${exponent}`;
}

function compoundText(value: JsonDecimal | RawJson | readonly JsonValue[] | JsonObject): string {
  if (value instanceof JsonDecimal) return decimalText(value.text);
  if (value instanceof RawJson) return value.written;
  let text = "";
  if (isList(value)) {
    for (const item of value) text += (text === "" ? "" : ",") + jsonText(item);
    return `[${text}]`;
  }
  for (const name in value) text += `${text === "" ? "" : ","}${quoted(name)}:${jsonText(value[name] as JsonValue)}`;
  return `{${text}}`;
}

/** `Array.isArray` that narrows a readonly list. */
function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Escapes as the reference writes them: short ones if defined, otherwise upper-case hex. */
function quoted(given: string): string {
  const text = withoutHalves(given);
  if (!escaped.test(text)) return `"${text}"`;
  let quotedText = '"';
  for (const character of text) {
    quotedText += escaped.test(character) ? (shortEscapes[character] ?? hexEscape(character)) : character;
  }
  return `${quotedText}"`;
}

function hexEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
