/**
 * Definitions of the function table: name, parameters and result of a function, its complexity in each version of the
 * library, and its implementation.
 * @source Waves: lang/v1/evaluator/ctx/NativeFunction.scala, lang/v1/evaluator/Contextful.scala
 */
import type { Environment } from "../evaluator/environment.ts";
import type { LogEntry } from "../evaluator/evaluation-log.ts";
import { ExecutionError } from "../execution-error.ts";
import type { Expression } from "../script/expression.ts";
import { className } from "../values/class-cast.ts";
import { Text } from "../values/text.ts";
import { BigInteger, List, Structure, type Value } from "../values/value.ts";

/** Complexity by library version: each entry holds up to the next. */
export type ComplexityByVersion = Readonly<Record<number, number>>;
export interface Versions {
  readonly since: number;
  /** Last version with the function; undefined: still present. */
  readonly until?: number;
}
/** Scripts in which a function is available. */
export type Availability = "everywhere" | "dApp" | "account";

interface FunctionDefinition extends Versions {
  readonly name: string;
  /** Parameters with their types as the reference prints them: `a: Int, b: Int`. */
  readonly parameters: string;
  readonly result: string;
  readonly complexity: ComplexityByVersion;
  readonly availability: Availability;
}

/** Context of a native function, besides its arguments. */
export interface CallContext {
  readonly environment: Environment;
  readonly libraryVersion: number;
  /** Features 16 and later: strings are counted in code points. */
  readonly hasSynchronousCallFixes: boolean;
  /** Powers are computed to 19 or 154 digits. */
  readonly hasPrecisePowers: boolean;
  /** Feature 24: a recovered key has all its bytes. */
  readonly keepsLeadingZeros: boolean;
  /** Whether the script sees proofs of transactions. */
  readonly hasProofs: boolean;
}

export interface NativeFunction extends FunctionDefinition {
  readonly kind: "native";
  readonly id: number;
  /** The function in the reference's error texts: not always with its own parameters. */
  readonly printedAs: string;
  /** Undefined: the function has a complexity, but this evaluator does not support it. */
  readonly evaluate: ((args: readonly Value[], context: CallContext) => Value) | undefined;
  /** Replaces `evaluate` for functions that run other scripts: their complexity is known afterwards. */
  readonly callOut?: (args: readonly Value[], context: CallContext, availableComplexity: number) => CallOutResult;
}

export interface CallOutResult {
  readonly value: Value;
  readonly unusedComplexity: number;
  /** Log of the call for the caller. */
  readonly log: readonly LogEntry[];
}

/** Library function that is written in the language itself. */
export interface ComposedFunction extends FunctionDefinition {
  readonly kind: "composed";
  /** Name in compiled scripts; `name` is the one in sources. */
  readonly internalName: string;
  readonly parameterNames: readonly string[];
  readonly body: (context: ComposedContext) => Expression;
}
export interface ComposedContext {
  readonly libraryVersion: number;
  readonly chainId: number;
}

export type LibraryFunction = NativeFunction | ComposedFunction;

interface ValueOfKind {
  Int: bigint;
  Boolean: boolean;
  ByteVector: Uint8Array;
  String: Text;
  BigInt: BigInteger;
  List: List;
  Object: Structure;
  Any: Value;
}
export type Kind = keyof ValueOfKind;
type ValuesOf<Kinds extends readonly Kind[]> = { -readonly [Index in keyof Kinds]: ValueOfKind[Kinds[Index]] };

const isOfKind: { readonly [K in Kind]: (value: Value) => boolean } = {
  Int: (value) => typeof value === "bigint",
  Boolean: (value) => typeof value === "boolean",
  ByteVector: (value) => value instanceof Uint8Array,
  String: (value) => value instanceof Text,
  BigInt: (value) => value instanceof BigInteger,
  List: (value) => value instanceof List,
  Object: (value) => value instanceof Structure,
  Any: () => true,
};

