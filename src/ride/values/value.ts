/**
 * Values of scripts and their weight, the measure that limits lists, objects and comparisons.
 * Int is a `bigint`, Boolean a `boolean`, ByteVector a `Uint8Array`; the others have their own classes.
 * @source Waves: lang/v1/compiler/Terms.scala, lang/v1/ContractLimits.scala
 */
import { equalBytes } from "../../crypto/bytes.ts";
import { ExecutionError, NativeFailure } from "../execution-error.ts";
import { Text } from "./text.ts";

const OBJECT_WEIGHT = 40;
const FIELD_WEIGHT = 30;

export type Value = bigint | boolean | Uint8Array | Text | BigInteger | List | Structure;

/** BigInt of the language: 512 bits, two's complement. */
export class BigInteger {
  readonly integer: bigint;
  constructor(integer: bigint) {
    this.integer = integer;
  }
}

export class List {
  readonly items: readonly Value[];
  readonly weight: number;
  /** Levels of nesting, including this one. */
  readonly depth: number;
  /** @param weight and depth are known for a list that was made from others */
  constructor(items: readonly Value[], weight = listWeight(items), depth = 1 + deepest(items)) {
    this.items = items;
    this.weight = weight;
    this.depth = depth;
  }
}

type Measured = Pick<Structure, "weight" | "depth">;

/** Object: of a declared type, a tuple, a unit, a rounding mode. Fields are in the order of their declaration. */
export class Structure {
  readonly type: string;
  readonly fields: ReadonlyMap<string, Value>;
  readonly weight: number;
  /** Levels of nesting, including this one. */
  readonly depth: number;
  /** @param measured weight and depth, if they are known without the fields */
  constructor(type: string, fields: ReadonlyMap<string, Value>, measured: Measured = measuredFields(fields)) {
    this.type = type;
    this.fields = fields;
    this.weight = measured.weight;
    this.depth = measured.depth;
  }
}

export const unit = new Structure("Unit", new Map());
export const TUPLE = "Tuple";

export const MAX_VALUE_BYTES = 32_767;
/** Limit of strings and byte vectors that may fill a data transaction of the old layout. */
export const MAX_DATA_BYTES = 150 * 1024;
/** Size limit of the body of a data transaction in protobuf. */
export const MAX_DATA_PROTOBUF_BYTES = 165_947;
export const MAX_LIST_LENGTH = 1_000;
/**
 * Levels of a value that every node of the reference can process: it recurses to print, hash or name a value, and its
 * default stack overflows between 1,000 and 2,000 levels, earlier before its code is compiled.
 */
export const SAFE_DEPTH = 300;
export const MAX_COMPARABLE_WEIGHT = 13_000;
export const EMPTY_LIST_WEIGHT = 20;
export const ELEMENT_WEIGHT = 20;
/** Maximum weight: fits the largest data transaction as an object. */
export const MAX_WEIGHT =
  MAX_DATA_PROTOBUF_BYTES * 2 +
  (32 + 8 + 8 + 8) +
  (OBJECT_WEIGHT + FIELD_WEIGHT + 32) +
  (EMPTY_LIST_WEIGHT + (ELEMENT_WEIGHT + 64) * 8) +
  (EMPTY_LIST_WEIGHT + (ELEMENT_WEIGHT + OBJECT_WEIGHT + FIELD_WEIGHT * 2) * 100);

export function weightOf(value: Value): number {
  if (typeof value === "bigint") return 8;
  if (typeof value === "boolean") return 1;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Text) return value.sizeBytes;
  if (value instanceof BigInteger) return 64;
  return value.weight;
}

/** Levels of nesting: 0 for values without content. */
export function depthOf(value: Value): number {
  return value instanceof Structure || value instanceof List ? value.depth : 0;
}

function deepest(values: Iterable<Value>): number {
  let depth = 0;
  for (const value of values) depth = Math.max(depth, depthOf(value));
  return depth;
}

function measuredFields(fields: ReadonlyMap<string, Value>): Measured {
  let weight = OBJECT_WEIGHT + FIELD_WEIGHT * fields.size;
  for (const value of fields.values()) weight += weightOf(value);
  return { weight, depth: 1 + deepest(fields.values()) };
}

