/**
 * Functions of strings. Up to version 4 they counted UTF-16 units until a fix of the network; since then code points.
 * @source Waves: lang/v1/evaluator/ctx/impl/PureContext.scala
 */
import { findUtf8Text, utf8Bytes } from "../../protocol/codec/utf8.ts";
import { ExecutionError, NativeFailure } from "../execution-error.ts";
import { Text } from "../values/text.ts";
import {
  bytesValue,
  type List,
  listValue,
  MAX_DATA_BYTES,
  MAX_LIST_LENGTH,
  MAX_VALUE_BYTES,
  textValue,
  unit,
  type Value,
} from "../values/value.ts";
import { valueText } from "../values/value-text.ts";
import { type CallContext, composed, type LibraryFunction, native } from "./function-definition.ts";
import { call, ref } from "./tree.ts";

const fixedSince = 5;
const checksCountSince = 6;
const maxInt32 = 0x7fff_ffff;

function countsCodePoints({ libraryVersion, hasSynchronousCallFixes }: CallContext): boolean {
  return libraryVersion >= fixedSince || hasSynchronousCallFixes;
}

function codePointCount(text: string, end = text.length): number {
  let count = end;
  for (let index = 1; index < end; index++) if (isPairAt(text, index - 1)) count--;
  return count;
}

/** Offset of a code point by its index. */
function offsetOf(text: string, codePoints: number): number {
  let offset = 0;
  for (let count = 0; count < codePoints; count++) offset += isPairAt(text, offset) ? 2 : 1;
  return offset;
}

function isPairAt(text: string, offset: number): boolean {
  return (text.charCodeAt(offset) & 0xfc00) === 0xd800 && (text.charCodeAt(offset + 1) & 0xfc00) === 0xdc00;
}

function clamp(value: bigint, min: number, max: number): number {
  return value < BigInt(min) ? min : value > BigInt(max) ? max : Number(value);
}

/** Number of UTF-16 units of the first `count` characters. */
function unitsOf(text: string, count: bigint, context: CallContext): number {
  if (!countsCodePoints(context)) return clamp(count, 0, maxInt32);
  return offsetOf(text, clamp(count, 0, codePointCount(text)));
}

function checkCount(count: bigint, name: string, limit: number, kind: string): void {
  if (count < 0n) throw new ExecutionError(`Unexpected negative number = ${count} passed to ${name}()`);
  if (count > BigInt(limit)) {
    throw new ExecutionError(`Number = ${count} passed to ${name}() exceeds ${kind} limit = ${limit}`);
  }
}

function checkTextCount(count: bigint, name: string, { libraryVersion }: CallContext): void {
  if (libraryVersion >= checksCountSince) checkCount(count, name, MAX_VALUE_BYTES, "String");
}

export { checkCount };

function indexValue(text: string, index: number, sub: string, context: CallContext): Value {
  if (index === -1) return unit;
  if (!countsCodePoints(context)) return BigInt(index);
  return sub.isWellFormed() ? BigInt(codePointCount(text, index)) : unit;
}

const oldTail = { since: 1, until: 5, complexity: { 1: 19, 4: 20 } } as const;
const search = { since: 3, complexity: { 3: 20, 4: 3 } } as const;
const allButLast = call(101, call(305, ref("@xs")), ref("@number"));

