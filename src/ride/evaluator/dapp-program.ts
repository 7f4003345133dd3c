/**
 * Callable programs of dApps, and a cache of them.
 * @source Waves: lang/v1/evaluator/ContractEvaluator.scala
 */

import { LRUCache } from "lru-cache";
import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import { ExecutionError } from "../execution-error.ts";
import { call, constant } from "../functions/tree.ts";
import { type Invocation, invocationObject } from "../objects/invocation.ts";
import { addressObject } from "../objects/recipients.ts";
import type {
  AnnotatedFunction,
  DApp,
  Declaration,
  Expression,
  FunctionDeclaration,
  Script,
} from "../script/expression.ts";
import { parseScript } from "../script/script-bytes.ts";
import { Text } from "../values/text.ts";
import type { Structure, Value } from "../values/value.ts";
import { Code, Frame, type Layout } from "./code.ts";
import { type Evaluation, type EvaluationRequest, linkerOf } from "./evaluate.ts";
import { INVOKED_DAPP, INVOKED_FUNCTION } from "./evaluation-log.ts";
import { type LinkOptions, layoutOf } from "./linker.ts";
import { Machine } from "./machine.ts";
import { NotCallable, type ScriptError } from "./script-error.ts";

/** Version of the invocation object in evaluated expressions, whatever the dApp's. */
const syntheticVersion = 3;

/** dApp whose trees are linked when they are first reached. */
export class DAppProgram {
  readonly dApp: DApp;
  readonly #options: LinkOptions;
  /** Layouts around bodies, by declaration, because a verifier may have the name of a callable. */
  readonly #layouts = new Map<FunctionDeclaration, Layout>();

  constructor(dApp: DApp, options: LinkOptions) {
    this.dApp = dApp;
    this.#options = options;
  }

  /**
   * Calls a callable. The result is the function's value, unchecked.
   * @param called name, or id of a function of the language: then the callable has the id as its name, and the
   *   language's function runs
   * @throws ScriptError; ScriptNotSupported
   */
  invoke(
    called: string | number,
    args: readonly Value[],
    invocation: Invocation,
    request: EvaluationRequest,
  ): Evaluation {
    const callable = this.callable(String(called), args.length, request.complexityLimit);
    const self = request.log && request.environment.selfAddress();
    if (self !== undefined) request.log?.add(INVOKED_DAPP, addressObject(self));
    return this.#call(callable, called, args, invocationObject(invocation, this.#options.libraryVersion), request);
  }

  /** Runs the verifier for a transaction or an order. @throws ScriptError; ScriptNotSupported */
  verify(verifier: AnnotatedFunction, entity: Structure, request: EvaluationRequest): Evaluation {
    return this.#call(verifier, verifier.function.name, [entity], entity, request);
  }