function listWeight(items: readonly Value[]): number {
  let weight = EMPTY_LIST_WEIGHT + ELEMENT_WEIGHT * items.length;
  for (const item of items) weight += weightOf(item);
  return weight;
}

/** String within the limit of a data entry's value, or of a whole data transaction. @throws ExecutionError */
export function textValue(text: string, maxBytes = MAX_VALUE_BYTES): Text {
  const value = new Text(text);
  if (value.sizeBytes > maxBytes) {
    throw new ExecutionError(`String size=${value.sizeBytes} exceeds ${maxBytes} bytes`);
  }
  return value;
}

/** Byte vector within the limit of a data entry's value. @throws ExecutionError */
export function bytesValue(bytes: Uint8Array, maxBytes = MAX_VALUE_BYTES): Uint8Array {
  if (bytes.length > maxBytes) throw new ExecutionError(`ByteStr size=${bytes.length} exceeds ${maxBytes} bytes`);
  return bytes;
}

/** List within the limit of weight and, in versions with one, of length. @throws ExecutionError */
export function listValue(
  items: readonly Value[],
  { isLimited, weight, depth }: { isLimited: boolean; weight?: number; depth?: number },
): List {
  if (isLimited && items.length > MAX_LIST_LENGTH) {
    throw new ExecutionError(`List size should not exceed ${MAX_LIST_LENGTH}`);
  }
  const list = new List(items, weight, depth);
  if (list.weight > MAX_WEIGHT) {
    throw new ExecutionError(`The list is too heavy. Actual weight: ${list.weight}, limit: ${MAX_WEIGHT}`);
  }
  return list;
}

/** Object that no script constructed, within the weight limit. @throws NativeFailure */
export function limitedObject(object: Structure): Structure {
  if (object.weight > MAX_WEIGHT) throw new NativeFailure("java.lang.Exception", tooHeavyText(object));
  return object;
}

export function tooHeavyText({ type, weight }: Structure): string {
  return `the object ${type} is too heavy. Actual weight: ${weight}, limit: ${MAX_WEIGHT}`;
}

export function tupleOf(...elements: readonly Value[]): Structure {
  return new Structure(TUPLE, new Map(elements.map((element, index) => [`_${index + 1}`, element])));
}

/** Type name for pattern matching. */
export function typeNameOf(value: Value): string {
  if (typeof value === "bigint") return "Int";
  if (typeof value === "boolean") return "Boolean";
  if (value instanceof Uint8Array) return "ByteVector";
  if (value instanceof Text) return "String";
  if (value instanceof BigInteger) return "BigInt";
  if (value instanceof List) return "List[Any]";
  if (value.type !== TUPLE) return value.type;
  // The reference sorts the fields by name: the tenth precedes the second.
  const names = [...value.fields.keys()].sort();
  // Only one recursive call for each level: tuples nest a few thousand levels.
  let types = "";
  for (const name of names) types += `${types === "" ? "" : ", "}${typeNameOf(value.fields.get(name) as Value)}`;
  return `(${types})`;
}

/** Equality of the operator `==`: same kind and same content, at any depth. */
export function equalValues(left: Value, right: Value): boolean {
  const toDo: Value[] = [];
  // Uses a stack of pairs: values nest deeper than recursion allows.
  for (let [one, other] = [left, right]; ; ) {
    if (!areAlike(one, other, toDo)) return false;
    if (toDo.length === 0) return true;
    other = toDo.pop() as Value;
    one = toDo.pop() as Value;
  }
}

/** Whether two values are equal except for their contents. @param toDo receives pairs of their contents */
function areAlike(left: Value, right: Value, toDo: Value[]): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object") return false;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && equalBytes(left, right);
  if (left instanceof Text) return right instanceof Text && left.text === right.text;
  if (left instanceof BigInteger) return right instanceof BigInteger && left.integer === right.integer;
  if (left instanceof List) {
    if (!(right instanceof List) || left.items.length !== right.items.length) return false;
    for (let index = 0; index < left.items.length; index++)
      toDo.push(left.items[index] as Value, right.items[index] as Value);
    return true;
  }
  if (!(right instanceof Structure) || left.type !== right.type || left.fields.size !== right.fields.size) return false;
  for (const [name, value] of left.fields) {
    const other = right.fields.get(name);
    if (other === undefined) return false;
    toDo.push(value, other);
  }
  return true;
}