export const stringFunctions: readonly LibraryFunction[] = [
  native(300, "+(a: String, b: String): String", {
    since: 1,
    complexity: { 1: 10, 4: 20, 6: 1 },
    takes: ["Any", "Any"],
    evaluate: ([a, b]) => {
      if (!(a instanceof Text && b instanceof Text)) {
        throw new ExecutionError(`Unexpected args (${valueText(a)},${valueText(b)}) for string concatenation operator`);
      }
      const sizeBytes = a.sizeBytes + b.sizeBytes;
      if (sizeBytes > MAX_VALUE_BYTES) {
        throw new ExecutionError(`String size = ${sizeBytes} exceeds ${MAX_VALUE_BYTES} bytes`);
      }
      return new Text(a.text + b.text, sizeBytes);
    },
  }),
  native(303, "take(xs: String, number: Int): String", {
    since: 1,
    complexity: { 1: 1, 4: 20, 9: 2 },
    takes: ["String", "Int"],
    evaluate: ([{ text }, number], context) => {
      checkTextCount(number, "take", context);
      return textValue(text.slice(0, unitsOf(text, number, context)));
    },
  }),
  native(304, "drop(xs: String, number: Int): String", {
    since: 1,
    complexity: { 1: 1, 4: 20, 9: 2 },
    takes: ["String", "Int"],
    evaluate: ([{ text }, number], context) => {
      checkTextCount(number, "drop", context);
      return textValue(text.slice(unitsOf(text, number, context)));
    },
  }),
  native(305, "size(xs: String): Int", {
    since: 1,
    complexity: 1,
    takes: ["String"],
    // A text with as many bytes as units has no pairs. The complexity is 1, whatever the length.
    evaluate: ([{ text, sizeBytes }], context) =>
      BigInt(sizeBytes !== text.length && countsCodePoints(context) ? codePointCount(text) : text.length),
  }),
  composed("takeRight(@xs: String, @number: Int): String", { ...oldTail, body: call(304, ref("@xs"), allButLast) }),
  composed("dropRight(@xs: String, @number: Int): String", { ...oldTail, body: call(303, ref("@xs"), allButLast) }),
  // These two count the units of the first characters, and cut that number from the end.
  native(306, "takeRight(xs: String, number: Int): String", {
    since: 6,
    complexity: { 6: 20, 9: 2 },
    takes: ["String", "Int"],
    evaluate: ([{ text }, number], context) => {
      checkTextCount(number, "takeRight", context);
      return textValue(text.slice(text.length - unitsOf(text, number, context)));
    },
  }),
  native(307, "dropRight(xs: String, number: Int): String", {
    since: 6,
    complexity: { 6: 20, 9: 2 },
    takes: ["String", "Int"],
    evaluate: ([{ text }, number], context) => {
      checkTextCount(number, "dropRight", context);
      return textValue(text.slice(0, text.length - unitsOf(text, number, context)));
    },
  }),
  native(411, "toBytes(s: String): ByteVector", {
    since: 1,
    complexity: { 1: 1, 4: 8 },
    takes: ["String"],
    evaluate: ([{ text }]) => bytesValue(utf8Bytes(text)),
  }),
  native(420, "toString(n: Int): String", {
    since: 1,
    complexity: 1,
    takes: ["Int"],
    usage: "toString(u: Int)",
    evaluate: ([n]) => new Text(String(n)),
  }),
  native(421, "toString(b: Boolean): String", {
    since: 1,
    complexity: 1,
    takes: ["Boolean"],
    evaluate: ([b]) => new Text(String(b)),
  }),
  native(1200, "toUtf8String(u: ByteVector): String", {
    since: 3,
    complexity: { 3: 20, 4: 7 },
    takes: ["ByteVector"],
    evaluate: ([bytes], { libraryVersion }) => {
      const text = findUtf8Text(bytes);
      if (text === undefined) throw new ExecutionError("Input contents invalid UTF8 sequence");
      const maxBytes = libraryVersion >= 4 ? MAX_VALUE_BYTES : MAX_DATA_BYTES;
      if (bytes.length > maxBytes) {
        throw new ExecutionError(`CommonError(String size=${bytes.length} exceeds ${maxBytes} bytes)`);
      }
      return new Text(text, bytes.length);
    },
  }),
  native(1203, "indexOf(str: String, substr: String): Int|Unit", {
    ...search,
    takes: ["String", "String"],
    evaluate: ([{ text }, { text: sub }], context) => indexValue(text, text.indexOf(sub), sub, context),
  }),
  native(1204, "indexOf(str: String, substr: String, offset: Int): Int|Unit", {
    ...search,
    takes: ["String", "String", "Int"],
    evaluate: ([{ text }, { text: sub }, offset], context) => {
      const isFixed = countsCodePoints(context);
      const length = isFixed ? codePointCount(text) : text.length;
      if (offset < 0n || offset > BigInt(length)) return unit;
      const start = isFixed ? offsetOf(text, Number(offset)) : Number(offset);
      return indexValue(text, text.indexOf(sub, start), sub, context);
    },
  }),
  native(1207, "lastIndexOf(str: String, substr: String): Int|Unit", {
    ...search,
    takes: ["String", "String"],
    evaluate: ([{ text }, { text: sub }], context) => indexValue(text, text.lastIndexOf(sub), sub, context),
  }),
  native(1208, "lastIndexOf(str: String, substr: String, offset: Int): Int|Unit", {
    ...search,
    takes: ["String", "String", "Int"],
    evaluate: ([{ text }, { text: sub }, offset], context) => {
      if (offset < 0n) return unit;
      const isFixed = countsCodePoints(context);
      const start = isFixed ? offsetOf(text, clamp(offset, 0, codePointCount(text))) : clamp(offset, 0, maxInt32);
      return indexValue(text, text.lastIndexOf(sub, start), sub, context);
    },
  }),
  composed("contains(@source: String, @substr: String): Boolean", {
    since: 4,
    complexity: 3,
    body: call("isDefined", call(1203, ref("@source"), ref("@substr"))),
  }),
  native(1205, "split(str: String, separator: String): List[String]", {
    since: 3,
    complexity: { 3: 100, 4: 75, 6: 1 },
    takes: ["String", "String"],
    evaluate: ([text, separator], context) =>
      context.libraryVersion >= checksCountSince
        ? split(text, separator, "split", context, { maxBytes: 500, maxParts: 20 })
        : split(text, separator, "split", context, widest),
  }),
  native(1212, "split_4C(str: String, separator: String): List[String]", {
    since: 6,
    complexity: 4,
    takes: ["String", "String"],
    evaluate: ([text, separator], context) =>
      split(text, separator, "split_4C", context, { maxBytes: 6000, maxParts: 100 }),
  }),
  native(1213, "split_51C(str: String, separator: String): List[String]", {
    since: 6,
    complexity: 51,
    takes: ["String", "String"],
    evaluate: ([text, separator], context) => split(text, separator, "split_51C", context, widest),
  }),
  native(1214, "replaceFirst(str: String, target: String, replacement: String): String", {
    since: 9,
    complexity: 2,
    takes: ["String", "String", "String"],
    evaluate: ([whole, { text: target }, { text: replacement }]) => {
      const index = whole.text.indexOf(target);
      if (index === -1) return whole;
      return textValue(whole.text.slice(0, index) + replacement + whole.text.slice(index + target.length));
    },
  }),
  native(1215, "replaceAll(str: String, target: String, replacement: String): String", {
    since: 9,
    complexity: 2,
    takes: ["String", "String", "String"],
    evaluate: ([whole, target, replacement]) => replaceAll(whole, target, replacement),
  }),
  native(1209, "makeString(list: List[String], separator: String): String", {
    since: 4,
    complexity: { 4: 30, 6: 1 },
    takes: ["List", "String"],
    evaluate: ([list, separator], { libraryVersion }) =>
      libraryVersion >= checksCountSince
        ? join(list, separator, "makeString", { maxBytes: 500, maxParts: 70 }, true)
        : join(list, separator, "makeString", widest, false),
  }),
  native(1210, "makeString_2C(list: List[String], separator: String): String", {
    since: 6,
    complexity: 2,
    takes: ["List", "String"],
    evaluate: ([list, separator]) => join(list, separator, "makeString_2C", { maxBytes: 6000, maxParts: 100 }, true),
  }),
  native(1211, "makeString_11C(list: List[String], separator: String): String", {
    since: 6,
    complexity: 11,
    takes: ["List", "String"],
    evaluate: ([list, separator]) => join(list, separator, "makeString_11C", widest, true),
  }),
];

