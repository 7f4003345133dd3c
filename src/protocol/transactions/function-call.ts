/**
 * Calls of script functions: name and constant arguments, as bytes of the script language and as JSON.
 * @source Waves: lang/v1/serialization/SerdeV1.scala, api/http/requests/InvokeScriptRequest.scala,
 *   InvokeScriptTxSerializer.scala
 */
import { encodePrefixedBase64, parseBase64 } from "../../crypto/base64.ts";
import type { ByteReader } from "../codec/byte-reader.ts";
import type { ByteWriter } from "../codec/byte-writer.ts";
import { bytesWithLength, type Codec, i32, i64, literal, mapped } from "../codec/codec.ts";
import { utf8Bytes, utf8SizeBytes, utf8TextWithReplacements } from "../codec/utf8.ts";
import type { JsonObject } from "../json.ts";
import { isJsonObject, type ParsedJson, type ParsedObject } from "../parse-json.ts";
import {
  base64ErrorText,
  complaintsError,
  type JsonRead,
  list,
  Refused,
  readEach,
  refined,
  refuse,
  refuseUndefined,
  text,
  unitsText,
  wrappedInteger,
} from "./json-reader.ts";
import { limits } from "./limits.ts";
import type { CallArgument, FunctionCall } from "./transaction.ts";

/** Node types that a call may contain. */
const node = { long: 0, bytes: 1, string: 2, true: 6, false: 7, list: 11 } as const;
/** Node type of a call; the next byte is the type of its function's name. */
const callHead = literal(9);
/** Function by the number of a native one, or by the name of one that the script declares. */
const header = { native: 0, user: 1 } as const;
const longBytes = bytesWithLength(i32);
const longText: Codec<string> = mapped(longBytes, utf8TextWithReplacements, utf8Bytes);
export const defaultFunction = "default";
const maxListLength = 1000;

/** Decodes text that is not UTF-8 with replacements, and therefore may encode other bytes than it read. */
export const functionCall: Codec<FunctionCall> = {
  read: (from) => {
    callHead.read(from);
    return { ...readFunctionName(from), args: readArguments(from, 0) };
  },
  write: (call, to) => {
    callHead.write(undefined, to);
    writeFunctionName(call, to);
    writeArguments(call.args, to);
  },
};

type FunctionName = Pick<FunctionCall, "function" | "nativeId">;

function readFunctionName(from: ByteReader): FunctionName {
  const kind = from.u8();
  if (kind === header.user) return { function: longText.read(from) };
  if (kind !== header.native) from.fail(`${kind} is not a kind of function`, from.offset - 1);
  const nativeId = from.i16();
  return { function: String(nativeId), nativeId };
}

function writeFunctionName({ function: name, nativeId }: FunctionName, to: ByteWriter): void {
  to.u8(nativeId === undefined ? header.user : header.native);
  if (nativeId === undefined) longText.write(name, to);
  else to.i16(nativeId);
}

function readArguments(from: ByteReader, depth: number): readonly CallArgument[] {
  const at = from.offset;
  const count = from.i32();
  if (count < 0 || count > from.remaining) from.fail(`${count} arguments with ${from.remaining} bytes left`, at);
  const args: CallArgument[] = [];
  for (let index = 0; index < count; index++) args.push(readArgument(from, depth));
  return args;
}

function readArgument(from: ByteReader, depth: number): CallArgument {
  const at = from.offset;
  const kind = from.u8();
  switch (kind) {
    case node.long:
      return { type: "integer", value: from.i64() };
    case node.bytes:
      return { type: "binary", value: longBytes.read(from) };
    case node.string:
      return { type: "string", value: longText.read(from) };
    case node.true:
      return { type: "boolean", value: true };
    case node.false:
      return { type: "boolean", value: false };
    case node.list:
      if (depth >= limits.callArgumentDepth) from.fail(`lists nest deeper than ${limits.callArgumentDepth}`, at);
      return { type: "list", value: readArguments(from, depth + 1) };
    default:
      return from.fail(`node ${kind} is not a constant`, at);
  }
}

function writeArguments(args: readonly CallArgument[], to: ByteWriter): void {
  i32.write(args.length, to);
  for (const argument of args) writeArgument(argument, to);
}

