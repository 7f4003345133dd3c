/** Deeply nested trees and values. */
import { call, choose, constant, get, letIn, ref } from "../../../src/ride/functions/tree.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { Text } from "../../../src/ride/values/text.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { FuzzFamily } from "./family.ts";
import { type TreeCase, treeDApp } from "./tree-dapp.ts";

const versions = [4, 5, 6, 8, 9];
const casesPerDApp = 4;
/** Deeper ones end the reference's process, which builds a response in memory. */
const depths = [10, 50, 100, 150, 200, 250, 300];
const id = { equal: 0, add: 100, cons: 1100, pair: 1300 } as const;

type Shape = (depth: number) => Expression;

const one = constant(1n);
const shapes: Readonly<Record<string, Shape>> = {
  sums: (depth) => nested(depth, one, (inner) => call(id.add, inner, one)),
  "sums to the right": (depth) => nested(depth, one, (inner) => call(id.add, one, inner)),
  tuples: (depth) => nested(depth, one, (inner) => call(id.pair, inner, one)),
  "equal tuples": (depth) => {
    const tuples = nested(depth, one, (inner) => call(id.pair, one, inner));
    return letIn("t", tuples, call(id.equal, ref("t"), ref("t")));
  },
  "thrown tuples": (depth) => {
    const tuples = nested(depth, one, (inner) => call(id.pair, one, inner));
    return letIn("t", tuples, call(id.add, ref("t"), one));
  },
  lists: (depth) => nested(depth, ref("nil"), (inner) => call(id.cons, inner, ref("nil"))),
  entries: (depth) => nested(depth, one, (inner) => call("IntegerEntry", constant(new Text("k")), inner)),
  choices: (depth) => nested(depth, constant(true), (inner) => choose(inner, constant(true), constant(false))),
  "choices to the right": (depth) => nested(depth, one, (inner) => choose(constant(false), one, inner)),
  lets: (depth) => nested(depth, ref("l"), (inner) => letIn("l", one, inner)),
  "lets inside": (depth) => nested(depth, one, (inner) => letIn("l", inner, ref("l"))),
  getters: (depth) => nested(depth, call(id.pair, one, one), (inner) => get(inner, "_1")),
};

export const deepFamily: FuzzFamily = {
  name: "deep",
  summary: "trees and values that nest up to 300 deep",
  dApps: (random, count) =>
    Array.from({ length: Math.ceil(count / casesPerDApp) }, () => {
      const cases = Array.from({ length: casesPerDApp }, () => deepCase(random));
      return treeDApp(random.pick(versions), cases);
    }),
};

function deepCase(random: SeededRandom): TreeCase {
  const [name, shape] = random.pick(Object.entries(shapes));
  const depth = random.pick(depths);
  return { tree: shape(depth), note: `${name}, ${depth} deep` };
}

function nested(depth: number, innermost: Expression, around: (inner: Expression) => Expression): Expression {
  let expression = innermost;
  for (let level = 0; level < depth; level++) expression = around(expression);
  return expression;
}
