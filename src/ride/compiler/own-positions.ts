/**
 * Names of destructured values contain the positions of their start and end: `$t0` and both numbers. Lines before the
 * source change the positions.
 * @source Waves: lang/v1/parser/Parser.scala (destructuredTupleValues)
 */
import { renamed } from "../decompiler/restore-names.ts";
import type { Expression } from "../script/expression.ts";

const destructured = /^\$t0(\d+)$/;

/** @param start start of the expression in the compiled text */
export function withOwnPositions(expression: Expression, start: number): Expression {
  const names = new Map<string, string>();
  for (const name of declaredNames(expression)) {
    const digits = destructured.exec(name)?.[1];
    const own = digits === undefined ? undefined : moved(digits, start);
    if (own !== undefined) names.set(name, `$t0${own}`);
  }
  return names.size === 0 ? expression : renamed(expression, names);
}

/** Moves two concatenated positions; splits them at the first valid place. */
function moved(digits: string, start: number): string | undefined {
  for (let length = 1; length < digits.length; length++) {
    const from = Number(digits.slice(0, length)) - start;
    const to = Number(digits.slice(length)) - start;
    if (from >= 0 && to >= from && digits[length] !== "0") return `${from}${to}`;
  }
  return undefined;
}

function declaredNames(whole: Expression): readonly string[] {
  const names: string[] = [];
  const toDo: Expression[] = [whole];
  for (let expression = toDo.pop(); expression !== undefined; expression = toDo.pop()) {
    if (expression.kind === "block") {
      const { declaration } = expression;
      names.push(declaration.name);
      toDo.push(declaration.kind === "let" ? declaration.value : declaration.body, expression.body);
    } else if (expression.kind === "if") {
      toDo.push(expression.condition, expression.ifTrue, expression.ifFalse);
    } else if (expression.kind === "getter") {
      toDo.push(expression.object);
    } else if (expression.kind === "call") {
      for (const argument of expression.args) toDo.push(argument);
    }
  }
  return names;
}