  #call(
    { argument, function: declaration }: AnnotatedFunction,
    called: string | number,
    args: readonly Value[],
    context: Structure,
    { environment, rules, complexityLimit, log }: EvaluationRequest,
  ): Evaluation {
    let layout = this.#layouts.get(declaration);
    if (layout === undefined) {
      layout = layoutOf([...this.dApp.declarations, argument, declaration]);
      this.#layouts.set(declaration, layout);
    }
    const visible = layout.slots.length;
    const index = visible - 1;
    const frame = new Frame(layout, undefined, 0);
    frame.values[index - 1] = context;
    if (log !== undefined) {
      log.add(INVOKED_FUNCTION, new Text(declaration.name));
      log.add(argument, context);
      frame.logged = [];
      frame.logged[index - 1] = true;
    }
    const machine = new Machine(linkerOf(this.#options), environment, rules, complexityLimit, log);
    if (typeof called === "number" || linkerOf(this.#options).isInLibrary(called)) {
      // The library's function takes precedence over the dApp's of the same name.
      const expression = call(called, ...args.map((each) => constant(each)));
      const value = machine.run(new Code(expression, { layout, visible }), frame);
      return { value, unusedComplexity: machine.unusedComplexity };
    }
    const code = new Code({ kind: "call", function: declaration.name, args: [] }, undefined);
    code.name = declaration.name;
    const value = machine.call(frame, index, args, code);
    return { value, unusedComplexity: machine.unusedComplexity };
  }

  /** @throws NotCallable */
  callable(name: string, argumentCount: number, complexityLimit: number): AnnotatedFunction {
    const callable = this.dApp.callables.find(({ function: declaration }) => declaration.name === name);
    if (callable === undefined) {
      const exists = this.dApp.declarations.some(
        (declaration) => declaration.kind === "function" && declaration.name === name,
      );
      throw refused(
        exists
          ? `function '${name} exists in the script but is not marked as @Callable, therefore cannot not be invoked`
          : `@Callable function '${name}' doesn't exist in the script`,
        complexityLimit,
      );
    }
    const { length } = callable.function.parameters;
    if (length !== argumentCount) {
      throw refused(`function '${name} takes ${length} args but ${argumentCount} were(was) given`, complexityLimit);
    }
    return callable;
  }
}

function refused(message: string, complexityLimit: number): ScriptError {
  return new NotCallable(new ExecutionError(message), complexityLimit, []);
}

/** Expression that may use all names of the dApp; every callable sees the same invocation. */
export function expressionInDApp(dApp: DApp, expression: Expression, invocation: Invocation): Expression {
  const value = invocationObject(invocation, syntheticVersion);
  const callables = dApp.callables.flatMap(({ argument, function: declaration }): Declaration[] => [
    letOf(argument, value),
    declaration,
  ]);
  return around([...dApp.declarations, ...callables], expression);
}

function letOf(name: string, value: Value): Declaration {
  return { kind: "let", name, value: constant(value) };
}

/** Expression in the scope of the declarations. */
function around(declarations: readonly Declaration[], expression: Expression): Expression {
  return declarations.reduceRight<Expression>(
    (body, declaration) => ({ kind: "block", declaration, body, isLetBlock: false }),
    expression,
  );
}

/** Script and, for a dApp, its program for each set of options. */
interface CachedScript {
  readonly script: Script;
  readonly programs: Map<string, DAppProgram>;
}

/** A parsed script takes about fourteen times the memory of its bytes; the linked program is additional. */
const MAX_CACHED_SCRIPT_BYTES = 512 * 1024;

/** Parsed scripts by hash: parsing costs more than most calls. */
const scripts = new LRUCache<BytesKey, CachedScript>({ max: 256, maxSize: MAX_CACHED_SCRIPT_BYTES });

/** The parsed script, from the cache if possible. @throws FormatError, WireError */
export function cachedScript(bytes: Uint8Array): Script {
  return cached(bytes).script;
}

/** Program of a dApp; undefined for expressions. @throws FormatError, WireError */
export function cachedProgram(bytes: Uint8Array, options: LinkOptions): DAppProgram | undefined {
  const { script, programs } = cached(bytes);
  if (script.content !== "dApp") return undefined;
  const key = `${options.chainId} ${options.guards} ${options.hasLexicalScope}`;
  let program = programs.get(key);
  if (program === undefined) {
    program = new DAppProgram(script.dApp, options);
    programs.set(key, program);
  }
  return program;
}

/** Hashes of byte arrays: a call needs several lookups, and hashing a large script takes long. */
const keys = new WeakMap<Uint8Array, BytesKey>();

function keyOf(bytes: Uint8Array): BytesKey {
  let key = keys.get(bytes);
  if (key === undefined) {
    key = bytesKey(blake2b256(bytes));
    keys.set(bytes, key);
  }
  return key;
}

function cached(bytes: Uint8Array): CachedScript {
  const key = keyOf(bytes);
  let entry = scripts.get(key);
  if (entry === undefined) {
    entry = { script: parseScript(bytes), programs: new Map() };
    scripts.set(key, entry, { size: bytes.length + 1 });
  }
  return entry;
}
