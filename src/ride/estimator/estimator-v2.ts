/**
 * Complexity between features 14 and 15: function bodies are estimated at every call.
 * @source Waves: lang/v1/estimator/v2/ScriptEstimatorV2.scala
 */
import type { Expression, FunctionDeclaration } from "../script/expression.ts";
import { type Costs, callFromVerifier, functionText } from "./costs.ts";
import { EstimationError } from "./estimation-error.ts";
import { refuseNestedGetters } from "./getter-nesting.ts";
import { NameTable } from "./name-table.ts";
import { runSteps, type StepAllowance, type Steps } from "./stepwise.ts";

/** Value of a name; undefined for an argument, which costs 1 at its first use. */
interface Known {
  readonly value: Expression | undefined;
  readonly isCounted: boolean;
  /** True for predefined names. */
  readonly isFree: boolean;
}

const cost = {
  constant: 1n,
  argument: 1n,
  reference: 2n,
  getter: 2n,
  block: 5n,
  parameter: 5n,
  condition: 1n,
} as const;
const free: Known = { value: undefined, isCounted: true, isFree: true };
const argument: Known = { value: undefined, isCounted: false, isFree: false };

/** @throws EstimationError, WorkRefused */
export function estimateV2(
  expression: Expression,
  { functions, names, forbidden }: Costs,
  allowance?: StepAllowance,
): bigint {
  // The reference reads all costs at the start, whatever the script calls.
  if (forbidden.size > 0) throw callFromVerifier();
  return new EstimatorV2(functions, NameTable.of(names.map((name) => [name, free] as const)), allowance).estimate(
    expression,
  );
}

interface State {
  readonly names: NameTable<Known>;
  readonly declared: NameTable<FunctionDeclaration>;
  readonly hidden: NameTable<Known>;
}

class EstimatorV2 {
  readonly #library: Costs["functions"];
  readonly #allowance: StepAllowance | undefined;
  #names: NameTable<Known>;
  #declared = NameTable.of<FunctionDeclaration>();
  /** Names that arguments hide, in their earlier state. */
  #hidden = NameTable.of<Known>();

  constructor(library: Costs["functions"], names: NameTable<Known>, allowance: StepAllowance | undefined) {
    this.#library = library;
    this.#names = names;
    this.#allowance = allowance;
  }

  estimate(expression: Expression): bigint {
    return runSteps(this.#of(expression), this.#allowance);
  }

  *#of(expression: Expression): Steps<bigint> {
    switch (expression.kind) {
      case "constant":
        return cost.constant;
      case "getter":
        refuseNestedGetters(expression, this.#allowance);
        return (yield this.#of(expression.object)) + cost.getter;
      case "reference":
        return (yield this.#ofName(expression.name)) + cost.reference;
      case "if": {
        const condition = yield this.#of(expression.condition);
        const ifTrue = yield this.#of(expression.ifTrue);
        const ifFalse = yield this.#of(expression.ifFalse);
        return wrap(condition + (ifTrue > ifFalse ? ifTrue : ifFalse) + cost.condition);
      }
      case "block": {
        const { declaration, body } = expression;
        const before = this.#state();
        if (declaration.kind === "let") {
          this.#know(declaration.name, { value: declaration.value, isCounted: false, isFree: false });
        } else {
          const outside = this.#state();
          for (const name of declaration.parameters) this.#know(name, free);
          yield this.#of(declaration.body);
          this.#restore(outside);
          this.#declared = this.#declared.with(declaration.name, declaration);
        }
        const inner = yield this.#of(body);
        this.#restore(before);
        return wrap(inner + cost.block);
      }
      case "call": {
        const called = expression.function;
        const callCost = this.#library.get(called);
        if (callCost !== undefined) return wrap((yield this.#ofAll(expression.args)) + BigInt(callCost));
        const declaration = typeof called === "string" ? this.#declared.get(called) : undefined;
        if (declaration === undefined) throw new EstimationError(`function '${functionText(called)}' not found`);
        const args = yield this.#ofAll(expression.args);
        return wrap((yield this.#ofCall(declaration)) + args);
      }
    }
  }

  *#ofAll(expressions: readonly Expression[]): Steps<bigint> {
    let sum = 0n;
    for (const expression of expressions) sum = wrap(sum + (yield this.#of(expression)));
    return sum;
  }

  *#ofName(name: string): Steps<bigint> {
    const known = this.#names.get(name);
    if (known === undefined) throw new EstimationError(`A definition of '${name}' not found`);
    if (known.isCounted) return 0n;
    this.#know(name, { ...known, isCounted: true });
    return known.value === undefined ? cost.argument : yield this.#of(known.value);
  }

  *#ofCall({ parameters, body }: FunctionDeclaration): Steps<bigint> {
    const before = this.#names;
    if (this.#allowance !== undefined) this.#allowance.steps -= this.#hidden.size;
    let names = before;
    for (const [name, known] of this.#hidden.entries()) names = names.with(name, known);
    const covered = new Map<string, Known>();
    for (const name of parameters) {
      const known = before.get(name);
      if (known !== undefined) covered.set(name, known);
    }
    for (const name of parameters) names = names.with(name, argument);
    this.#names = names;
    for (const [name, known] of covered) this.#hidden = this.#hidden.with(name, known);
    const bodyCost = (yield this.#of(body)) + BigInt(parameters.length) * cost.parameter;
    const after = this.#names;
    let restored = after;
    for (const name of parameters) restored = restored.without(name);
    for (const [name, known] of covered) restored = restored.with(name, known);
    this.#names = restored;
    for (const [name, known] of covered) this.#hidden = this.#hidden.with(name, after.get(name) ?? known);
    return bodyCost;
  }

  #know(name: string, known: Known): void {
    this.#names = this.#names.with(name, known);
  }

  #state(): State {
    return { names: this.#names, declared: this.#declared, hidden: this.#hidden };
  }

  #restore({ names, declared, hidden }: State): void {
    this.#names = names;
    this.#declared = declared;
    this.#hidden = hidden;
  }
}

function wrap(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}
