/**
 * Complexity since feature 15: the cost of a function is computed once, values count where they are used, and each
 * later change of the rules is an option. Without overhead and without the old counting of arguments it is known as
 * estimator 4.
 * @source Waves: lang/v1/estimator/v3/ScriptEstimatorV3.scala
 */
import type { Declaration, Expression, FunctionDeclaration, LetDeclaration } from "../script/expression.ts";
import { type Costs, callFromVerifier, functionText } from "./costs.ts";
import { EstimationError } from "./estimation-error.ts";
import { refuseNestedGetters } from "./getter-nesting.ts";
import { NameSet } from "./name-set.ts";
import { NameTable } from "./name-table.ts";
import { runSteps, type StepAllowance, type Steps } from "./stepwise.ts";

export interface EstimatorRules {
  /** Whether overflowing sums and functions that hide others are errors. */
  readonly fixesOverflow: boolean;
  /** Whether constants, references, choices and getters cost 1; before feature 17. */
  readonly hasOverhead: boolean;
  /** Whether arguments are not mistaken for values of the same name; since feature 22. */
  readonly fixesArguments: boolean;
}

/** Function with the outer values that its body uses; the first call counts them. */
interface Priced {
  readonly cost: bigint;
  readonly uses: NameSet;
}
interface Value {
  readonly estimate: () => Steps<bigint>;
  /** Last estimate as the value of a free function, with its state. */
  given?: { readonly cost: bigint; readonly values: NameTable<Value>; readonly used: NameSet };
}

const noParameters: ReadonlySet<string> = new Set();
/** Steps that take as long as one name in a scan of a set. */
const NAME_STEPS = 8;
/** Minimum cost of a declaration of the script: no call of it is free. */
const leastCost = 1n;

/** @throws EstimationError, WorkRefused */
export function estimateV3(
  expression: Expression,
  library: Costs,
  rules: EstimatorRules,
  allowance?: StepAllowance,
): bigint {
  return new EstimatorV3(library, rules, allowance).estimate(expression);
}

/**
 * Costs of functions when a script's declarations are estimated in one pass, like in the compiler: each function by
 * itself, without the cost of its call, and with the values of the script that it uses. A value that two of those use
 * may count twice.
 * @param declarations of the script, in order
 * @throws EstimationError, WorkRefused
 */
export function estimateFunctionsV3(
  declarations: readonly Declaration[],
  library: Costs,
  rules: EstimatorRules,
  allowance?: StepAllowance,
): ReadonlyMap<string, bigint> {
  return new EstimatorV3(library, rules, allowance).estimateFunctions(declarations);
}

interface State {
  readonly functions: NameTable<Priced>;
  readonly values: NameTable<Value>;
  readonly used: NameSet;
}

class EstimatorV3 {
  readonly #library: Costs;
  readonly #rules: EstimatorRules;
  readonly #overhead: bigint;
  readonly #allowance: StepAllowance | undefined;
  #functions = NameTable.of<Priced>();
  #values = NameTable.of<Value>();
  #used = NameSet.empty;
  /** Declared values of the script, with their dependencies: only for estimates of its functions. */
  readonly #scriptValues = new Map<string, () => Steps<bigint>>();

  constructor(library: Costs, rules: EstimatorRules, allowance: StepAllowance | undefined) {
    this.#allowance = allowance;
    this.#library = library;
    this.#rules = rules;
    this.#overhead = rules.hasOverhead ? 1n : 0n;
  }

