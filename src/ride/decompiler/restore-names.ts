/**
 * Original names of a dApp after compaction.
 * @source Waves: lang/v1/compiler/ContractScriptCompactor.scala (decompact)
 */
import { runSteps, type Steps } from "../estimator/stepwise.ts";
import type { AnnotatedFunction, DApp, Declaration, Expression, FunctionDeclaration } from "../script/expression.ts";

/** Letters of short names, in order. */
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Cached dApps with restored names. */
const restored = new WeakMap<DApp, DApp>();

/** Returns the dApp itself if its meta has no names. */
export function restoreNames(dApp: DApp): DApp {
  let known = restored.get(dApp);
  if (known === undefined) {
    const names = originalNames(dApp);
    known = names.size === 0 ? dApp : new Restoring(names).dApp(dApp);
    restored.set(dApp, known);
  }
  return known;
}

/** Renames the declarations of an expression. */
export function renamed(expression: Expression, names: ReadonlyMap<string, string>): Expression {
  return new Restoring(names).whole(expression);
}

function originalNames({ meta }: DApp): ReadonlyMap<string, string> {
  if (meta.originalNames.length === 0) {
    return new Map(meta.compactNames.map(({ compactName, originalName }) => [compactName, originalName]));
  }
  const shortened = meta.originalNames.map((name, index) => [shortName(index), name] as const);
  return new Map(shortened.map(([short, name]) => [short, name === "" ? short : name]));
}

/** a, b, … Z, aa, ab, … */
function shortName(index: number): string {
  let name = "";
  for (let rest = index; rest >= 0; rest = Math.floor(rest / letters.length) - 1) {
    name = letters.charAt(rest % letters.length) + name;
  }
  return name;
}

/** Restores the names of declarations, and of references in their scope. */
class Restoring {
  readonly #names: ReadonlyMap<string, string>;
  /** Number of declarations of each name in scope. */
  readonly #known = new Map<string, number>();

  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
  }

  whole(expression: Expression): Expression {
    return runSteps(this.#expression(expression));
  }

  dApp({ meta, declarations, callables, verifier }: DApp): DApp {
    const restored = declarations.map((declaration) => {
      const result = this.#declarationNow(declaration);
      this.#enter([declaration.name]);
      return result;
    });
    return {
      meta: { ...meta, originalNames: [], compactNames: [] },
      declarations: restored,
      callables: callables.map((callable) => this.#callable(callable)),
      verifier: verifier && this.#verifier(verifier),
    };
  }

  #callable({ argument, function: declaration }: AnnotatedFunction): AnnotatedFunction {
    const inScope = [argument, ...declaration.parameters];
    this.#enter(inScope);
    const body = runSteps(this.#expression(declaration.body));
    this.#leave(inScope);
    const parameters = declaration.parameters.map((name) => this.#original(name));
    // Callables keep their names, which transactions use.
    return { argument: this.#original(argument), function: { ...declaration, parameters, body } };
  }

  #verifier({ argument, function: declaration }: AnnotatedFunction): AnnotatedFunction {
    this.#enter([argument]);
    const restored = this.#declarationNow(declaration) as FunctionDeclaration;
    this.#leave([argument]);
    return { argument: this.#original(argument), function: restored };
  }

  #declarationNow(declaration: Declaration): Declaration {
    const { inner, content } = partsOf(declaration);
    this.#enter(inner);
    const restored = runSteps(this.#expression(content));
    this.#leave(inner);
    return this.#declare(declaration, restored);
  }

  #declare(declaration: Declaration, content: Expression): Declaration {
    const name = this.#original(declaration.name);
    if (declaration.kind === "let") return { kind: "let", name, value: content };
    const parameters = declaration.parameters.map((parameter) => this.#original(parameter));
    return { kind: "function", name, parameters, body: content };
  }

  *#expression(expression: Expression): Steps<Expression> {
    switch (expression.kind) {
      case "constant":
        return expression;
      case "reference":
        return this.#isKnown(expression.name) ? { ...expression, name: this.#original(expression.name) } : expression;
      case "getter":
        return { ...expression, object: yield this.#expression(expression.object) };
      case "if": {
        const condition: Expression = yield this.#expression(expression.condition);
        const ifTrue: Expression = yield this.#expression(expression.ifTrue);
        return { kind: "if", condition, ifTrue, ifFalse: yield this.#expression(expression.ifFalse) };
      }
      case "call": {
        const called = expression.function;
        const restored = typeof called === "string" && this.#isKnown(called) ? this.#original(called) : called;
        const args: Expression[] = [];
        for (const argument of expression.args) args.push(yield this.#expression(argument));
        return { kind: "call", function: restored, args };
      }
      case "block": {
        const { inner, content } = partsOf(expression.declaration);
        this.#enter(inner);
        const restored: Expression = yield this.#expression(content);
        this.#leave(inner);
        this.#enter([expression.declaration.name]);
        const body: Expression = yield this.#expression(expression.body);
        this.#leave([expression.declaration.name]);
        return { ...expression, declaration: this.#declare(expression.declaration, restored), body };
      }
    }
  }

  #original(name: string): string {
    return this.#names.get(name) ?? name;
  }

  #isKnown(name: string): boolean {
    return (this.#known.get(name) ?? 0) > 0;
  }

  #enter(names: readonly string[]): void {
    for (const name of names) this.#known.set(name, (this.#known.get(name) ?? 0) + 1);
  }

  #leave(names: readonly string[]): void {
    for (const name of names) this.#known.set(name, (this.#known.get(name) ?? 0) - 1);
  }
}

/** Content of a declaration, and the names in scope only there. */
function partsOf(declaration: Declaration): { readonly inner: readonly string[]; readonly content: Expression } {
  return declaration.kind === "let"
    ? { inner: [], content: declaration.value }
    : { inner: declaration.parameters, content: declaration.body };
}
