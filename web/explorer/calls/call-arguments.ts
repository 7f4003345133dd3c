/** Typed text as call arguments of the REST interface. */
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import type { JsonValue } from "../../../src/protocol/json.ts";

export type CallArgument = { readonly type: string; readonly value: JsonValue };

/** Typed text that is no value of the parameter's type. The message names a valid form. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

const maxInteger = 2n ** 63n - 1n;

/**
 * Parses one argument.
 * @param type the parameter's type: `Int`, `List[String]`, `Int|String`, …
 * @param typed one list item a line; for a union, the first type that fits
 * @throws ArgumentError
 * @source docs/protocol/rest-api.md 3.3, 3.13
 */
export function parseArgument(type: string, typed: string): CallArgument {
  const item = /^List\[(.*)\]$/.exec(type)?.[1];
  if (item === undefined) return parseOne(type.split("|"), typed);
  const lines = typed === "" ? [] : typed.split("\n");
  return { type: "list", value: lines.map((line) => parseOne(item.split("|"), line)) };
}

/** Order in which the types of a union are tried. String is last because it fits every text. */
const order = ["Int", "Boolean", "ByteVector", "String"] as const;

function parseOne(types: readonly string[], typed: string): CallArgument {
  const known = order.filter((name) => types.includes(name));
  for (const name of known) {
    const argument = readers[name](typed);
    if (argument !== undefined) return argument;
  }
  throw new ArgumentError(
    `${typed === "" ? "Nothing" : `“${typed}”`} is no ${known.map((name) => hints[name]).join(" or ")}.`,
  );
}

type Reader = (typed: string) => CallArgument | undefined;

const readers: Readonly<Record<(typeof order)[number], Reader>> = {
  Int: (typed) => {
    const text = typed.trim().replace(/[,_]/g, "");
    if (!/^-?\d{1,19}$/.test(text)) return undefined;
    const value = BigInt(text);
    return value <= maxInteger && value >= -maxInteger - 1n ? { type: "integer", value } : undefined;
  },
  Boolean: (typed) => {
    const text = typed.trim();
    return text === "true" || text === "false" ? { type: "boolean", value: text === "true" } : undefined;
  },
  ByteVector: (typed) => {
    const base64 = base64Of(typed.trim());
    return base64 === undefined ? undefined : { type: "binary", value: `base64:${base64}` };
  },
  String: (typed) => ({ type: "string", value: typed }),
};

const hints: Readonly<Record<(typeof order)[number], string>> = {
  Int: "whole number from -2^63 to 2^63 - 1",
  Boolean: "true or false",
  ByteVector: "bytes: base58, base64:… or 0x…",
  String: "text",
};

function base64Of(typed: string): string | undefined {
  if (typed.startsWith("base64:")) {
    const text = typed.slice("base64:".length);
    return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text) ? text : undefined;
  }
  const bytes = bytesOf(typed);
  return bytes === undefined ? undefined : btoa(String.fromCharCode(...bytes));
}

function bytesOf(typed: string): Uint8Array | undefined {
  const hex = /^0x((?:[0-9a-f]{2})*)$/i.exec(typed)?.[1];
  if (hex !== undefined) return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  try {
    return decodeBase58(typed.replace(/^base58:/, ""));
  } catch {
    return undefined;
  }
}
