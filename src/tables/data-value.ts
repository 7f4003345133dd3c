/** Data values as one column: a tag, then the value's bytes. A deleted entry has no row. */
import { concatBytes, i64Bytes } from "../crypto/bytes.ts";
import { utf8Bytes } from "../protocol/codec/utf8.ts";
import { utf16Bytes, utf16Text } from "../protocol/codec/utf16.ts";
import type { DataValue } from "../protocol/transactions/transaction.ts";
import { encodedBytes } from "./schema/column.ts";

export type PresentValue = NonNullable<DataValue>;

const tags = { integer: 0, boolean: 1, binary: 2, string: 3 } as const satisfies Record<PresentValue["type"], number>;
/** Tag of a string with unpaired surrogates, in UTF-16: scripts read it back unchanged, while all others see `?`. */
const halvesTag = 4;
const INTEGER_SIZE = 8;

export const dataValue = encodedBytes<PresentValue>(
  encodeDataValue,
  decodeDataValue,
  "a tag (0 integer, 1 boolean, 2 binary, 3 string), then 8 bytes, 1 byte, the bytes, or UTF-8; 4 is a string in UTF-16",
);

function encodeDataValue(value: PresentValue): Uint8Array {
  const tag = Uint8Array.of(tags[value.type]);
  switch (value.type) {
    case "integer":
      return concatBytes(tag, i64Bytes(value.value));
    case "boolean":
      return Uint8Array.of(tags.boolean, value.value ? 1 : 0);
    case "binary":
      return concatBytes(tag, value.value);
    case "string":
      return value.value.isWellFormed()
        ? concatBytes(tag, utf8Bytes(value.value))
        : concatBytes(Uint8Array.of(halvesTag), utf16Bytes(value.value));
  }
}

/** @throws Error if the bytes are not a data value */
function decodeDataValue(bytes: Uint8Array): PresentValue {
  const content = bytes.subarray(1);
  switch (bytes[0]) {
    case tags.integer:
      if (content.length !== INTEGER_SIZE) throw new Error(`an integer of ${content.length} bytes`);
      return { type: "integer", value: new DataView(content.buffer, content.byteOffset, INTEGER_SIZE).getBigInt64(0) };
    case tags.boolean:
      if (content.length !== 1 || content[0] === undefined || content[0] > 1) throw new Error("neither true nor false");
      return { type: "boolean", value: content[0] === 1 };
    case tags.binary:
      return { type: "binary", value: content };
    case tags.string:
      return { type: "string", value: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content) };
    case halvesTag:
      return { type: "string", value: utf16Text(content) };
    default:
      throw new Error(`a data value with the unknown tag ${bytes[0]}`);
  }
}
