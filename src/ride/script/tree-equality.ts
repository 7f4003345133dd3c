/**
 * Hash and equality of trees in the reference's collections. Both flatten a tree: the arguments of a call are followed
 * by the nodes after the call. Trees whose calls have other numbers of arguments may therefore be equal.
 * @source Waves: lang/v1/compiler/Terms.scala (EXPR)
 */
import { bytesHash, textHash } from "../../protocol/hash-table-order.ts";
import { productHash, sequenceHash } from "../../protocol/murmur-hash.ts";
import { Text } from "../values/text.ts";
import { equalValues, List, type Value } from "../values/value.ts";
import type { Declaration, Expression } from "./expression.ts";

/** One of two trees ends before the other: there the reference throws. */
export class UnevenTrees extends Error {
  override readonly name = "UnevenTrees";
  constructor() {
    super("head of empty list");
  }
}

/** Effect of a subtree on the hash of the nodes before it: `hash * factor + summand`. */
interface HashStep {
  readonly factor: number;
  readonly summand: number;
}

const start = 7207;
const listSeed = 4517;
/** Numbers of node kinds; those of blocks are also the seed for a function's name and parameters. */
const kind = {
  getter: 7013,
  letBlock: 7019,
  block: 7027,
  if: 7039,
  reference: 7043,
  call: 7057,
  constant: 7069,
} as const;
const nativeHeader = textHash("Native");

/** Hashes of trees, each computed once. */
export class TreeHashes {
  readonly #steps = new Map<Expression, HashStep>();

  of(expression: Expression): number {
    if (expression.kind === "constant") return valueHash(expression.value);
    const { factor, summand } = this.#stepOf(expression);
    return (Math.imul(start, factor) + summand) | 0;
  }

  #stepOf(expression: Expression): HashStep {
    const toDo = [expression];
    for (let next = toDo.at(-1); next !== undefined; next = toDo.at(-1)) {
      const parts = hashedParts(next);
      const pending = this.#steps.has(next) ? [] : parts.filter((part) => !this.#steps.has(part));
      toDo.push(...pending);
      if (pending.length > 0) continue;
      toDo.pop();
      this.#steps.set(
        next,
        parts.reduce((step, part) => after(step, this.#steps.get(part) as HashStep), ownStep(next)),
      );
    }
    return this.#steps.get(expression) as HashStep;
  }
}

function after(first: HashStep, second: HashStep): HashStep {
  return {
    factor: Math.imul(first.factor, second.factor),
    summand: (Math.imul(first.summand, second.factor) + second.summand) | 0,
  };
}

function ownStep(expression: Expression): HashStep {
  const step = (number: number, content: number): HashStep => ({
    factor: 31 * 31,
    summand: (Math.imul(content, 31) + number) | 0,
  });
  switch (expression.kind) {
    case "constant":
      return step(kind.constant, valueHash(expression.value));
    case "reference":
      return step(kind.reference, textHash(expression.name));
    case "getter":
      return step(kind.getter, textHash(expression.field));
    case "if":
      return { factor: 31, summand: kind.if };
    case "block":
      return step(expression.isLetBlock ? kind.letBlock : kind.block, declarationHash(expression.declaration));
    case "call": {
      const { function: called } = expression;
      return step(kind.call, typeof called === "number" ? productHash(nativeHeader, called) : textHash(called));
    }
  }
}

function declarationHash(declaration: Declaration): number {
  if (declaration.kind === "let") return textHash(declaration.name);
  return sequenceHash([declaration.name, ...declaration.parameters].map(textHash), kind.block);
}

function valueHash(value: Value): number {
  if (typeof value === "bigint") return Number(BigInt.asIntN(32, value ^ (BigInt.asUintN(64, value) >> 32n)));
  if (typeof value === "boolean") return value ? 1231 : 1237;
  if (value instanceof Uint8Array) return bytesHash(value);
  if (value instanceof Text) return textHash(value.text);
  if (value instanceof List) return listHash(value);
  throw new Error("a script has no constants of this kind");
}

/** Hash without recursion: lists nest deeper than the stack allows. */
function listHash(root: List): number {
  const stack: { readonly list: List; readonly hashes: number[] }[] = [{ list: root, hashes: [] }];
  for (;;) {
    const { list, hashes } = stack.at(-1) as (typeof stack)[number];
    const item = list.items[hashes.length];
    if (item instanceof List) {
      stack.push({ list: item, hashes: [] });
    } else if (item !== undefined) {
      hashes.push(valueHash(item));
    } else {
      stack.pop();
      const hash = sequenceHash(hashes, listSeed);
      const outer = stack.at(-1);
      if (outer === undefined) return hash;
      outer.hashes.push(hash);
    }
  }
}

/** Hashed parts: without the body of a block, except for a `let` block. */
function hashedParts(expression: Expression): readonly Expression[] {
  return expression.kind === "block" && !expression.isLetBlock
    ? [declaredTree(expression.declaration)]
    : partsOf(expression, ["ifTrue", "ifFalse"]);
}

/** Compared parts: the branches of a condition in the other order. */
function comparedParts(expression: Expression): readonly Expression[] {
  return partsOf(expression, ["ifFalse", "ifTrue"]);
}

type Branch = "ifTrue" | "ifFalse";

function partsOf(expression: Expression, [first, second]: readonly [Branch, Branch]): readonly Expression[] {
  switch (expression.kind) {
    case "getter":
      return [expression.object];
    case "if":
      return [expression.condition, expression[first], expression[second]];
    case "block":
      return [declaredTree(expression.declaration), expression.body];
    case "call":
      return expression.args;
    default:
      return [];
  }
}

function declaredTree(declaration: Declaration): Expression {
  return declaration.kind === "let" ? declaration.value : declaration.body;
}

/** @throws UnevenTrees */
export function equalTrees(left: Expression, right: Expression): boolean {
  const lefts = [left];
  const rights = [right];
  for (;;) {
    const one = lefts.pop();
    const other = rights.pop();
    if (one === undefined && other === undefined) return true;
    if (one === undefined || other === undefined) throw new UnevenTrees();
    if (one === other) continue;
    if (!areAlike(one, other)) return false;
    lefts.push(...comparedParts(one).toReversed());
    rights.push(...comparedParts(other).toReversed());
  }
}

/** Whether two nodes are equal except for their parts. */
function areAlike(one: Expression, other: Expression): boolean {
  switch (one.kind) {
    case "constant":
      return other.kind === "constant" && equalValues(one.value, other.value);
    case "reference":
      return other.kind === "reference" && one.name === other.name;
    case "getter":
      return other.kind === "getter" && one.field === other.field;
    case "if":
      return other.kind === "if";
    case "block":
      return (
        other.kind === "block" &&
        one.isLetBlock === other.isLetBlock &&
        areDeclarationsAlike(one.declaration, other.declaration)
      );
    case "call":
      return other.kind === "call" && one.function === other.function;
  }
}

function areDeclarationsAlike(one: Declaration, other: Declaration): boolean {
  if (one.name !== other.name) return false;
  if (one.kind === "let" || other.kind === "let") return one.kind === other.kind;
  const { parameters } = one;
  return (
    parameters.length === other.parameters.length && parameters.every((name, index) => name === other.parameters[index])
  );
}
