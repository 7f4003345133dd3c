/**
 * Compilation of expressions for evaluation at a dApp. They may use names of the dApp, which the compiler does not
 * know: an unknown function takes and returns any type, an unknown name has any type. Therefore such names are declared
 * before the expression, and removed from the result.
 * @source Waves: api/http/utils/UtilsEvaluationRequest.scala (parseCall), lang/v1/compiler/CompilerContext.scala
 *   (arbitraryDeclarations)
 */
import { runSteps, type Steps } from "../estimator/stepwise.ts";
import { libraryOf } from "../functions/library.ts";
import type { Expression } from "../script/expression.ts";
import { parseScript } from "../script/script-bytes.ts";
import { CompilationError, NumberOutOfRange } from "./compile.ts";
import { CompilerWork } from "./compiler-work.ts";
import { quickestEstimator } from "./declaration-work.ts";
import { asInNode } from "./literal-texts.ts";
import { withOwnPositions } from "./own-positions.ts";
import { evaluationAttempts, MAX_EVALUATION_TOKENS, refuseLongSources, SourceTooLong } from "./source-bound.ts";

/** Unique names: no source contains them by accident. */
const resultName = "evaluatedExpression7a1f";
const anythingName = "anything7a1f";

/**
 * Compiles an expression to its tree.
 * @param text its leading directives are ignored
 * @param libraryVersion of the dApp, from 3 on
 * @param spent is called with the compiler's work as a complexity, whatever the result
 * @throws CompilationError with the compiler's message and positions in the source; SourceTooLong
 */
export async function compileExpression(
  text: string,
  libraryVersion: number,
  spent?: (complexity: number) => void,
): Promise<Expression> {
  const source = withoutDirectives(text);
  const tokens = refuseLongSources([source], MAX_EVALUATION_TOKENS);
  // Each attempt declares the names that the previous one did not know.
  const maxAttempts = evaluationAttempts(tokens);
  const work = await CompilerWork.of(tokens, "expression");
  try {
    return compiledBy(work, { source, libraryVersion, maxAttempts });
  } finally {
    spent?.(work.spentComplexity);
  }
}

interface Written {
  readonly source: string;
  readonly libraryVersion: number;
  readonly maxAttempts: number;
}

/** @throws CompilationError, SourceTooLong */
function compiledBy(work: CompilerWork, { source, libraryVersion, maxAttempts }: Written): Expression {
  const declarations = new Map<string, string>();
  let current = source;
  let version = libraryVersion;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { head, whole } = wrapped(current, version, [...declarations.values()]);
    const compiled = compileLargeSource(work, whole);
    if (compiled.result !== undefined) {
      const expression = withOwnPositions(expressionIn(new Uint8Array(compiled.result)), head.length);
      return withOwnNames(expression, version === libraryVersion ? undefined : tupleName);
    }
    const { error } = compiled;
    if (version < tuplesSince && unknownTuple.test(error)) {
      version = tuplesSince;
      continue;
    }
    const ownCalls = callsOfOwnNames(error, { source: current, offset: head.length, libraryVersion: version });
    const declared = declaredFunctions(current);
    const unknown = unknownNames(error, whole).filter(
      ([name]) => !declarations.has(name) && !declared.has(name) && !isInternal(name, version),
    );
    if (ownCalls.length === 0 && unknown.length === 0) {
      throw complaint(work, { source, current, libraryVersion: version, head, error });
    }
    current = withOtherNames(current, ownCalls);
    for (const [name, declaration] of unknown) declarations.set(name, declaration);
  }
  throw new CompilationError("Compilation failed: too many unknown names");
}

/**
 * Replaces the leading directives with blanks, which preserves positions. The reference skips them and compiles for the
 * dApp's version.
 * @source Waves: lang/v1/parser/Parser.scala (unusedText)
 */
function withoutDirectives(source: string): string {
  let head = "";
  for (;;) {
    const at = head.length;
    skipped.lastIndex = at;
    const before = skipped.exec(source)?.[0] ?? "";
    directive.lastIndex = at + before.length;
    const match = directive.exec(source)?.[0];
    if (match === undefined) return head + source.slice(at);
    head += before + " ".repeat(match.length);
  }
}