  estimate(expression: Expression): bigint {
    return runSteps(this.#of(expression, noParameters), this.#allowance);
  }

  estimateFunctions(declarations: readonly Declaration[]): ReadonlyMap<string, bigint> {
    const costs = new Map<string, bigint>();
    for (const declaration of declarations) {
      if (declaration.kind === "let") runSteps(this.#declareScriptValue(declaration), this.#allowance);
      else costs.set(declaration.name, runSteps(this.#declareScriptFunction(declaration), this.#allowance));
    }
    return costs;
  }

  *#of(expression: Expression, parameters: ReadonlySet<string>): Steps<bigint> {
    switch (expression.kind) {
      case "constant":
        return this.#overhead;
      case "reference":
        if (!(this.#rules.fixesArguments && parameters.has(expression.name))) {
          this.#used = this.#used.with(expression.name);
        }
        return this.#overhead;
      case "getter":
        refuseNestedGetters(expression, this.#allowance);
        return this.#sum(yield this.#of(expression.object, parameters), this.#overhead);
      case "if": {
        const condition = yield this.#holding(expression.condition, parameters, this.#functions);
        const ifTrue = yield this.#holding(expression.ifTrue, parameters, this.#functions);
        const ifFalse = yield this.#holding(expression.ifFalse, parameters, this.#functions);
        return this.#sum(this.#sum(condition, ifTrue > ifFalse ? ifTrue : ifFalse), this.#overhead);
      }
      case "block":
        return expression.declaration.kind === "let"
          ? yield this.#ofLet(expression.declaration, expression.body, parameters)
          : yield this.#ofFunction(expression.declaration, expression.body, parameters);
      case "call":
        return yield this.#ofCall(expression.function, expression.args, parameters);
    }
  }

  *#ofLet({ name, value }: LetDeclaration, body: Expression, parameters: ReadonlySet<string>): Steps<bigint> {
    const { functions, values, used } = this.#state();
    const estimate = () => this.#holding(value, parameters, functions);
    this.#used = used.without(name);
    this.#values = values.with(name, { estimate });
    const bodyCost = yield this.#of(body, parameters);
    const isUsed = this.#used.has(name);
    this.#used = used.has(name) ? this.#used.with(name) : this.#used.without(name);
    this.#values = values;
    return this.#sum(bodyCost, isUsed ? yield estimate() : 0n);
  }

  *#ofFunction(declaration: FunctionDeclaration, body: Expression, parameters: ReadonlySet<string>): Steps<bigint> {
    const used = this.#used;
    this.#declare(declaration, yield this.#ofFunctionBody(declaration, parameters), used);
    return yield this.#of(body, parameters);
  }

  *#ofFunctionBody(
    { name, parameters: own, body }: FunctionDeclaration,
    parameters: ReadonlySet<string>,
  ): Steps<bigint> {
    if (this.#rules.fixesOverflow && this.#find(name) !== undefined) {
      throw new EstimationError(`Function '${name}(${own.join(", ")})' shadows preceding declaration`);
    }
    return yield this.#holding(body, new Set([...parameters, ...own]), this.#functions);
  }

  /** @param used names before the body: later ones are used by the body */
  #declare({ name }: FunctionDeclaration, cost: bigint, used: NameSet): void {
    this.#functions = this.#functions.with(name, { cost, uses: this.#usedSince(used) });
    this.#used = used;
  }

  *#declareScriptFunction(declaration: FunctionDeclaration): Steps<bigint> {
    const used = this.#used;
    const cost = yield this.#ofFunctionBody(declaration, noParameters);
    const total = yield this.#apart(this.#withScriptValues(cost, this.#usedSince(used)), this.#functions);
    this.#declare(declaration, cost, used);
    return total > leastCost ? total : leastCost;
  }

