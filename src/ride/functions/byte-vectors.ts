/**
 * Functions of byte vectors.
 * @source Waves: lang/v1/evaluator/ctx/impl/PureContext.scala
 */
import { concatBytes, i64Bytes } from "../../crypto/bytes.ts";
import { ExecutionError } from "../execution-error.ts";
import { bytesValue, MAX_DATA_PROTOBUF_BYTES, MAX_VALUE_BYTES } from "../values/value.ts";
import { valueText } from "../values/value-text.ts";
import { type CallContext, composed, type LibraryFunction, native } from "./function-definition.ts";
import { checkCount } from "./strings.ts";
import { call, ref } from "./tree.ts";

const checksCountSince = 6;
const oldTail = { since: 1, until: 5, complexity: { 1: 19, 4: 6 } } as const;
const allButLast = call(101, call(200, ref("@xs")), ref("@number"));

/** Counts are truncated to 32 bits. */
function countOf(count: bigint, sizeBytes: number): number {
  const low = Number(BigInt.asIntN(32, count));
  return Math.min(Math.max(low, 0), sizeBytes);
}

/**
 * Cuts a byte vector. From version 6 on the count is checked, and the result may exceed the size of a data entry's
 * value.
 */
function cut(
  name: string,
  bytes: Uint8Array,
  count: bigint,
  { libraryVersion }: CallContext,
  slice: (count: number) => Uint8Array,
): Uint8Array {
  if (libraryVersion < checksCountSince) return bytesValue(slice(countOf(count, bytes.length)));
  checkCount(count, name, MAX_DATA_PROTOBUF_BYTES, "ByteVector");
  return slice(countOf(count, bytes.length));
}

export const byteVectorFunctions: readonly LibraryFunction[] = [
  native(200, "size(byteVector: ByteVector): Int", {
    since: 1,
    complexity: 1,
    takes: ["ByteVector"],
    evaluate: ([bytes]) => BigInt(bytes.length),
  }),
  native(201, "take(xs: ByteVector, number: Int): ByteVector", {
    since: 1,
    complexity: { 1: 1, 4: 6, 9: 2 },
    takes: ["ByteVector", "Int"],
    evaluate: ([bytes, number], context) => cut("take", bytes, number, context, (count) => bytes.slice(0, count)),
  }),
  native(202, "drop(xs: ByteVector, number: Int): ByteVector", {
    since: 1,
    complexity: { 1: 1, 4: 6, 9: 2 },
    takes: ["ByteVector", "Int"],
    evaluate: ([bytes, number], context) => cut("drop", bytes, number, context, (count) => bytes.slice(count)),
  }),
  native(203, "+(a: ByteVector, b: ByteVector): ByteVector", {
    since: 1,
    complexity: { 1: 10, 4: 2 },
    takes: ["Any", "Any"],
    evaluate: ([a, b]) => {
      if (!(a instanceof Uint8Array && b instanceof Uint8Array)) {
        throw new ExecutionError(`Unexpected args (${valueText(a)},${valueText(b)}) for bytes concatenation operator`);
      }
      const sizeBytes = a.length + b.length;
      if (sizeBytes > MAX_VALUE_BYTES) {
        throw new ExecutionError(`ByteVector size = ${sizeBytes} bytes exceeds ${MAX_VALUE_BYTES}`);
      }
      return concatBytes(a, b);
    },
  }),
  composed("takeRight(@xs: ByteVector, @number: Int): ByteVector", {
    ...oldTail,
    internalName: "takeRightBytes",
    body: call(202, ref("@xs"), allButLast),
  }),
  composed("dropRight(@xs: ByteVector, @number: Int): ByteVector", {
    ...oldTail,
    internalName: "dropRightBytes",
    body: call(201, ref("@xs"), allButLast),
  }),
  native(204, "takeRight(xs: ByteVector, number: Int): ByteVector", {
    since: 6,
    complexity: { 6: 6, 9: 2 },
    takes: ["ByteVector", "Int"],
    evaluate: ([bytes, number], context) =>
      cut("takeRight", bytes, number, context, (count) => bytes.slice(bytes.length - count)),
  }),
  native(205, "dropRight(xs: ByteVector, number: Int): ByteVector", {
    since: 6,
    complexity: { 6: 6, 9: 2 },
    takes: ["ByteVector", "Int"],
    evaluate: ([bytes, number], context) =>
      cut("dropRight", bytes, number, context, (count) => bytes.slice(0, bytes.length - count)),
  }),
  native(410, "toBytes(n: Int): ByteVector", {
    since: 1,
    complexity: 1,
    takes: ["Int"],
    usage: "toBytes(u: Int)",
    evaluate: ([n]) => i64Bytes(n),
  }),
  native(412, "toBytes(b: Boolean): ByteVector", {
    since: 1,
    complexity: 1,
    takes: ["Boolean"],
    evaluate: ([b]) => Uint8Array.of(b ? 1 : 0),
  }),
];
