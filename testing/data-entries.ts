/** Entries of an account's data, as tests write them and as the node takes them. */

/** `null` removes the entry; bytes are an entry of the type binary; numbers are whole. */
export type DataValue = bigint | number | boolean | string | Uint8Array | null;

/** An entry as the node's interface writes it; without a type and with `null` it is removed. */
export interface DataEntry {
  readonly key: string;
  readonly type?: "integer" | "boolean" | "string" | "binary";
  /** Of the type binary: `base64:...`. */
  readonly value: bigint | number | boolean | string | null;
}

/** Keys with their values, or entries as the node writes them. */
export type DataEntries = Readonly<Record<string, DataValue>> | readonly DataEntry[];

/** @throws TypeError naming the key whose value can be none of an entry */
export function dataEntries(entries: DataEntries): readonly DataEntry[] {
  if (isList(entries)) return entries;
  if (typeof entries !== "object" || entries === null) throw new TypeError("entries of data are an object or a list");
  return Object.entries(entries).map(([key, value]) => dataEntry(key, value));
}

function dataEntry(key: string, value: DataValue): DataEntry {
  if (value === null) return { key, value };
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return { key, type: "integer", value: value as bigint };
  if (typeof value === "boolean") return { key, type: "boolean", value };
  if (typeof value === "string") return { key, type: "string", value };
  if (value instanceof Uint8Array)
    return { key, type: "binary", value: `base64:${Buffer.from(value).toString("base64")}` };
  throw new TypeError(
    `${key}: ${String(value)} is no value of a data entry (whole number, boolean, text, bytes or null)`,
  );
}

function isList(entries: DataEntries): entries is readonly DataEntry[] {
  return Array.isArray(entries);
}
