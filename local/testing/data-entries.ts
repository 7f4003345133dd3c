/** Data entries of an account: the form for tests, and the node's form. */

/** `null` deletes the entry; bytes become a binary entry; numbers must be integers. */
export type DataValue = bigint | number | boolean | string | Uint8Array | null;

/** Data entry as in the REST interface. Without a type and with `null`, it deletes. */
export interface DataEntry {
  readonly key: string;
  readonly type?: "integer" | "boolean" | "string" | "binary";
  /** Binary values are `base64:...`. */
  readonly value: bigint | number | boolean | string | null;
}

/** Values by key, or entries in the node's form. */
export type DataEntries = Readonly<Record<string, DataValue>> | readonly DataEntry[];

/** Converts entries to the node's form. @throws TypeError names the key of an invalid value */
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
