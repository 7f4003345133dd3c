/**
 * What tells that a script of an early version needs a later feature.
 * @source Waves: lang/v1/compiler/package.scala (containsBlockV2, containsArray)
 */
import { List } from "../values/value.ts";
import type { Expression, Script } from "./expression.ts";

type Found = "yes" | "end" | readonly Expression[];

/**
 * Looks through a tree level by level. Like the reference it ends at the first leaf, and so overlooks what stands
 * behind one.
 */
function isFound(root: Expression, look: (expression: Expression) => Found): boolean {
  const queue: Expression[] = [root];
  for (let index = 0; index < queue.length; index++) {
    const found = look(queue[index] as Expression);
    if (found === "yes") return true;
    if (found === "end") return false;
    for (const part of found) queue.push(part);
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

/** Whether it declares in the way of version 3. dApps always do. */
export function hasLaterBlocks(script: Script): boolean {
  if (script.content === "dApp") return true;
  return isFound(script.expression, (expression) =>
    expression.kind === "block" && !expression.isLetBlock ? "yes" : partsOf(expression),
  );
}

/** Whether it holds lists as values, which came with version 4. */
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
