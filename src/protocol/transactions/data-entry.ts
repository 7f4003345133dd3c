/**
 * Entries of account data: legacy bytes, protobuf, JSON.
 * @source docs/protocol/rest-api.md 3.6; Waves: state/DataEntry.scala, DataTxSerializer.scala
 */
import { encodePrefixedBase64, parseBase64 } from "../../crypto/base64.ts";
import type { ByteReader } from "../codec/byte-reader.ts";
import { bytesWithLength, type Codec, i16, i64, u8 } from "../codec/codec.ts";
import { type MessageOf, message, oneOf, scalar } from "../codec/protobuf.ts";
import type { JsonObject } from "../json.ts";
import { isJsonObject } from "../parse-json.ts";
import { base64ErrorText, type JsonRead, Refused, refuse, text, wrappedInteger } from "./json-reader.ts";
import { shortText } from "./legacy-fields.ts";
import type { DataEntry, DataValue } from "./transaction.ts";

const valueKinds = { integer: 0, boolean: 1, binary: 2, string: 3 } as const;
const shortBytes = bytesWithLength(i16);

/** Key, type and value. This form has no deletion. */
export const dataEntry: Codec<DataEntry> = {
  read: (from) => ({ key: shortText.read(from), value: readValue(from) }),
  write: ({ key, value }, to) => {
    shortText.write(key, to);
    if (value === null) throw new RangeError("a deletion has no legacy form");
    u8.write(valueKinds[value.type], to);
    switch (value.type) {
      case "integer":
        return i64.write(value.value, to);
      case "boolean":
        return u8.write(value.value ? 1 : 0, to);
      case "binary":
        return shortBytes.write(value.value, to);
      case "string":
        return shortText.write(value.value, to);
    }
  },
};

function readValue(from: ByteReader): DataValue {
  const kind = from.u8();
  switch (kind) {
    case valueKinds.integer:
      return { type: "integer", value: from.i64() };
    case valueKinds.boolean: {
      const value = from.u8();
      if (value > 1) from.fail(`0 or 1 expected, got ${value}`, from.offset - 1);
      return { type: "boolean", value: value === 1 };
    }
    case valueKinds.binary:
      return { type: "binary", value: shortBytes.read(from) };
    case valueKinds.string:
      return { type: "string", value: shortText.read(from) };
    default:
      return from.fail(`unknown kind of value ${kind}`, from.offset - 1);
  }
}

export const dataEntryMessage = message("DataEntry", {
  key: scalar(1, "string"),
  intValue: oneOf("value", 10, "int64"),
  boolValue: oneOf("value", 11, "bool"),
  binaryValue: oneOf("value", 12, "bytes"),
  stringValue: oneOf("value", 13, "string"),
});
export type DataEntryMessage = MessageOf<typeof dataEntryMessage>;

export function dataEntryOf({ key, intValue, boolValue, binaryValue, stringValue }: DataEntryMessage): DataEntry {
  if (intValue !== undefined) return { key, value: { type: "integer", value: intValue } };
  if (boolValue !== undefined) return { key, value: { type: "boolean", value: boolValue } };
  if (binaryValue !== undefined) return { key, value: { type: "binary", value: binaryValue } };
  if (stringValue !== undefined) return { key, value: { type: "string", value: stringValue } };
  return { key, value: null };
}

export function messageOfDataEntry({ key, value }: DataEntry): DataEntryMessage {
  return {
    key,
    intValue: value?.type === "integer" ? value.value : undefined,
    boolValue: value?.type === "boolean" ? value.value : undefined,
    binaryValue: value?.type === "binary" ? value.value : undefined,
    stringValue: value?.type === "string" ? value.value : undefined,
  };
}

export function dataEntryJson({ key, value }: DataEntry): JsonObject {
  if (value === null) return { key, value: null };
  return { key, type: value.type, value: value.type === "binary" ? encodePrefixedBase64(value.value) : value.value };
}

/** Entry in a request. */
export const dataEntryRequest: JsonRead<DataEntry> = (json) => {
  const { key: keyJson, type, value: given } = isJsonObject(json) ? json : {};
  if (typeof keyJson !== "string") return refuse("key is missing");
  const key = text(keyJson);
  if (key instanceof Refused) return key;
  switch (type) {
    case "integer": {
      const value = wrappedInteger(given);
      return value === undefined ? refuse("value is missing or not an integer") : { key, value: { type, value } };
    }
    case "boolean":
      return typeof given === "boolean"
        ? { key, value: { type, value: given } }
        : refuse("value is missing or not a boolean value");
    case "binary": {
      if (typeof given !== "string") return refuse("value is missing or not a string");
      const value = parseBase64(given);
      return value instanceof Uint8Array ? { key, value: { type, value } } : refuse(base64ErrorText(value, given));
    }
    case "string": {
      const value = given === undefined ? refuse("") : text(given);
      return value instanceof Refused ? refuse("value is missing or not a string") : { key, value: { type, value } };
    }
    default:
      if (typeof type === "string") return refuse(`unknown type ${type}`);
      return given === undefined || given === null ? { key, value: null } : refuse("type is missing");
  }
};
