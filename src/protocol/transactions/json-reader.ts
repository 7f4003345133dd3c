/**
 * Parses JSON into values and collects all complaints, with the message keys and paths that the reference's library
 * reports under `validationErrors`.
 * @source docs/protocol/rest-api.md 1.5; Waves: api/http/requests/**, play-json's default Reads
 */
import { parseBase58 } from "../../crypto/base58.ts";
import { type Base64Error, parseBase64 } from "../../crypto/base64.ts";
import { I64_MAX, I64_MIN } from "../codec/i64.ts";
import { withoutHalves } from "../codec/utf8.ts";
import { numberParts } from "../decimal-text.ts";
import { JsonDecimal } from "../json.ts";
import { isJsonObject, type ParsedJson, type ParsedObject } from "../parse-json.ts";
import { FormatError, type JsonComplaint } from "./format-error.ts";

/**
 * Maximum of reported complaints. A body of a megabyte may have half a million errors, which would give a response of
 * 45 MB. The reference reports all.
 */
const maxComplaints = 1_000;

/** Complaints in place of a value, each with its path below the value; the first ones only. */
export class Refused {
  readonly complaints: readonly { readonly path: string; readonly complaint: JsonComplaint }[];
  constructor(complaints: Refused["complaints"]) {
    this.complaints = complaints.slice(0, maxComplaints);
  }
  /** The same complaints below a member's name or an index. */
  under(segment: string): Refused {
    return new Refused(this.complaints.map(({ path, complaint }) => ({ path: segment + path, complaint })));
  }
  /** The same complaints with another name in place of a path. */
  renamed(from: string, to: string): Refused {
    return new Refused(this.complaints.map((each) => (each.path === from ? { ...each, path: to } : each)));
  }
}

/** Parses a value that is present. */
export type JsonRead<Value> = (json: ParsedJson) => Value | Refused;
/** Parses a member, which may be absent. */
export type JsonMember<Value> = (json: ParsedJson | undefined) => Value | Refused;
type MemberValue<Member> = Member extends JsonMember<infer Value> ? Value : never;

export function refuse(message: string, ...args: readonly string[]): Refused {
  return new Refused([{ path: "", complaint: { message, args } }]);
}

export function required<Value>(read: JsonRead<Value>): JsonMember<Value> {
  return (json) => (json === undefined ? refuse("error.path.missing") : read(json));
}

/** Absent and null both give null. */
export function nullable<Value>(read: JsonRead<Value>): JsonMember<Value | null> {
  return (json) => (json === undefined || json === null ? null : read(json));
}

/** Absent and null both give the default. */
export function withDefault<Value>(read: JsonRead<Value>, initial: Value): JsonMember<Value> {
  return (json) => (json === undefined || json === null ? initial : read(json));
}

/** Text as other nodes will read it: half of a surrogate pair is signed and sent as `?`. */
export const text: JsonRead<string> = (json) =>
  typeof json === "string" ? withoutHalves(json) : refuse("error.expected.jsstring");
/**
 * Text as the reference's platform holds it in memory: with halves of surrogate pairs, which bytes cannot represent.
 */
export const unitsText: JsonRead<string> = (json) =>
  typeof json === "string" ? json : refuse("error.expected.jsstring");
export const flag: JsonRead<boolean> = (json) =>
  typeof json === "boolean" ? json : refuse("error.expected.jsboolean");
export const long: JsonRead<bigint> = integer("error.expected.long", I64_MIN, I64_MAX);
const smallInteger = integer("error.expected.byte", -128n, 127n);
export const byte: JsonRead<number> = (json) => {
  const value = smallInteger(json);
  return value instanceof Refused ? value : Number(value);
};
const int32 = integer("error.expected.int", -(2n ** 31n), 2n ** 31n - 1n);
export const int: JsonRead<number> = (json) => {
  const value = int32(json);
  return value instanceof Refused ? value : Number(value);
};

function integer(outOfRange: string, min: bigint, max: bigint): JsonRead<bigint> {
  return (json) => {
    if (typeof json === "bigint") return json >= min && json <= max ? json : refuse(outOfRange);
    return refuse(json instanceof JsonDecimal ? outOfRange : "error.expected.jsnumber");
  };
}

/**
 * Any number as 64 bits: a fraction is truncated, and overflow wraps around, as the reference parses the integers of
 * data entries and call arguments.
 */
export function wrappedInteger(json: ParsedJson | undefined): bigint | undefined {
  if (typeof json === "bigint") return BigInt.asIntN(64, json);
  if (!(json instanceof JsonDecimal)) return undefined;
  const [, sign, whole = "", fraction = "", exponentText = "0"] = numberParts.exec(json.text) ?? [];
  const exponent = Number(exponentText);
  // 10^64 is a multiple of 2^64; no number of this text is larger than its digits shifted by the exponent.
  const end = whole.length + exponent;
  if (end <= 0) return 0n;
  if (exponent - fraction.length >= 64 || end > 20_000) return 0n;
  const magnitude = BigInt((whole + fraction).slice(0, end).padEnd(end, "0"));
  return BigInt.asIntN(64, sign === "-" ? -magnitude : magnitude);
}

/** Bytes in base58, or in base64 with the prefix `base64:`. */
export const byteString: JsonRead<Uint8Array> = (json) => {
  if (typeof json !== "string") return refuse("Expected JsString");
  if (json.startsWith("base64:")) {
    const content = parseBase64(json);
    return content instanceof Uint8Array ? content : refuse(`Error parsing base64: ${base64ErrorText(content, json)}`);
  }
  const content = parseBase58(json);
  if (content instanceof Uint8Array) return content;
  return content.code === "base58TooLong"
    ? refuse(`base58-encoded string length (${content.characters}) exceeds maximum length of ${content.maxCharacters}`)
    : refuse(
        `Error parsing base58: requirement failed: Wrong char '${content.char}' in Base58 string '${content.text}'`,
      );
};

