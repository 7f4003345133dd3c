/**
 * Functions of lists and tuples.
 * @source Waves: lang/v1/evaluator/ctx/impl/PureContext.scala, lang/v1/BaseGlobal.scala (median)
 */
import { ExecutionError } from "../execution-error.ts";
import { castFailure } from "../values/class-cast.ts";
import {
  BigInteger,
  depthOf,
  ELEMENT_WEIGHT,
  EMPTY_LIST_WEIGHT,
  equalValues,
  type List,
  limitedObject,
  listValue,
  MAX_COMPARABLE_WEIGHT,
  MAX_LIST_LENGTH,
  TUPLE,
  tupleOf,
  unit,
  type Value,
  weightOf,
} from "../values/value.ts";
import { valueText } from "../values/value-text.ts";
import { composed, type LibraryFunction, type NativeFunction, native, refusal } from "./function-definition.ts";
import { call, constant, ref } from "./tree.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUV";
const tupleSizes = Array.from({ length: 21 }, (_, index) => index + 2);
const tupleTypes = tupleSizes.map((size) => `(${[...letters.slice(0, size)].join(", ")})`);
const cheapBigIntegersSince = 8;

function integers(list: List): readonly bigint[] {
  return list.items.map((item) => {
    if (typeof item === "bigint") return item;
    throw castFailure(item, "CONST_LONG");
  });
}

function bigIntegers(list: List): readonly bigint[] {
  return list.items.map((item) => {
    if (item instanceof BigInteger) return item.integer;
    throw castFailure(item, "CONST_BIGINT");
  });
}

function extremum(numbers: readonly bigint[], order: "max" | "min"): bigint {
  if (numbers.length === 0) throw new ExecutionError(`Can't find ${order} for empty list`);
  return numbers.reduce((left, right) => ((order === "max") === left >= right ? left : right));
}

/** The middle number, or the floor of the mean of the two middle ones. */
function median(numbers: readonly bigint[]): bigint {
  const sorted = numbers.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  const middle = sorted.length >> 1;
  const high = sorted[middle] as bigint;
  if (sorted.length % 2 === 1) return high;
  const sum = (sorted[middle - 1] as bigint) + high;
  return sum >= 0n || sum % 2n === 0n ? sum / 2n : (sum - 1n) / 2n;
}

function indexIn(list: List, index: bigint, verb: "remov" | "replac"): number {
  const { length } = list.items;
  if (length === 0) {
    throw new ExecutionError(
      verb === "remov" ? "Can't remove an element from empty list" : "Can't replace an element in empty list",
    );
  }
  if (index < 0n) {
    throw new ExecutionError(`Index of the ${verb}ing element should be positive, but ${index} was passed`);
  }
  if (index >= BigInt(length)) {
    throw new ExecutionError(
      `Index of the ${verb}ing element should be lower than list size = ${length}, but ${index} was passed`,
    );
  }
  return Number(index);
}

function find(list: List, element: Value, order: "first" | "last"): Value {
  const isHeavy = weightOf(element) > MAX_COMPARABLE_WEIGHT;
  const matches = (item: Value): boolean => {
    if (isHeavy && weightOf(item) > MAX_COMPARABLE_WEIGHT) {
      throw new ExecutionError(
        `Both element to search for \`${valueText(element)}\` and list element \`${valueText(item)}\` are too heavy to compare`,
      );
    }
    return equalValues(item, element);
  };
  const index = order === "first" ? list.items.findIndex(matches) : list.items.findLastIndex(matches);
  return index === -1 ? unit : BigInt(index);
}

const element = "list: List[T], element: T";

