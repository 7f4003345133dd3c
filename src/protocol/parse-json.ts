/**
 * Parses JSON without loss of digits: integers of any size are bigint; other numbers keep their text. The depth is
 * bounded, so that no text can exhaust the stack.
 * @source RFC 8259; docs/protocol/rest-api.md 1.5
 */
import { maxDigits, numberParts, roundedDigits } from "./decimal-text.ts";
import { JsonDecimal } from "./json.ts";

export type ParsedJson =
  | null
  | boolean
  | string
  | bigint
  | JsonDecimal
  | readonly ParsedJson[]
  | { readonly [name: string]: ParsedJson };
export type ParsedObject = { readonly [name: string]: ParsedJson };

/** Maximum nesting depth of arrays and objects. */
const maxDepth = 1000;
/** Maximum length of a number. */
const maxNumberCharacters = 310;
/** Maximum number of decimal places, or of zeros before the point. */
const maxScale = 6_178;
const maxI32 = 0x7fff_ffff;

/** Text that is not JSON, or has a number beyond the limits. `cause` is the reference's error text. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  override readonly cause: string;
  /** Characters from the start of the text. */
  readonly offset: number;
  constructor({ cause, reason, offset }: { cause: string; reason: string; offset: number }) {
    super(reason);
    this.offset = offset;
    this.cause = cause;
  }
}

/** @throws JsonSyntaxError */
export function parseJson(text: string): ParsedJson {
  const parser = new JsonParser(text, (number) => number);
  const value = parser.value(1);
  parser.expectEnd();
  return value;
}

/**
 * Parses JSON as the reference parses requests: numbers are rounded to 34 digits. After the value only the first token
 * is checked, which must be able to begin a value; after `null` nothing is checked.
 * @source play-json: JacksonJson.scala (JsValueDeserializer)
 * @throws JsonSyntaxError
 */
export function parseRequestJson(text: string): ParsedJson {
  const parser = new JsonParser(text, roundedNumber);
  const value = parser.value(1);
  if (value !== null) parser.skipTrailingToken();
  return value;
}

export function isJsonObject(json: ParsedJson | undefined): json is ParsedObject {
  return typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof JsonDecimal);
}

