/**
 * Functions of all values: comparison, type test, throw, alternatives.
 * @source Waves: lang/v1/evaluator/ctx/impl/PureContext.scala
 */
import { ExecutionError } from "../execution-error.ts";
import { Text } from "../values/text.ts";
import { equalValues, MAX_COMPARABLE_WEIGHT, textValue, typeNameOf, weightOf } from "../values/value.ts";
import { composed, type LibraryFunction, type NativeFunction, native } from "./function-definition.ts";
import { call, choose, constant, ref } from "./tree.ts";

/** Placeholder in the body of `value` for its error text. */
export const VALUE_MESSAGE = "@message";
const EQUAL = 0;
const THROW = 2;
const defaultThrow = "Explicit script termination";
const isUnit = (name: string) => call(EQUAL, ref(name), ref("unit"));

/** Implementation of functions that accept any arguments. */
function unchecked(definition: NativeFunction, evaluate: NonNullable<NativeFunction["evaluate"]>): NativeFunction {
  return { ...definition, evaluate };
}

export const operatorFunctions: readonly LibraryFunction[] = [
  native(EQUAL, "==(a: T, b: T): Boolean", {
    since: 1,
    complexity: 1,
    takes: ["Any", "Any"],
    usage: "==(a: T, b: T)",
    evaluate: ([a, b]) => {
      if (weightOf(a) > MAX_COMPARABLE_WEIGHT && weightOf(b) > MAX_COMPARABLE_WEIGHT) {
        throw new ExecutionError("Comparable value too heavy.");
      }
      return equalValues(a, b);
    },
  }),
  composed("!=(@a: T, @b: T): Boolean", {
    since: 1,
    complexity: { 1: 26, 3: 1 },
    body: call("!", call(EQUAL, ref("@a"), ref("@b"))),
  }),
  composed("!(@p: Boolean): Boolean", {
    since: 1,
    complexity: { 1: 11, 3: 1 },
    body: choose(ref("@p"), constant(false), constant(true)),
  }),
  unchecked(native(1, "$isInstanceOf(obj: T, of: String): Boolean", { since: 1, complexity: 1, takes: [] }), (args) => {
    const [value, type] = args;
    return args.length === 2 && value !== undefined && type instanceof Text && typeNameOf(value) === type.text;
  }),
  native(3, "$getType(obj: T): Boolean", {
    since: 6,
    complexity: 1,
    takes: ["Any"],
    usage: "_getType(obj: T)",
    evaluate: ([value]) => textValue(typeNameOf(value)),
  }),
  unchecked(native(THROW, "throw(err: String): Nothing", { since: 1, complexity: 1, takes: [] }), (args) => {
    const [message] = args;
    throw new ExecutionError(args.length === 1 && message instanceof Text ? message.text : defaultThrow);
  }),
  composed("throw(): Nothing", {
    since: 1,
    complexity: { 1: 2, 3: 1 },
    body: call(THROW, constant(defaultThrow)),
  }),
  composed("isDefined(@a: T|Unit): Boolean", {
    since: 1,
    complexity: { 1: 35, 3: 1 },
    body: call("!=", ref("@a"), ref("unit")),
  }),
  composed("extract(@a: T|Unit): T", {
    since: 1,
    until: 3,
    complexity: 13,
    body: choose(isUnit("@a"), call(THROW, constant("extract() called on unit value")), ref("@a")),
  }),
  composed("value(@a: T|Unit): T", {
    since: 3,
    complexity: { 3: 13, 4: 2 },
    // The error depends on the argument's expression: the evaluator replaces this reference with the text.
    body: choose(isUnit("@a"), call(THROW, ref(VALUE_MESSAGE)), ref("@a")),
  }),
  composed("valueOrElse(@value: T|Unit, @alternative: T): T", {
    since: 4,
    complexity: 2,
    body: choose(isUnit("@value"), ref("@alternative"), ref("@value")),
  }),
  composed("valueOrErrorMessage(@a: T|Unit, @msg: String): T", {
    since: 3,
    complexity: { 3: 13, 4: 2 },
    body: choose(isUnit("@a"), call(THROW, ref("@msg")), ref("@a")),
  }),
];