  *#declareScriptValue({ name, value }: LetDeclaration): Steps<bigint> {
    const { functions, values } = this.#state();
    const estimateTotal = () => this.#ofScriptValue(value);
    // An error in the value is an error even if the value is not used.
    const cost = yield this.#apart(estimateTotal(), functions);
    this.#scriptValues.set(name, estimateTotal);
    this.#used = this.#used.without(name);
    this.#values = values.with(name, { estimate: () => this.#holding(value, noParameters, functions) });
    return cost;
  }

  *#ofScriptValue(value: Expression): Steps<bigint> {
    const { functions, used } = this.#state();
    let cost = yield this.#of(value, noParameters);
    for (const name of this.#usedSince(used)) cost += yield this.#apart(this.#scriptValue(name), functions);
    return BigInt.asIntN(64, cost);
  }

  *#withScriptValues(cost: bigint, uses: NameSet): Steps<bigint> {
    let total = cost;
    for (const name of uses) total += yield this.#scriptValue(name);
    return BigInt.asIntN(64, total);
  }

  *#scriptValue(name: string): Steps<bigint> {
    const estimate = this.#scriptValues.get(name);
    return estimate === undefined ? 0n : yield estimate();
  }

  /** Runs an estimate with certain functions in scope, and restores the state. */
  *#apart(estimate: Steps<bigint>, functions: NameTable<Priced>): Steps<bigint> {
    const state = this.#state();
    this.#functions = functions;
    const cost = yield estimate;
    this.#restore(state);
    return cost;
  }

  *#ofCall(called: number | string, args: readonly Expression[], parameters: ReadonlySet<string>): Steps<bigint> {
    const callee = this.#find(called);
    if (callee === undefined) throw new EstimationError(`function '${functionText(called)}' not found`);
    const { cost, uses } = callee;
    if (!uses.isEmpty) {
      this.#functions = this.#functions.with(called as string, { cost, uses: NameSet.empty });
      this.#count(uses.size);
      this.#used = this.#used.withAll(uses);
    }
    let sum = 0n;
    for (const argument of args) sum = this.#sum(sum, yield this.#holding(argument, parameters, this.#functions));
    if (this.#library.forbidden.has(called)) throw callFromVerifier();
    return this.#sum(sum, cost !== 0n ? cost : yield this.#ofFree(uses));
  }

  /** Cost of a call of a free function. */
  *#ofFree(uses: NameSet): Steps<bigint> {
    if (this.#rules.hasOverhead) return 0n;
    if (!this.#rules.fixesArguments) return 1n;
    this.#count(uses.size);
    for (const name of uses) {
      const value = this.#values.get(name);
      if (value === undefined) continue;
      if ((yield this.#ofGiven(value)) > 0n) return 0n;
    }
    return 1n;
  }

  /**
   * Cost of a value that a free function uses. It is cached by state: otherwise each such function would double the
   * work of the next one.
   */
  *#ofGiven(value: Value): Steps<bigint> {
    const { values, used } = this.#state();
    const { given } = value;
    if (given !== undefined && given.values === values && given.used === used) return given.cost;
    const cost = yield this.#apart(value.estimate(), this.#functions);
    value.given = { cost, values, used };
    return cost;
  }

  /** Runs an estimate with certain functions in scope, and discards the ones that it declares. */
  *#holding(expression: Expression, parameters: ReadonlySet<string>, functions: NameTable<Priced>): Steps<bigint> {
    const before = this.#functions;
    this.#functions = functions;
    const cost = yield this.#of(expression, parameters);
    this.#functions = before;
    return cost;
  }

  #find(called: number | string): Priced | undefined {
    const priced = typeof called === "string" ? this.#functions.get(called) : undefined;
    if (priced !== undefined) return priced;
    const cost = this.#library.functions.get(called);
    return cost === undefined ? undefined : { cost: BigInt(cost), uses: NameSet.empty };
  }

  #usedSince(before: NameSet): NameSet {
    if (before !== this.#used) this.#count(this.#used.size);
    return this.#used.withoutAll(before);
  }

  /** Work on a set of names. */
  #count(names: number): void {
    if (this.#allowance !== undefined) this.#allowance.steps -= NAME_STEPS * names;
  }

  #state(): State {
    return { functions: this.#functions, values: this.#values, used: this.#used };
  }

  #restore({ functions, values, used }: State): void {
    this.#functions = functions;
    this.#values = values;
    this.#used = used;
  }

  #sum(left: bigint, right: bigint): bigint {
    const sum = left + right;
    const wrapped = BigInt.asIntN(64, sum);
    if (this.#rules.fixesOverflow && wrapped !== sum) throw new EstimationError("Illegal script");
    return wrapped;
  }
}
