/**
 * Reads JSON into values and gathers every complaint on the way, with the message keys and paths that the reference's
 * library reports under `validationErrors`.
 * @source docs/protocol/rest-api.md 1.5; Waves: api/http/requests/**, play-json's default Reads
 */
import { parseBase58 } from "../../crypto/base58.ts";
import { type Base64Fault, parseBase64 } from "../../crypto/base64.ts";
import { I64_MAX, I64_MIN } from "../codec/i64.ts";
import { withoutHalves } from "../codec/utf8.ts";
import { numberParts } from "../decimal-text.ts";
import { JsonDecimal } from "../json.ts";
import { isJsonObject, type ParsedJson, type ParsedObject } from "../parse-json.ts";
import { FormatError, type JsonComplaint } from "./format-faults.ts";

/**
 * No more complaints are told: a body of a megabyte may be wrong in half a million places, and an answer of 45 MB would come of
 * it. The reference tells all.
 */
const maxComplaints = 1_000;

/** Complaints instead of a value, each with its path below the value that was read: the first ones. */
export class Refused {
  readonly complaints: readonly { readonly path: string; readonly complaint: JsonComplaint }[];
  constructor(complaints: Refused["complaints"]) {
    this.complaints = complaints.slice(0, maxComplaints);
  }
  /** The same under a member's name or an index. */
  under(segment: string): Refused {
    return new Refused(this.complaints.map(({ path, complaint }) => ({ path: segment + path, complaint })));
  }
  /** The same with another name in place of a path. */
  renamed(from: string, to: string): Refused {
    return new Refused(this.complaints.map((each) => (each.path === from ? { ...each, path: to } : each)));
  }
}

/** Reads a value that is there. */
export type JsonRead<Value> = (json: ParsedJson) => Value | Refused;
/** Reads a member, which may be absent. */
export type JsonMember<Value> = (json: ParsedJson | undefined) => Value | Refused;
type MemberValue<Member> = Member extends JsonMember<infer Value> ? Value : never;

export function refuse(message: string, ...args: readonly string[]): Refused {
  return new Refused([{ path: "", complaint: { message, args } }]);
}

export function required<Value>(read: JsonRead<Value>): JsonMember<Value> {
  return (json) => (json === undefined ? refuse("error.path.missing") : read(json));
}

/** Absent and null are the same: null. */
export function nullable<Value>(read: JsonRead<Value>): JsonMember<Value | null> {
  return (json) => (json === undefined || json === null ? null : read(json));
}

/** Absent and null are the default. */
export function withDefault<Value>(read: JsonRead<Value>, initial: Value): JsonMember<Value> {
  return (json) => (json === undefined || json === null ? initial : read(json));
}

/** What other nodes will read: half of a surrogate pair is signed and sent as `?`. */
export const text: JsonRead<string> = (json) =>
  typeof json === "string" ? withoutHalves(json) : refuse("error.expected.jsstring");
/** A text as the reference's machine holds it: with the halves of surrogate pairs that bytes cannot hold. */
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
 * Any number as 64 bits: a fraction is cut off, and what does not fit wraps around. So the reference reads the integers
 * of data entries and call arguments.
 */
export function wrappedInteger(json: ParsedJson | undefined): bigint | undefined {
  if (typeof json === "bigint") return BigInt.asIntN(64, json);
  if (!(json instanceof JsonDecimal)) return undefined;
  const [, sign, whole = "", fraction = "", exponentText = "0"] = numberParts.exec(json.text) ?? [];
  const exponent = Number(exponentText);
  // 10^64 is a multiple of 2^64; no number of this text is larger than its digits moved by the exponent.
  const end = whole.length + exponent;
  if (end <= 0) return 0n;
  if (exponent - fraction.length >= 64 || end > 20_000) return 0n;
  const magnitude = BigInt((whole + fraction).slice(0, end).padEnd(end, "0"));
  return BigInt.asIntN(64, sign === "-" ? -magnitude : magnitude);
}

/** Bytes as base58, or as base64 with the prefix `base64:`. */
export const byteString: JsonRead<Uint8Array> = (json) => {
  if (typeof json !== "string") return refuse("Expected JsString");
  if (json.startsWith("base64:")) {
    const content = parseBase64(json);
    return content instanceof Uint8Array ? content : refuse(`Error parsing base64: ${base64FaultText(content, json)}`);
  }
  const content = parseBase58(json);
  if (content instanceof Uint8Array) return content;
  return content.code === "base58TooLong"
    ? refuse(`base58-encoded string length (${content.characters}) exceeds maximum length of ${content.maxCharacters}`)
    : refuse(
        `Error parsing base58: requirement failed: Wrong char '${content.char}' in Base58 string '${content.text}'`,
      );
};

/** How the reference's base64 decoder words a fault. @source OpenJDK: java.util.Base64 (Decoder.decode0) */
export function base64FaultText(fault: Base64Fault, encoded: string): string {
  const digits = encoded.replace(/^base64:/, "");
  if (digits.length === 1) return "Input byte[] should at least have 2 bytes for base64 bytes";
  if (fault.code === "base64WrongChar") {
    const code = fault.char.charCodeAt(0);
    // The text is turned into one byte a character first, and what has no byte becomes a question mark.
    const byte = code > 0xff ? 0x3f : code;
    return `Illegal base64 character ${((byte << 24) >> 24).toString(16)}`;
  }
  const left = fault.digits % 4;
  const isPairMissing = left === 2 && digits[fault.digits + 1] !== "=";
  if (left === 1) return "Last unit does not have enough valid bits";
  if (left === 0 || isPairMissing) return "Input byte array has wrong 4-byte ending unit";
  return `Input byte array has incorrect ending byte at ${fault.digits + 4 - left}`;
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

/** The members of an object of any names: of each the value is read first, and its name where there is nothing wrong with that. */
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

/** The values of all items, or the complaints of those that are refused; behind as many as are told no item is read. */
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

/** An object with the members named; others are ignored. Complaints come last member first, as the reference's do. */
// biome-ignore lint/suspicious/noExplicitAny: each member has a value type of its own
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

/** Reads an object again with another name for one member, where the first reading had a complaint about that member. */
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

/** A value made from another; `toValue` may refuse. */
export function refined<Inner, Value>(
  read: JsonRead<Inner>,
  toValue: (inner: Inner) => Value | Refused,
): JsonRead<Value> {
  return (json) => {
    const inner = read(json);
    return inner instanceof Refused ? inner : toValue(inner);
  };
}

/** Complaints by path, below `obj`; those about the same path are listed together. */
export function complaintsError({ complaints }: Refused): FormatError {
  const byPath = new Map<string, JsonComplaint[]>();
  for (const { path, complaint } of complaints) {
    const list = byPath.get(`obj${path}`);
    if (list === undefined) byPath.set(`obj${path}`, [complaint]);
    else list.push(complaint);
  }
  return new FormatError({ code: "jsonInvalid", complaints: byPath });
}

/** A member that a request does not have, as the reference words it where it asks for it first. */
export function refuseUndefined(name: string, json: ParsedObject): Refused {
  return refuse(`'${name}' is undefined on object. Available keys are '${Object.keys(json).join("', '")}'`);
}
