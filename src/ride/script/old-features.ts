/**
 * Detection of later features in scripts of early versions.
 * @source Waves: lang/v1/compiler/package.scala (containsBlockV2, containsArray)
 */
import { List } from "../values/value.ts";
import type { Expression, Script } from "./expression.ts";

type Found = "yes" | "end" | readonly Expression[];

/** Searches a tree level by level. Like the reference it stops at the first leaf, and misses nodes after it. */
function isFound(root: Expression, inspect: (expression: Expression) => Found): boolean {
  const queue: Expression[] = [root];
  for (let index = 0; index < queue.length; index++) {
    const result = inspect(queue[index] as Expression);
    if (result === "yes") return true;
    if (result === "end") return false;
    for (const part of result) queue.push(part);
  }
  return false;
}

function partsOf(expression: Expression): Found {
  switch (expression.kind) {
    case "getter":
      return [expression.object];
    case "if":
      return [expression.condition, expression.ifTrue, expression.ifFalse];
    case "call":
      return expression.args;
    case "block": {
      const { declaration, body } = expression;
      return [declaration.kind === "let" ? declaration.value : declaration.body, body];
    }
    default:
      return "end";
  }
}

/** Whether the script has blocks of version 3. dApps always do. */
export function hasLaterBlocks(script: Script): boolean {
  if (script.content === "dApp") return true;
  return isFound(script.expression, (expression) =>
    expression.kind === "block" && !expression.isLetBlock ? "yes" : partsOf(expression),
  );
}

/** Whether the script has lists as constants, which version 4 introduced. */
export function hasListValues(script: Script): boolean {
  return rootsOf(script).some((root) =>
    isFound(root, (expression) =>
      expression.kind === "constant" && expression.value instanceof List ? "yes" : partsOf(expression),
    ),
  );
}

function rootsOf(script: Script): readonly Expression[] {
  if (script.content === "expression") return [script.expression];
  const { verifier, declarations, callables } = script.dApp;
  return [
    ...(verifier === undefined ? [] : [verifier.function.body]),
    ...declarations.map((declaration) => (declaration.kind === "let" ? declaration.value : declaration.body)),
    ...callables.map(({ function: { body } }) => body),
  ];
}
