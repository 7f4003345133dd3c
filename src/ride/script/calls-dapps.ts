/**
 * Whether a verifier may call a dApp, which none is allowed to.
 * @source Waves: lang/contract/DApp.scala (verifierContainsSyncCall)
 */
import type { DApp, Declaration, Expression } from "./expression.ts";

/** Functions that call a dApp: invoke and reentrantInvoke. */
export const invocations: ReadonlySet<number | string> = new Set([1020, 1021]);

interface Place {
  readonly expression: Expression;
  /** Names that hide declarations of the dApp. */
  readonly hidden: ReadonlySet<string>;
}

/** Follows names and calls out of the verifier. Parameters hide nothing. */
export function callsDApps({ declarations, verifier }: DApp): boolean {
  if (verifier === undefined) return false;
  const bodies = new Map<string, Expression[]>();
  for (const declaration of declarations) {
    const known = bodies.get(declaration.name);
    if (known === undefined) bodies.set(declaration.name, [bodyOf(declaration)]);
    else known.push(bodyOf(declaration));
  }
  const nothingHidden: ReadonlySet<string> = new Set();
  const seen = new Set<Expression>();
  const toDo: Place[] = [{ expression: verifier.function.body, hidden: nothingHidden }];
  const follow = (name: string, hidden: ReadonlySet<string>): void => {
    if (hidden.has(name)) return;
    for (const expression of bodies.get(name) ?? []) toDo.push({ expression, hidden: nothingHidden });
  };
  for (let place = toDo.pop(); place !== undefined; place = toDo.pop()) {
    const { expression, hidden } = place;
    if (seen.has(expression)) continue;
    seen.add(expression);
    if (expression.kind === "call" && invocations.has(expression.function)) return true;
    if (expression.kind === "reference") follow(expression.name, hidden);
    if (expression.kind === "call") follow(String(expression.function), hidden);
    toDo.push(...partsOf(place));
  }
  return false;
}

function bodyOf(declaration: Declaration): Expression {
  return declaration.kind === "let" ? declaration.value : declaration.body;
}

function partsOf({ expression, hidden }: Place): readonly Place[] {
  switch (expression.kind) {
    case "getter":
      return [{ expression: expression.object, hidden }];
    case "if":
      return [expression.condition, expression.ifTrue, expression.ifFalse].map((part) => ({
        expression: part,
        hidden,
      }));
    case "block": {
      const { declaration, body } = expression;
      return [
        { expression: bodyOf(declaration), hidden },
        { expression: body, hidden: new Set([...hidden, declaration.name]) },
      ];
    }
    case "call":
      return expression.args.map((part) => ({ expression: part, hidden }));
    default:
      return [];
  }
}