/** Position in the text, as the reference's parser prints it, without the text itself. */
function source(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  const column = (before.at(-1) as string).length + 1;
  const position = `line: ${before.length}, column: ${column}`;
  return `[Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); ${position}]`;
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** Runs of literal characters in a string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters end a run
const plainPattern = /[^"\\\u0000-\u001f]*/y;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class JsonParser {
  readonly #text: string;
  /** Converts the text of a number before it is parsed. */
  readonly #meant: (number: string) => string;
  #offset = 0;
  /** Name of the current member; undefined for items of arrays and for the root. */
  #member: string | undefined;

  constructor(text: string, meant: (number: string) => string) {
    this.#text = text;
    this.#meant = meant;
  }

  value(depth: number): ParsedJson {
    this.#skipSpace();
    const first = this.#text[this.#offset];
    switch (first) {
      case "{":
        this.#checkDepth(depth);
        return this.#object(depth);
      case "[":
        this.#checkDepth(depth);
        return this.#array(depth);
      case '"':
        this.#offset++;
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return depth === 1 ? this.#rootNumber() : this.#number();
    }
  }

  expectEnd(): void {
    this.#skipSpace();
    if (this.#offset < this.#text.length) this.#unexpected("no more content after the value");
  }

  skipTrailingToken(): void {
    this.#skipSpace();
    switch (this.#text[this.#offset]) {
      case undefined:
      case "{":
      case "[":
      case '"':
        return;
      case "t":
      case "f":
      case "n":
        this.value(1);
        return;
      default:
        this.#rootNumber();
    }
  }

  #checkDepth(depth: number): void {
    if (depth <= maxDepth) return;
    const allowed = `${maxDepth}, from \`StreamReadConstraints.getMaxNestingDepth()\``;
    const reason = `Document nesting depth (${depth}) exceeds the maximum allowed (${allowed})`;
    const cause = `com.fasterxml.jackson.core.exc.StreamConstraintsException: ${reason}`;
    throw new JsonSyntaxError({ cause, reason, offset: this.#offset });
  }

  #object(depth: number): ParsedObject {
    const start = this.#offset++;
    // Without a prototype no name is special, not even __proto__.
    const members = Object.create(null) as Record<string, ParsedJson>;
    this.#skipSpace();
    if (this.#take("}")) return members;
    for (;;) {
      this.#skipSpace();
      if (!this.#take('"')) this.#unexpectedIn("Object", start, "double-quote to start field name");
      const name = this.#string();
      this.#skipSpace();
      if (!this.#take(":")) this.#unexpectedIn("Object", start, "a colon to separate field name and value");
      this.#member = name;
      members[name] = this.value(depth + 1);
      this.#skipSpace();
      if (this.#take("}")) return members;
      if (!this.#take(",")) this.#unexpectedIn("Object", start, "comma to separate Object entries");
    }
  }

  #array(depth: number): readonly ParsedJson[] {
    const start = this.#offset++;
    const items: ParsedJson[] = [];
    this.#skipSpace();
    if (this.#take("]")) return items;
    for (;;) {
      this.#member = undefined;
      items.push(this.value(depth + 1));
      this.#skipSpace();
      if (this.#take("]")) return items;
      if (!this.#take(",")) this.#unexpectedIn("Array", start, "comma to separate Array entries");
    }
  }

  /** Parses a string after its opening quote. */
  #string(): string {
    let value = "";
    for (;;) {
      plainPattern.lastIndex = this.#offset;
      const run = (plainPattern.exec(this.#text) as RegExpExecArray)[0];
      value += run;
      this.#offset += run.length;
      const next = this.#text[this.#offset];
      if (next === '"') {
        this.#offset++;
        return value;
      }
      if (next === undefined) this.#failAtEnd("Unexpected end-of-input in a String value");
      if (next !== "\\") {
        this.#fail(
          `Illegal unquoted character (${characterText(next)}): has to be escaped using backslash to be included in string value`,
          this.#offset + 1,
        );
      }
      value += this.#escape();
    }
  }

  #escape(): string {
    const letter = this.#text[this.#offset + 1];
    if (letter === undefined) this.#failAtEnd("Unexpected end-of-input in character escape sequence");
    if (letter === "u") {
      const hex = this.#text.slice(this.#offset + 2, this.#offset + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) {
        this.#fail("expected a hex-digit for character escape sequence", this.#offset + 2);
      }
      this.#offset += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const plain = escapes[letter];
    if (plain === undefined) {
      this.#fail(`Unrecognized character escape ${characterText(letter)}`, this.#offset + 2);
    }
    this.#offset += 2;
    return plain;
  }

  #number(): bigint | JsonDecimal {
    numberPattern.lastIndex = this.#offset;
    const found = numberPattern.exec(this.#text);
    if (found === null) {
      return this.#unexpected("a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')");
    }
    const [text] = found;
    this.#offset += text.length;
    if (/[0-9A-Za-z.+-]/.test(this.#text[this.#offset] ?? "")) this.#unexpected("root-level value separator");
    this.#checkSize(text);
    const number = this.#meant(text);
    if (/^-?[0-9]+$/.test(number)) return BigInt(number);
    return integerOfDecimal(number) ?? new JsonDecimal(number);
  }

  /** Only space or the end may follow a number at the root. */
  #rootNumber(): bigint | JsonDecimal {
    const number = this.#number();
    if (/[^ \t\r\n]/.test(this.#text[this.#offset] ?? "")) this.#unexpected("root-level value separator");
    return number;
  }

  #checkSize(text: string): void {
    const field = `field '${this.#member ?? "null"}'`;
    if (text.length > maxNumberCharacters) {
      this.#refuseNumber(`java.lang.IllegalArgumentException: Number is larger than supported for ${field}`);
    }
    const scale = scaleOf(text);
    if (Math.abs(scale) > maxI32) this.#refuseNumber("java.lang.NumberFormatException");
    if (Math.abs(scale) > maxScale) {
      this.#refuseNumber(`java.lang.IllegalArgumentException: Number scale (${scale}) is out of limits for ${field}`);
    }
  }

  #word<Value>(word: string, value: Value): Value {
    if (this.#text.startsWith(word, this.#offset)) {
      this.#offset += word.length;
      if (!/[0-9A-Za-z_$]/.test(this.#text[this.#offset] ?? "")) return value;
      this.#offset -= word.length;
    }
    const token = /^[0-9A-Za-z_$]*/.exec(this.#text.slice(this.#offset, this.#offset + 256))?.[0] ?? "";
    return this.#fail(
      `Unrecognized token '${token}': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')`,
      this.#offset + token.length,
    );
  }

  #take(character: string): boolean {
    if (this.#text[this.#offset] !== character) return false;
    this.#offset++;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#offset);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#offset++;
    }
  }

  #unexpected(expected: string): never {
    const found = this.#text[this.#offset];
    if (found === undefined) return this.#failAtEnd("Unexpected end-of-input");
    return this.#fail(`Unexpected character (${characterText(found)}): expected ${expected}`, this.#offset + 1);
  }

  #unexpectedIn(kind: "Object" | "Array", start: number, expected: string): never {
    const found = this.#text[this.#offset];
    if (found !== undefined) {
      return this.#fail(`Unexpected character (${characterText(found)}): was expecting ${expected}`, this.#offset + 1);
    }
    const opened = `start marker at ${source(this.#text, start)}`;
    return this.#failAtEnd(`Unexpected end-of-input: expected close marker for ${kind} (${opened})`);
  }

  #fail(reason: string, offset = this.#offset): never {
    this.#throwAt("JsonParseException", reason, offset);
  }

  #failAtEnd(reason: string): never {
    this.#throwAt("io.JsonEOFException", reason, this.#text.length);
  }

  #throwAt(exception: string, reason: string, offset: number): never {
    const cause = `com.fasterxml.jackson.core.${exception}: ${reason}\n at ${source(this.#text, offset)}`;
    throw new JsonSyntaxError({ cause, reason, offset });
  }

  #refuseNumber(cause: string): never {
    throw new JsonSyntaxError({ cause, reason: "a number beyond the limits", offset: this.#offset });
  }
}

/** Decimal places less the exponent, after rounding to the maximum of digits. */
function scaleOf(text: string): number {
  const [significand = "", exponent = "0"] = text.split(/[eE]/);
  const digits = significand.replace(/[-.]/g, "").replace(/^0+/, "").length;
  const places = significand.includes(".") ? significand.length - significand.indexOf(".") - 1 : 0;
  return places - Number(exponent) - Math.max(0, digits - maxDigits);
}

/** Rounds a number of more than 34 digits. */
function roundedNumber(text: string): string {
  const [, sign, whole = "", fraction = "", exponent = "0"] = numberParts.exec(text) as RegExpExecArray;
  const written = (whole + fraction).replace(/^0+/, "");
  if (written.length <= maxDigits) return text;
  const { digits, left } = roundedDigits(written);
  return `${sign}${digits}e${Number(exponent) - fraction.length + left}`;
}

/** Integer, also of `1.0` and `1e3`; undefined for other numbers, and for those too long for the protocol. */
function integerOfDecimal(text: string): bigint | undefined {
  const [, sign, whole, fraction = "", exponentText = "0"] = numberParts.exec(text) as RegExpExecArray;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > maxNumberCharacters) return undefined;
  const digits = (whole as string) + fraction;
  const pointAt = (whole as string).length + exponent;
  if (/[1-9]/.test(digits.slice(Math.max(pointAt, 0)))) return undefined;
  const integer = BigInt(digits.slice(0, Math.max(pointAt, 0)).padEnd(Math.max(pointAt, 1), "0"));
  return sign === "-" ? -integer : integer;
}

function characterText(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 ? `(CTRL-CHAR, code ${code})` : `'${character}' (code ${code})`;
}
