/**
 * Evaluation of callables for requests: as expressions inside of all declarations of the dApp. The nodes are linked
 * once for a dApp, not for each request.
 */
import { call, constant } from "../functions/tree.ts";
import type { AnnotatedFunction, DApp } from "../script/expression.ts";
import { type Structure, unit, type Value } from "../values/value.ts";
import { Code, op } from "./code.ts";
import { type Evaluation, type EvaluationRequest, linkerOf } from "./evaluate.ts";
import { type LinkOptions, layoutOf } from "./linker.ts";
import { Machine } from "./machine.ts";

export class PreparedCall {
  readonly #options: LinkOptions;
  readonly #root: Code;
  readonly #context: Code;
  readonly #args: readonly Code[];

  constructor(dApp: DApp, { argument, function: callable }: AnnotatedFunction, options: LinkOptions) {
    const layout = layoutOf([...dApp.declarations, { kind: "let", name: argument, value: constant(unit) }, callable]);
    const visible = layout.slots.length;
    const args = callable.parameters.map(() => constant(unit));
    const body = new Code(call(callable.name, ...args), { layout, visible });
    this.#args = args.map((expression) => new Code(expression, undefined));
    body.preset = this.#args;
    layout.body = body;
    this.#root = new Code(body.expression, undefined);
    this.#root.layout = layout;
    this.#root.op = op.frame;
    this.#context = layout.slots[dApp.declarations.length]?.code as Code;
    this.#options = options;
  }

  /**
   * @param context invocation object of the callable
   * @param args one for each parameter of the callable
   * @throws ScriptError; ScriptNotSupported
   */
  run(
    context: Structure,
    args: readonly Value[],
    { environment, rules, complexityLimit, log }: EvaluationRequest,
  ): Evaluation {
    this.#context.setConstant(context);
    for (const [index, code] of this.#args.entries()) code.setConstant(args[index] as Value);
    const machine = new Machine(linkerOf(this.#options), environment, rules, complexityLimit, log);
    const value = machine.run(this.#root, undefined);
    return { value, unusedComplexity: machine.unusedComplexity };
  }
}

/** Calls of each dApp, with the lifetime of the dApp. */
const preparedCalls = new WeakMap<DApp, Map<string, PreparedCall>>();

/** @param callable of the dApp */
export function preparedCall(dApp: DApp, callable: AnnotatedFunction, options: LinkOptions): PreparedCall {
  let calls = preparedCalls.get(dApp);
  if (calls === undefined) {
    calls = new Map();
    preparedCalls.set(dApp, calls);
  }
  const { libraryVersion, chainId, guards, hasLexicalScope } = options;
  const key = `${libraryVersion} ${chainId} ${guards} ${hasLexicalScope} ${callable.function.name}`;
  let prepared = calls.get(key);
  if (prepared === undefined) {
    prepared = new PreparedCall(dApp, callable, options);
    calls.set(key, prepared);
  }
  return prepared;
}