export interface NativeOptions<Kinds extends readonly Kind[]> extends Versions {
  readonly complexity: ComplexityByVersion | number;
  readonly availability?: Availability;
  /** Kinds of the arguments; others are refused. */
  readonly takes: Kinds;
  /** The function in the refusal, if not its name with the parameters. */
  readonly usage?: string;
  readonly printedAs?: string;
  readonly evaluate?: (args: ValuesOf<Kinds>, context: CallContext) => Value;
}

/** @param signature as `name(a: Int, b: Int): Int` */
export function native<const Kinds extends readonly Kind[]>(
  id: number,
  signature: string,
  { complexity, takes, usage, printedAs, evaluate, availability = "everywhere", since, until }: NativeOptions<Kinds>,
): NativeFunction {
  const { name, parameters, result } = parseSignature(signature);
  const kinds: readonly Kind[] = takes;
  const tests = kinds.map((kind) => isOfKind[kind]);
  return {
    kind: "native",
    id,
    name,
    parameters,
    result,
    printedAs: printedAs ?? signature,
    complexity: typeof complexity === "number" ? { [since]: complexity } : complexity,
    availability,
    since,
    ...(until === undefined ? {} : { until }),
    evaluate:
      evaluate &&
      ((args, context) => {
        if (args.length !== tests.length || !tests.every((test, index) => test(args[index] as Value))) {
          throw refusal(args, usage ?? `${name}(${parameters})`);
        }
        return evaluate(args as ValuesOf<Kinds>, context);
      }),
  };
}

export interface ComposedOptions extends Versions {
  readonly complexity: ComplexityByVersion | number;
  readonly availability?: Availability;
  readonly internalName?: string;
  readonly body: Expression | ((context: ComposedContext) => Expression);
}

/** @param signature as for `native`; the body uses its parameter names */
export function composed(
  signature: string,
  { complexity, internalName, body, availability = "everywhere", since, until }: ComposedOptions,
): ComposedFunction {
  const { name, parameters, result } = parseSignature(signature);
  return {
    kind: "composed",
    name,
    internalName: internalName ?? name,
    parameters,
    parameterNames: parameterNamesOf(parameters),
    result,
    complexity: typeof complexity === "number" ? { [since]: complexity } : complexity,
    availability,
    since,
    ...(until === undefined ? {} : { until }),
    body: typeof body === "function" ? body : () => body,
  };
}

/** The reference's error for arguments of the wrong kind or number: it contains their classes. */
export function refusal(args: readonly Value[], usage: string): ExecutionError {
  return new ExecutionError(`Can't apply (${args.map(printedClass).join(", ")}) to '${usage}'`);
}

export function complexityIn(definition: LibraryFunction, libraryVersion: number): number {
  let complexity = 0;
  for (const [version, cost] of Object.entries(definition.complexity))
    if (Number(version) <= libraryVersion) complexity = cost;
  return complexity;
}

export function isIn(versions: Versions, libraryVersion: number): boolean {
  return versions.since <= libraryVersion && libraryVersion <= (versions.until ?? libraryVersion);
}

/** Class name of a value; the class of lists is anonymous here. */
function printedClass(value: Value): string {
  return value instanceof List ? "" : className(value);
}

function parseSignature(signature: string): { name: string; parameters: string; result: string } {
  const open = signature.indexOf("(");
  const close = signature.lastIndexOf("): ");
  return {
    name: signature.slice(0, open),
    parameters: signature.slice(open + 1, close),
    result: signature.slice(close + 3),
  };
}

/** Names before the colons outside of a type's parentheses. */
export function parameterNamesOf(parameters: string): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < parameters.length; index++) {
    const character = parameters[index];
    if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    else if (depth === 0 && character === ":") names.push(parameters.slice(start, index).trim());
    else if (depth === 0 && character === ",") start = index + 1;
  }
  return names;
}
