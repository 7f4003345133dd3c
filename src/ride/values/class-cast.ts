/** Cast error for a value of an unexpected kind in a native function: the text of the reference's virtual machine. */
import { NativeFailure } from "../execution-error.ts";
import { Text } from "./text.ts";
import { BigInteger, List, type Value } from "./value.ts";

const terms = "com.wavesplatform.lang.v1.compiler.Terms$";

/** @param expectedClass class that the function expected, by its name in the reference */
export function castFailure(value: Value, expectedClass: `CONST_${string}` | "CaseObj"): NativeFailure {
  const [from, to] = [terms + className(value), terms + expectedClass];
  const message = `class ${from} cannot be cast to class ${to} (${from} and ${to} are in unnamed module of loader 'app')`;
  return new NativeFailure("java.lang.ClassCastException", message);
}

/** The reference's class of a value, without its package. */
export function className(value: Value): string {
  if (typeof value === "bigint") return "CONST_LONG";
  if (typeof value === "boolean") return "CONST_BOOLEAN";
  if (value instanceof Uint8Array) return "CONST_BYTESTR";
  if (value instanceof Text) return "CONST_STRING";
  if (value instanceof BigInteger) return "CONST_BIGINT";
  return value instanceof List ? "ARR$$anon$1" : "CaseObj";
}
