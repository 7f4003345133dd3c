/**
 * Complexity since feature 15: what a function costs is told once, values count where they are used, and each change of
 * the rules since then is an option. With neither overhead nor the old counting of arguments it is known as estimator 4.
 * @source Waves: lang/v1/estimator/v3/ScriptEstimatorV3.scala
 */
import type { Expression, FunctionDeclaration, LetDeclaration } from "../script/expression.ts";
import { type Costs, callFromVerifier, functionText } from "./costs.ts";
import { EstimationError } from "./estimation-error.ts";
import { runSteps, type Steps } from "./stepwise.ts";

export interface EstimatorRules {
  /** Sums that overflow and functions that hide others are errors. */
  readonly fixesOverflow: boolean;
  /** Constants, references, choices and getters cost 1; before feature 17. */
  readonly hasOverhead: boolean;
  /** Arguments are not taken for values of the same name; since feature 22. */
  readonly fixesArguments: boolean;
}

/** A function and the outer values its body uses; the first call counts them. */
interface Priced {
  readonly name: string;
  readonly cost: bigint;
  readonly uses: ReadonlySet<string>;
  readonly before: Priced | undefined;
}
interface Value {
  readonly name: string;
  readonly estimate: () => Steps<bigint>;
  readonly before: Value | undefined;
}

const nothing: ReadonlySet<string> = new Set();

/** @throws EstimationError */
export function estimateV3(expression: Expression, library: Costs, rules: EstimatorRules): bigint {
  return new EstimatorV3(library, rules).estimate(expression);
}

interface State {
  readonly functions: Priced | undefined;
  readonly values: Value | undefined;
  readonly used: ReadonlySet<string>;
}

class EstimatorV3 {
  readonly #library: Costs;
  readonly #rules: EstimatorRules;
  readonly #overhead: bigint;
  #functions: Priced | undefined;
  #values: Value | undefined;
  #used: ReadonlySet<string> = nothing;

  constructor(library: Costs, rules: EstimatorRules) {
    this.#library = library;
    this.#rules = rules;
    this.#overhead = rules.hasOverhead ? 1n : 0n;
  }

  estimate(expression: Expression): bigint {
    return runSteps(this.#of(expression, nothing));
  }

  *#of(expression: Expression, parameters: ReadonlySet<string>): Steps<bigint> {
    switch (expression.kind) {
      case "constant":
        return this.#overhead;
      case "reference":
        if (!(this.#rules.fixesArguments && parameters.has(expression.name))) this.#use(expression.name);
        return this.#overhead;
      case "getter":
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
    this.#setUsed(name, false);
    this.#values = { name, estimate, before: values };
    const bodyCost = yield this.#of(body, parameters);
    const isUsed = this.#used.has(name);
    this.#setUsed(name, used.has(name));
    this.#values = values;
    return this.#sum(bodyCost, isUsed ? yield estimate() : 0n);
  }

  *#ofFunction(
    { name, parameters: own, body: functionBody }: FunctionDeclaration,
    body: Expression,
    parameters: ReadonlySet<string>,
  ): Steps<bigint> {
    const used = this.#used;
    if (this.#rules.fixesOverflow && this.#find(name) !== undefined) {
      throw new EstimationError(`Function '${name}(${own.join(", ")})' shadows preceding declaration`);
    }
    const cost = yield this.#holding(functionBody, new Set([...parameters, ...own]), this.#functions);
    const uses = new Set([...this.#used].filter((reference) => !used.has(reference)));
    this.#functions = { name, cost, uses, before: this.#functions };
    this.#used = used;
    return yield this.#of(body, parameters);
  }

  *#ofCall(called: number | string, args: readonly Expression[], parameters: ReadonlySet<string>): Steps<bigint> {
    const found = this.#find(called);
    if (found === undefined) throw new EstimationError(`function '${functionText(called)}' not found`);
    const { cost, uses } = found;
    if (uses.size > 0) {
      this.#functions = { name: called as string, cost, uses: nothing, before: this.#functions };
      this.#used = new Set([...this.#used, ...uses]);
    }
    let sum = 0n;
    for (const argument of args) sum = this.#sum(sum, yield this.#holding(argument, parameters, this.#functions));
    if (this.#library.forbidden.has(called)) throw callFromVerifier();
    return this.#sum(sum, cost !== 0n ? cost : yield this.#ofFree(uses));
  }

  /** What a call costs whose function costs nothing by itself. */
  *#ofFree(uses: ReadonlySet<string>): Steps<bigint> {
    if (this.#rules.hasOverhead) return 0n;
    if (!this.#rules.fixesArguments) return 1n;
    for (const name of uses) {
      const value = this.#findValue(name);
      if (value === undefined) continue;
      const state = this.#state();
      const cost = yield value.estimate();
      this.#restore(state);
      if (cost > 0n) return 0n;
    }
    return 1n;
  }

  /** An estimate among certain functions; those it declares are forgotten. */
  *#holding(expression: Expression, parameters: ReadonlySet<string>, functions: Priced | undefined): Steps<bigint> {
    const before = this.#functions;
    this.#functions = functions;
    const cost = yield this.#of(expression, parameters);
    this.#functions = before;
    return cost;
  }

  #find(called: number | string): { readonly cost: bigint; readonly uses: ReadonlySet<string> } | undefined {
    if (typeof called === "string") {
      for (let priced = this.#functions; priced !== undefined; priced = priced.before) {
        if (priced.name === called) return priced;
      }
    }
    const cost = this.#library.functions.get(called);
    return cost === undefined ? undefined : { cost: BigInt(cost), uses: nothing };
  }

  #findValue(name: string): Value | undefined {
    let value = this.#values;
    while (value !== undefined && value.name !== name) value = value.before;
    return value;
  }

  #use(name: string): void {
    this.#setUsed(name, true);
  }

  #setUsed(name: string, isUsed: boolean): void {
    if (this.#used.has(name) === isUsed) return;
    const used = new Set(this.#used);
    if (isUsed) used.add(name);
    else used.delete(name);
    this.#used = used;
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