/** Longer results are too long in bytes, too. */
const maxReplacedUnits = 4 * MAX_VALUE_BYTES;

/** Replaces a target, which if empty matches between all units and at both ends. @throws ExecutionError */
function replaceAll(whole: Text, target: Text, replacement: Text): Text {
  const count = target.text === "" ? whole.text.length + 1 : whole.text.split(target.text).length - 1;
  const growth = (to: number, from: number): number => count * (to - from);
  if (whole.text.length + growth(replacement.text.length, target.text.length) > maxReplacedUnits) {
    // Computes only the size: the result may have a thousand million units.
    // If text is inserted between the halves of a pair, each half counts as one byte, instead of four for both.
    const halvedBytes = target.text === "" ? 2 * (whole.text.length - codePointCount(whole.text)) : 0;
    const sizeBytes = whole.sizeBytes - halvedBytes + growth(replacement.sizeBytes, target.sizeBytes);
    throw new ExecutionError(`String size=${sizeBytes} exceeds ${MAX_VALUE_BYTES} bytes`);
  }
  return textValue(whole.text.replaceAll(target.text, () => replacement.text));
}

interface Bounds {
  readonly maxBytes: number;
  readonly maxParts: number;
}
const widest: Bounds = { maxBytes: MAX_VALUE_BYTES, maxParts: MAX_LIST_LENGTH };