/** White space and comments. */
const skipped = /(?:[ \t\r\n]+|#[^\n]*)*/y;
const directive = /\{-#[^#]*#-\}/y;

/**
 * First library version with tuples. Their syntax is older, and compiles to calls that no name in a source can make.
 */
const tuplesSince = 4;
const unknownTuple = /Can't find a function '\$Tuple\d+'/;
const tupleIds = { first: 1300, firstSize: 2, last: 1320 };

function tupleName(id: number): string | undefined {
  const { first, firstSize, last } = tupleIds;
  return id >= first && id <= last ? `$Tuple${id - first + firstSize}` : undefined;
}

/**
 * Suffix for recursive calls. In a function that calls itself the own name is not declared yet, and means a function of
 * the dApp with that name. The call gets another name, which can be declared.
 */
const ownSuffix = "_own7a1f";

/** Positions after the names of such calls: the source or the library declares the name. */
function callsOfOwnNames(
  error: string,
  { source, offset, libraryVersion }: { source: string; offset: number; libraryVersion: number },
): readonly number[] {
  const declared = declaredFunctions(source);
  return [...error.matchAll(unknownFunction)].flatMap(([, name = "", , start = "0"]) => {
    if (!declared.has(name) && !isInternal(name, libraryVersion)) return [];
    const call = new RegExp(`(?<!\\bfunc\\s+)\\b${escaped(name)}(?=\\s*\\()`, "g");
    call.lastIndex = Math.max(0, Number(start) - offset);
    const match = call.exec(source);
    return match === null ? [] : [match.index + name.length];
  });
}

/** Name of a library function in the byte form, which sources cannot declare. */
function isInternal(name: string, libraryVersion: number): boolean {
  return libraryOf({ libraryVersion, content: "expression", guards: "account" }).has(name);
}

function declaredFunctions(source: string): ReadonlySet<string> {
  return new Set(Array.from(source.matchAll(/\bfunc\s+(\w+)/g), ([, name = ""]) => name));
}

function escaped(name: string): string {
  return name.replace(/[^\w]/g, "\\$&");
}

function withOtherNames(source: string, ends: readonly number[]): string {
  const places = [...new Set(ends)].sort((left, right) => left - right);
  const pieces = places.map((end, index) => source.slice(places[index - 1] ?? 0, end));
  return [...pieces, source.slice(places.at(-1) ?? 0)].join(ownSuffix);
}

/** @param nameOf earlier name of a library function; undefined: unchanged */
function withOwnNames(expression: Expression, nameOf: ((id: number) => string | undefined) | undefined): Expression {
  return runSteps(ownNames(expression, nameOf));
}

/** Runs as steps: expressions nest deeper than the stack allows. */
function* ownNames(expression: Expression, nameOf: Parameters<typeof withOwnNames>[1]): Steps<Expression> {
  switch (expression.kind) {
    case "getter":
      return { ...expression, object: yield ownNames(expression.object, nameOf) };
    case "if": {
      const condition: Expression = yield ownNames(expression.condition, nameOf);
      const ifTrue: Expression = yield ownNames(expression.ifTrue, nameOf);
      return { kind: "if", condition, ifTrue, ifFalse: yield ownNames(expression.ifFalse, nameOf) };
    }
    case "block": {
      const { declaration, body } = expression;
      const inner =
        declaration.kind === "let"
          ? { ...declaration, value: yield ownNames(declaration.value, nameOf) }
          : { ...declaration, body: yield ownNames(declaration.body, nameOf) };
      return { ...expression, declaration: inner, body: yield ownNames(body, nameOf) };
    }
    case "call": {
      const args: Expression[] = [];
      for (const argument of expression.args) args.push(yield ownNames(argument, nameOf));
      return { kind: "call", function: ownName(expression.function, nameOf), args };
    }
    default:
      return expression;
  }
}

/** Compiles a source. Deep ones overflow the compiler's stack. @throws CompilationError, SourceTooLong */
function compileSource(work: CompilerWork, source: string) {
  try {
    // The complexity is not needed.
    const estimator = quickestEstimator([source]);
    const compiled = work.run((compiler) => compiler.compile(source, estimator, false, false, {}));
    // An error with a result concerns the use as a script, which is not needed here.
    return compiled.result === undefined ? { error: compiled.error } : { result: compiled.result };
  } catch (cause) {
    if (cause instanceof SourceTooLong) throw cause;
    throw (
      NumberOutOfRange.of(cause) ??
      new CompilationError(`The compiler cannot take this source: ${String(cause)}`, { cause })
    );
  }
}

const tooLarge = /^Script is too large/;

/**
 * Compiles a source that is too large for a script as a declaration of a dApp, whose limit is higher: the expression is
 * never set as a script.
 */
function compileLargeSource(work: CompilerWork, whole: string) {
  const compiled = compileSource(work, whole);
  if (compiled.result !== undefined || !tooLarge.test(compiled.error)) return compiled;
  // With the same length, which preserves positions.
  const asDApp = whole.replace("CONTENT_TYPE EXPRESSION", "CONTENT_TYPE DAPP      ").replace(/\ntrue$/, "\n");
  const larger = compileSource(work, asDApp);
  return larger.result === undefined ? compiled : larger;
}

const directives = (libraryVersion: number): string =>
  `{-# STDLIB_VERSION ${libraryVersion} #-}\n{-# CONTENT_TYPE EXPRESSION #-}\n{-# SCRIPT_TYPE ACCOUNT #-}\n`;

function wrapped(source: string, libraryVersion: number, declarations: readonly string[]) {
  const anything = `func ${anythingName}(a: Any) = a\n`;
  const head = `${directives(libraryVersion)}${anything}${declarations.join("")}let ${resultName} = {`;
  return { head, whole: `${head}${source}\n}\ntrue` };
}

/** Value of the declaration with the expression. */
function expressionIn(script: Uint8Array): Expression {
  const parsed = parseScript(script);
  if (parsed.content === "dApp") {
    const declaration = parsed.dApp.declarations.find(({ kind, name }) => kind === "let" && name === resultName);
    if (declaration?.kind === "let") return declaration.value;
    throw new Error("the compiled expression is not in its declaration");
  }
  for (let node: Expression = parsed.expression; node.kind === "block"; node = node.body) {
    const { declaration } = node;
    if (declaration.kind === "let" && declaration.name === resultName) return declaration.value;
  }
  throw new Error("the compiled expression is not in its declaration");
}

const unknownFunction = /Can't find a function '([^']+)'\((.*?)\) or it is @Callable in (\d+)-(\d+)/g;
const unknownFolding = /Can't find suitable function (\S+)\(a: .*? for FOLD/g;
const unknownName = /A definition of '([^']+)' is not found in/g;

function unknownNames(error: string, source: string): (readonly [name: string, declaration: string])[] {
  const functions = [...error.matchAll(unknownFunction)].map(([, name = "", types = ""]) => {
    const parameters = Array.from({ length: countTypes(types) }, (_, index) => `a${index}: Any`);
    return [name, `func ${name}(${parameters.join(", ")}) = ${anythingName}(0)\n`] as const;
  });
  const names = [...error.matchAll(unknownName)].map(([, name = ""]) => [name, `let ${name} = throw()\n`] as const);
  const foldings = [...error.matchAll(unknownFolding)].map(
    ([, name = ""]) => [name, `func ${name}(a0: Any, a1: Any) = ${anythingName}(0)\n`] as const,
  );
  const words = new Set(source.match(/[\w$]+/g));
  return [...functions, ...foldings, ...names].filter(([name]) => words.has(name));
}

/** Number of types in a list; a type may contain commas between brackets. */
function countTypes(types: string): number {
  if (types.trim() === "") return 0;
  let depth = 0;
  let count = 1;
  for (const character of types) {
    if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    else if (character === "," && depth === 0) count++;
  }
  return count;
}

function ownName(called: number | string, nameOf: ((id: number) => string | undefined) | undefined): number | string {
  if (typeof called === "number") return nameOf?.(called) ?? called;
  return called.endsWith(ownSuffix) ? called.slice(0, -ownSuffix.length) : called;
}

interface Complaint {
  readonly source: string;
  /** The source with renamed calls. */
  readonly current: string;
  readonly libraryVersion: number;
  /** Text before the source. */
  readonly head: string;
  readonly error: string;
}

/** Error of the source as if it were compiled alone. */
function complaint(work: CompilerWork, { source, current, libraryVersion, head, error }: Complaint): CompilationError {
  const alone = directives(libraryVersion);
  const own = compileSource(work, alone + source);
  // The text after the source may move the position; but alone the source lacks the names.
  const isOwn = own.result === undefined && unknownNames(own.error, source).length === 0;
  const message = isOwn
    ? shifted(own.error.replace(alone, ""), alone.length)
    : withOriginalPositions(shifted(error, head.length), current);
  return new CompilationError(asInNode(message));
}

function shifted(message: string, length: number): string {
  return mapPositions(message, (position) => Math.max(0, position - length));
}

/** Restores positions before the renaming of calls. */
function withOriginalPositions(message: string, current: string): string {
  return mapPositions(message, (position) => {
    const otherNames = current.slice(0, position).split(ownSuffix).length - 1;
    return position - otherNames * ownSuffix.length;
  });
}

function mapPositions(message: string, map: (old: number) => number): string {
  return message.replace(/\bin (\d+)-(\d+)/g, (_, start: string, end: string) => {
    return `in ${map(Number(start))}-${map(Number(end))}`;
  });
}