function writeArgument(argument: CallArgument, to: ByteWriter): void {
  switch (argument.type) {
    case "integer":
      to.u8(node.long);
      i64.write(argument.value, to);
      return;
    case "binary":
      to.u8(node.bytes);
      longBytes.write(argument.value, to);
      return;
    case "string":
      to.u8(node.string);
      longText.write(argument.value, to);
      return;
    case "boolean":
      to.u8(argument.value ? node.true : node.false);
      return;
    case "list":
      to.u8(node.list);
      writeArguments(argument.value, to);
  }
}

/** JSON of a call; null is a call of the default function. */
export function functionCallJson(call: FunctionCall | null): JsonObject {
  if (call === null) return { function: defaultFunction, args: [] };
  return {
    function: call.function,
    args: call.args.map((argument) =>
      argument.type === "list" ? { type: "list", value: argument.value.map(argumentJson) } : argumentJson(argument),
    ),
  };
}

function argumentJson(argument: CallArgument): JsonObject {
  switch (argument.type) {
    case "binary":
      return { type: "binary", value: encodePrefixedBase64(argument.value) };
    case "list":
      return { type: "list", value: "unsupported" };
    default:
      return { type: argument.type, value: argument.value };
  }
}

/** Call of a request, unchanged. Throws FormatError for an invalid list. */
export const writtenCallRequest: JsonRead<FunctionCall> = callRequest(text);

/** Same as `writtenCallRequest`, but null for a call of the default function without arguments. */
export const functionCallRequest: JsonRead<FunctionCall | null> = refined(writtenCallRequest, withoutDefault);

/** Same as `functionCallRequest`, for a call that is only evaluated: its texts stay as the script would see them. */
export const evaluatedCallRequest: JsonRead<FunctionCall | null> = refined(callRequest(unitsText), withoutDefault);

function withoutDefault(call: FunctionCall): FunctionCall | null {
  return call.function === defaultFunction && call.args.length === 0 ? null : call;
}

function callRequest(readText: JsonRead<string>): JsonRead<FunctionCall> {
  return (json) => {
    const members = isJsonObject(json) ? json : {};
    const args = members["args"] === undefined ? [] : callArguments(members["args"], readText);
    if (args instanceof Refused) return args;
    const name = members["function"];
    if (name === undefined) return refuse("Undefined call function name");
    const functionName = text(name);
    if (functionName instanceof Refused) return refuse("Unexpected call function name format");
    return { function: functionName, args };
  };
}

/** Parses the arguments; complaints do not name the argument. */
function callArguments(json: ParsedJson, readText: JsonRead<string>): readonly CallArgument[] | Refused {
  if (!Array.isArray(json)) return refuse("Unexpected args format");
  return readEach(json as readonly ParsedJson[], (item) => argumentRequest(item, readText));
}

function argumentRequest(json: ParsedJson, readText: JsonRead<string>): CallArgument | Refused {
  const { type, value: given } = isJsonObject(json) ? json : {};
  switch (type) {
    case "integer": {
      const value = wrappedInteger(given);
      return value === undefined ? refuse("value is missing or not an integer") : { type, value };
    }
    case "boolean":
      return typeof given === "boolean" ? { type, value: given } : refuse("value is missing or not an boolean");
    case "string": {
      const value = given === undefined ? refuse("") : readText(given);
      if (value instanceof Refused) return refuse("value is missing or not an string");
      const sizeBytes = utf8SizeBytes(value);
      return sizeBytes > limits.dataValueBytes
        ? refuse(`String size=${sizeBytes} exceeds ${limits.dataValueBytes} bytes`)
        : { type, value };
    }
    case "binary": {
      if (typeof given !== "string") return refuse("value is missing or not an base64 encoded string");
      const value = parseBase64(given);
      if (!(value instanceof Uint8Array)) return refuse(base64ErrorText(value, given));
      return value.length > limits.dataValueBytes
        ? refuse(`ByteStr size=${value.length} exceeds ${limits.dataValueBytes} bytes`)
        : { type, value };
    }
    case "list": {
      const value =
        given === undefined
          ? refuseUndefined("value", json as ParsedObject)
          : list((item) => argumentRequest(item, readText))(given);
      // The reference aborts the request at once, without the path of the list.
      if (value instanceof Refused) throw complaintsError(value);
      return value.length > maxListLength ? refuse(`List size should not exceed ${maxListLength}`) : { type, value };
    }
    default:
      return refuse("type is missing");
  }
}