/** Error text of the reference's base64 decoder. @source OpenJDK: java.util.Base64 (Decoder.decode0) */
export function base64ErrorText(error: Base64Error, encoded: string): string {
  const digits = encoded.replace(/^base64:/, "");
  if (digits.length === 1) return "Input byte[] should at least have 2 bytes for base64 bytes";
  if (error.code === "base64WrongChar") {
    const code = error.char.charCodeAt(0);
    // The reference first converts the text to one byte a character, with a question mark for other characters.
    const byte = code > 0xff ? 0x3f : code;
    return `Illegal base64 character ${((byte << 24) >> 24).toString(16)}`;
  }
  const remainder = error.digits % 4;
  const isPairMissing = remainder === 2 && digits[error.digits + 1] !== "=";
  if (remainder === 1) return "Last unit does not have enough valid bits";
  if (remainder === 0 || isPairMissing) return "Input byte array has wrong 4-byte ending unit";
  return `Input byte array has incorrect ending byte at ${error.digits + 4 - remainder}`;
}

export function list<Value>(read: JsonRead<Value>): JsonRead<readonly Value[]> {
  return (json) => {
    if (!Array.isArray(json)) return refuse("error.expected.jsarray");
    return readEach(json as readonly ParsedJson[], (item, index) => {
      const value = read(item);
      return value instanceof Refused ? value.under(`[${index}]`) : value;
    });
  };
}

/** Members of an object with any names: each value is parsed first, and its name only if the value is valid. */
export function entries<Name, Value>(
  readName: (name: string) => Name | Refused,
  read: JsonRead<Value>,
): JsonRead<readonly (readonly [Name, Value])[]> {
  return (json) => {
    if (!isJsonObject(json)) return refuse("error.expected.jsobject");
    return readEach(Object.entries(json), ([text, item]): readonly [Name, Value] | Refused => {
      const value = read(item);
      if (value instanceof Refused) return value.under(`.${text}`);
      const name = readName(text);
      return name instanceof Refused ? name.under(`.${text}`) : [name, value];
    });
  };
}

/** Values of all items, or the complaints about the invalid ones; stops at the maximum of complaints. */
export function readEach<Item, Value>(
  items: readonly Item[],
  read: (item: Item, index: number) => Value | Refused,
): readonly Value[] | Refused {
  const values: Value[] = [];
  const complaints: Refused["complaints"][number][] = [];
  for (const [index, item] of items.entries()) {
    const value = read(item, index);
    if (value instanceof Refused) complaints.push(...value.complaints);
    else values.push(value);
    if (complaints.length >= maxComplaints) break;
  }
  return complaints.length > 0 ? new Refused(complaints) : values;
}

/** An object with the given members; others are ignored. Complaints come last member first, as in the reference. */
// biome-ignore lint/suspicious/noExplicitAny: members differ in their value types
export function object<const Members extends Record<string, JsonMember<any>>>(
  members: Members,
): JsonRead<{ -readonly [Name in keyof Members]: MemberValue<Members[Name]> }> {
  const named = Object.entries(members);
  return (json) => {
    if (!isJsonObject(json)) return refuse("error.expected.jsobject");
    const values: Record<string, unknown> = {};
    let complaints: Refused["complaints"] = [];
    for (const [name, member] of named) {
      const value = member(json[name]);
      if (value instanceof Refused) complaints = [...value.under(`.${name}`).complaints, ...complaints];
      else values[name] = value;
    }
    return complaints.length > 0
      ? new Refused(complaints)
      : (values as { -readonly [Name in keyof Members]: MemberValue<Members[Name]> });
  };
}

/** Parses an object again with another name for one member, if the first attempt had a complaint about that member. */
export function withAlternative<Value>(read: JsonRead<Value>, name: string, otherName: string): JsonRead<Value> {
  return (json) => {
    const value = read(json);
    if (!(value instanceof Refused) || !isJsonObject(json)) return value;
    if (!value.complaints.some(({ path }) => path === `.${name}`)) return value;
    const other = json[otherName];
    const renamed = read(other === undefined ? without(json, name) : { ...json, [name]: other });
    return renamed instanceof Refused ? renamed.renamed(`.${name}`, `.${otherName}`) : renamed;
  };
}

function without(json: ParsedObject, name: string): ParsedObject {
  const { [name]: _, ...rest } = json;
  return rest;
}

/** Derives a value from a parsed one; `toValue` may refuse. */
export function refined<Inner, Value>(
  read: JsonRead<Inner>,
  toValue: (inner: Inner) => Value | Refused,
): JsonRead<Value> {
  return (json) => {
    const inner = read(json);
    return inner instanceof Refused ? inner : toValue(inner);
  };
}

/** Complaints by path, below `obj`; those with the same path are grouped. */
export function complaintsError({ complaints }: Refused): FormatError {
  const byPath = new Map<string, JsonComplaint[]>();
  for (const { path, complaint } of complaints) {
    const list = byPath.get(`obj${path}`);
    if (list === undefined) byPath.set(`obj${path}`, [complaint]);
    else list.push(complaint);
  }
  return new FormatError({ code: "jsonInvalid", complaints: byPath });
}

/** Complaint about a missing member, in the reference's words for members that it reads first. */
export function refuseUndefined(name: string, json: ParsedObject): Refused {
  return refuse(`'${name}' is undefined on object. Available keys are '${Object.keys(json).join("', '")}'`);
}
