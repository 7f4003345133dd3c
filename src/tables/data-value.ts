/** Data values as one column: a tag, then the value's bytes. A deleted entry has no row. */
import { concatBytes, i64Bytes } from "../crypto/bytes.ts";
import type { DataValue } from "../protocol/transactions/transaction.ts";

type PresentValue = NonNullable<DataValue>;

const tags = { integer: 0, boolean: 1, binary: 2, string: 3 } as const satisfies Record<PresentValue["type"], number>;

export function encodeDataValue(value: PresentValue): Uint8Array {
  const tag = Uint8Array.of(tags[value.type]);
  switch (value.type) {
    case "integer":
      return concatBytes(tag, i64Bytes(value.value));
    case "boolean":
      return Uint8Array.of(tags.boolean, value.value ? 1 : 0);
    case "binary":
      return concatBytes(tag, value.value);
    case "string":
      return concatBytes(tag, new TextEncoder().encode(value.value));
  }
}

export function decodeDataValue(bytes: Uint8Array): PresentValue {
  const content = bytes.subarray(1);
  switch (bytes[0]) {
    case tags.integer:
      return { type: "integer", value: new DataView(content.buffer, content.byteOffset, 8).getBigInt64(0) };
    case tags.boolean:
      return { type: "boolean", value: content[0] === 1 };
    case tags.binary:
      return { type: "binary", value: content };
    case tags.string:
      return { type: "string", value: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content) };
    default:
      throw new Error(`a stored data value has the unknown tag ${bytes[0]}`);
  }
}
