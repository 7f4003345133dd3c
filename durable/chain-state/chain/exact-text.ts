/** JSON text of plain data with byte arrays and big integers. */
import { encodeBase64, parseBase64 } from "../../../src/crypto/base64.ts";

/** @param value plain data: no class instance except byte arrays */
export function exactText(value: unknown): string {
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name, part: unknown) {
    if (typeof part === "bigint") return { $integer: String(part) };
    // `part` may already be the result of a `toJSON` of the byte array.
    const bytes = this[name];
    return bytes instanceof Uint8Array ? { $bytes: encodeBase64(bytes) } : part;
  });
}

export function parseExactText(text: string): unknown {
  return JSON.parse(text, (_, part: unknown) => {
    if (typeof part !== "object" || part === null) return part;
    if ("$integer" in part) return BigInt(String(part.$integer));
    if (!("$bytes" in part)) return part;
    const bytes = parseBase64(String(part.$bytes));
    if (!(bytes instanceof Uint8Array)) throw new Error("stored bytes are no base64");
    return bytes;
  });
}
