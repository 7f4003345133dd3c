/**
 * Check whether a verifier may call a dApp, which is not allowed.
 * @source Waves: lang/contract/DApp.scala (verifierContainsSyncCall)
 */
import { textHash } from "../../protocol/hash-table-order.ts";
import { productHash } from "../../protocol/murmur-hash.ts";
import type { DApp, Declaration, Expression } from "./expression.ts";
import { HiddenNames } from "./hidden-names.ts";
import { equalTrees, TreeHashes } from "./tree-equality.ts";

/** Functions that call a dApp: invoke and reentrantInvoke. */
export const invocations: ReadonlySet<number | string> = new Set([1020, 1021]);

interface ScopedExpression {
  readonly expression: Expression;
  /** Names that hide declarations of the dApp. */
  readonly hidden: HiddenNames;
}

/**
 * Follows names and calls from the verifier, in the reference's order. Parameters hide no names, and an expression that
 * equals an earlier one is skipped, although its calls may have other numbers of arguments.
 * @throws UnevenTrees
 */
export function callsDApps({ declarations, verifier }: DApp): boolean {
  if (verifier === undefined) return false;
  const bodies = Map.groupBy(declarations, ({ name }) => name);
  const seen = new SeenExpressions();
  /** Stack: the next one is the last. */
  const toDo: ScopedExpression[] = [{ expression: verifier.function.body, hidden: HiddenNames.none }];
  for (let scoped = toDo.pop(); scoped !== undefined; scoped = toDo.pop()) {
    const { expression, hidden } = scoped;
    if (expression.kind === "call" && invocations.has(expression.function)) return true;
    if (!seen.add(scoped)) continue;
    const parts = partsOf(scoped);
    for (let index = parts.length - 1; index >= 0; index--) toDo.push(parts[index] as ScopedExpression);
    const name = nameOf(expression);
    const declared = name === undefined ? undefined : bodies.get(name);
    if (name === undefined || declared === undefined || hidden.has(name)) continue;
    for (const declaration of declared.toReversed()) {
      toDo.push({ expression: bodyOf(declaration), hidden: HiddenNames.none });
    }
  }
  return false;
}

/** Maximum size of sets that compare with all items; larger ones compare only items with the same hash. */
const maxListed = 4;

class SeenExpressions {
  readonly #first: ScopedExpression[] = [];
  readonly #byHash = new Map<number, ScopedExpression[]>();
  readonly #hashes = new TreeHashes();
  #size = 0;

  /** @returns false if it is already in the set @throws UnevenTrees */
  add(scoped: ScopedExpression): boolean {
    const hash = productHash(scopedHeader, this.#hashes.of(scoped.expression), scoped.hidden.hash());
    const sameHash = this.#byHash.get(hash) ?? [];
    const candidates = this.#size <= maxListed ? this.#first : sameHash;
    if (candidates.some((seen) => equalScoped(seen, scoped))) return false;
    this.#byHash.set(hash, sameHash);
    sameHash.push(scoped);
    if (this.#size++ < maxListed) this.#first.push(scoped);
    return true;
  }
}

const scopedHeader = textHash("ExprWithCtx");

/** @throws UnevenTrees */
function equalScoped(left: ScopedExpression, right: ScopedExpression): boolean {
  return equalTrees(left.expression, right.expression) && left.hidden.equals(right.hidden);
}

function nameOf(expression: Expression): string | undefined {
  if (expression.kind === "reference") return expression.name;
  return expression.kind === "call" ? String(expression.function) : undefined;
}

function bodyOf(declaration: Declaration): Expression {
  return declaration.kind === "let" ? declaration.value : declaration.body;
}

function partsOf({ expression, hidden }: ScopedExpression): readonly ScopedExpression[] {
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
        { expression: body, hidden: hidden.with(declaration.name) },
      ];
    }
    case "call":
      return expression.args.map((part) => ({ expression: part, hidden }));
    default:
      return [];
  }
}