export const listFunctions: readonly LibraryFunction[] = [
  native(400, "size(arr: List[T]): Int", {
    since: 1,
    complexity: { 1: 2, 9: 1 },
    takes: ["List"],
    usage: "size(arr: Array)",
    evaluate: ([list]) => BigInt(list.items.length),
  }),
  native(401, "getElement(arr: List[T], pos: Int): T", {
    since: 1,
    complexity: { 1: 2, 9: 1 },
    takes: ["List", "Int"],
    usage: "getElement(arr: Array, pos: Int)",
    evaluate: ([list, position]) => {
      // Positions are truncated to 32 bits.
      const item = list.items[Number(BigInt.asIntN(32, position))];
      if (item !== undefined) return item;
      throw new ExecutionError(`Index ${position} out of bounds for length ${list.items.length}`);
    },
  }),
  native(1100, "cons(head: A, tail: List[B]): List[A|B]", {
    since: 3,
    complexity: { 3: 2, 4: 1 },
    takes: ["Any", "List"],
    usage: "cons(head: T, tail: LIST[T]",
    evaluate: ([head, tail], { libraryVersion }) =>
      listValue([head, ...tail.items], {
        isLimited: libraryVersion >= 4,
        weight: weightOf(head) + tail.weight + ELEMENT_WEIGHT,
        depth: Math.max(tail.depth, depthOf(head) + 1),
      }),
  }),
  native(1101, ":+(list: List[A], element: B): List[A|B]", {
    since: 4,
    complexity: 1,
    takes: ["List", "Any"],
    usage: "list: List[T] :+ value: T",
    evaluate: ([list, last]) =>
      listValue([...list.items, last], {
        isLimited: true,
        weight: list.weight + weightOf(last) + ELEMENT_WEIGHT,
        depth: Math.max(list.depth, depthOf(last) + 1),
      }),
  }),
  native(1102, "++(list1: List[A], list2: List[B]): List[A|B]", {
    since: 4,
    complexity: 4,
    takes: ["List", "List"],
    usage: "list1: List[T] ++ list2: List[T]",
    evaluate: ([left, right]) =>
      listValue([...left.items, ...right.items], {
        isLimited: true,
        weight: left.weight + right.weight - EMPTY_LIST_WEIGHT,
        depth: Math.max(left.depth, right.depth),
      }),
  }),
  native(1103, `indexOf(${element}): Int|Unit`, {
    since: 4,
    complexity: 5,
    takes: ["List", "Any"],
    evaluate: ([list, item]) => find(list, item, "first"),
  }),
  native(1104, `lastIndexOf(${element}): Int|Unit`, {
    since: 4,
    complexity: 5,
    takes: ["List", "Any"],
    evaluate: ([list, item]) => find(list, item, "last"),
  }),
  composed("containsElement(@list: List[T], @element: T): Boolean", {
    since: 4,
    complexity: 5,
    body: call("!=", call(1103, ref("@list"), ref("@element")), constant(unit)),
  }),
  native(1105, "removeByIndex(list: List[T], index: Int): List[T]", {
    since: 4,
    complexity: { 4: 7, 8: 4, 9: 1 },
    takes: ["List", "Int"],
    evaluate: ([list, index]) => listValue(list.items.toSpliced(indexIn(list, index, "remov"), 1), { isLimited: true }),
  }),
  native(1106, "replaceByIndex(list: List[T], index: Int, element: T): List[T]", {
    since: 8,
    complexity: { 8: 4, 9: 1 },
    takes: ["List", "Int", "Any"],
    evaluate: ([list, index, item]) =>
      listValue(list.items.with(indexIn(list, index, "replac"), item), { isLimited: true }),
  }),
  native(1107, "fill(length: Int, element: T): List[T]", {
    since: 9,
    complexity: 2,
    takes: ["Int", "Any"],
    usage: "fill[T](length: Int, elem: T)",
    evaluate: ([length, item]) => {
      // Lengths are truncated to 32 bits: a larger one may become small.
      const count = Number(BigInt.asIntN(32, length));
      if (length <= 0n || count <= 0) throw new ExecutionError("Invalid length");
      const items = new Array<Value>(Math.min(count, MAX_LIST_LENGTH + 1)).fill(item);
      return listValue(items, { isLimited: true });
    },
  }),
  native(405, "median(arr: List[Int]): Int", {
    since: 4,
    complexity: 20,
    takes: ["List"],
    evaluate: ([list]) => {
      const [first] = list.items;
      if (first === undefined) throw new ExecutionError("Can't find median for empty list");
      if (typeof first !== "bigint") throw refusal([list], "median(arr: List[Int])");
      return median(integers(list));
    },
  }),
  native(425, "median(arr: List[BigInt]): BigInt", {
    since: 5,
    complexity: { 5: 160, [cheapBigIntegersSince]: 35 },
    takes: ["List"],
    evaluate: ([list]) => {
      const [first] = list.items;
      if (first === undefined) throw new ExecutionError("Can't find median for empty list of BigInt");
      if (!(first instanceof BigInteger)) throw refusal([list], "median(arr: List[BigInt])");
      return new BigInteger(median(bigIntegers(list)));
    },
  }),
  native(406, "max(list: List[Int]): Int", {
    since: 4,
    complexity: 3,
    takes: ["List"],
    evaluate: ([list]) => extremum(integers(list), "max"),
  }),
  native(407, "min(list: List[Int]): Int", {
    since: 4,
    complexity: 3,
    takes: ["List"],
    evaluate: ([list]) => extremum(integers(list), "min"),
  }),
  native(408, "max(list: List[BigInt]): BigInt", {
    since: 5,
    complexity: { 5: 192, [cheapBigIntegersSince]: 6 },
    takes: ["List"],
    evaluate: ([list]) => new BigInteger(extremum(bigIntegers(list), "max")),
  }),
  native(409, "min(list: List[BigInt]): BigInt", {
    since: 5,
    complexity: { 5: 192, [cheapBigIntegersSince]: 6 },
    takes: ["List"],
    evaluate: ([list]) => new BigInteger(extremum(bigIntegers(list), "min")),
  }),
  native(1350, `size(tuple: ${tupleTypes.join("|")}): Int`, {
    since: 6,
    complexity: 1,
    takes: ["Any"],
    usage: "size(t: Tuple)",
    evaluate: ([tuple]) => {
      if (typeof tuple === "object" && "fields" in tuple && tuple.type === TUPLE) return BigInt(tuple.fields.size);
      throw refusal([tuple], "size(t: Tuple)");
    },
  }),
  ...tupleSizes.map(tupleConstructor),
];

function tupleConstructor(size: number): NativeFunction {
  const types = [...letters.slice(0, size)];
  const parameters = types.map((type, index) => `element${index + 1}: ${type}`).join(", ");
  const definition = native(1298 + size, `$Tuple${size}(${parameters}): (${types.join(", ")})`, {
    since: 4,
    complexity: 1,
    takes: [],
  });
  return {
    ...definition,
    evaluate: (args) => {
      // The reference prints its type parameters as the codes of their letters.
      if (args.length !== size) throw refusal(args, `(${types.map((type) => type.charCodeAt(0)).join(", ")})`);
      return limitedObject(tupleOf(...args));
    },
  };
}
