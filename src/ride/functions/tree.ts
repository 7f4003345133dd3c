/** Shorthands for the bodies of composed functions. */
import type { Declaration, Expression } from "../script/expression.ts";
import { Text } from "../values/text.ts";
import type { Value } from "../values/value.ts";

export function call(called: number | string, ...args: readonly Expression[]): Expression {
  return { kind: "call", function: called, args };
}

export function ref(name: string): Expression {
  return { kind: "reference", name };
}

export function constant(value: Value | string): Expression {
  return { kind: "constant", value: typeof value === "string" ? new Text(value) : value };
}

export function choose(condition: Expression, ifTrue: Expression, ifFalse: Expression): Expression {
  return { kind: "if", condition, ifTrue, ifFalse };
}

export function letIn(name: string, value: Expression, body: Expression): Expression {
  const declaration: Declaration = { kind: "let", name, value };
  return { kind: "block", declaration, body, isLetBlock: true };
}

export function get(object: Expression, field: string): Expression {
  return { kind: "getter", object, field };
}