function split(whole: Text, separator: Text, name: string, context: CallContext, { maxBytes, maxParts }: Bounds): List {
  const isFixed = countsCodePoints(context);
  if (isFixed && whole.sizeBytes > maxBytes) {
    throw new ExecutionError(`Input string size = ${whole.sizeBytes} bytes exceeds limit = ${maxBytes} for ${name}`);
  }
  const parts = partsOf(whole.text, separator.text, isFixed);
  if (isFixed && parts.length > maxParts) {
    throw new ExecutionError(`Output list size = ${parts.length} exceeds limit = ${maxParts} for ${name}`);
  }
  return listValue(parts.map(partValue), { isLimited: true });
}

/** Part of a string. Only a text without a size limit can have a part that is too long. @throws NativeFailure */
function partValue(part: string): Text {
  const value = new Text(part);
  if (value.sizeBytes <= MAX_VALUE_BYTES) return value;
  const message = `CommonError(String size=${value.sizeBytes} exceeds ${MAX_VALUE_BYTES} bytes)`;
  throw new NativeFailure("java.lang.RuntimeException", message);
}

function partsOf(text: string, separator: string, isFixed: boolean): readonly string[] {
  if (text === "") return [""];
  if (isFixed && !separator.isWellFormed()) return [text];
  if (separator === "" && isFixed) return [...text];
  return text.split(separator);
}

function join(
  list: List,
  { text: separator }: Text,
  name: string,
  { maxBytes, maxParts }: Bounds,
  refusesOthers: boolean,
): Text {
  const { items } = list;
  if (items.length > maxParts) {
    throw new ExecutionError(`Input list size = ${items.length} for ${name} should not exceed ${maxParts}`);
  }
  // The separators are counted in UTF-16 units, the items in bytes.
  const separators = items.length > 1 ? (items.length - 1) * separator.length : 0;
  const expectedBytes = list.weight - 20 - 20 * items.length + separators;
  if (refusesOthers && !items.every((item) => item instanceof Text)) {
    throw new ExecutionError("makeString only accepts strings");
  }
  if (expectedBytes > maxBytes) {
    throw new ExecutionError(`Constructing string size = ${expectedBytes} bytes will exceed ${maxBytes}`);
  }
  return textValue(items.map(valueText).join(separator));
}
