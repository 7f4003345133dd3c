/**
 * Expressions that clients want evaluated at a dApp. They may name what the dApp declares, of which the compiler knows
 * nothing: a function that is not in the library takes anything and gives anything, a name that is not may stand for
 * anything. So such names are declared before the expression, and left out again of what comes of it.
 * @source Waves: api/http/utils/UtilsEvaluationRequest.scala (parseCall), lang/v1/compiler/CompilerContext.scala
 *   (arbitraryDeclarations)
 */
import type { RideLang } from "@waves/ride-lang";
import { runSteps, type Steps } from "../estimator/stepwise.ts";
import { libraryOf } from "../functions/library.ts";
import type { Expression } from "../script/expression.ts";
import { parseScript } from "../script/script-bytes.ts";
import { CompilationError, NumberOutOfRange } from "./compile.ts";
import { quickestEstimator } from "./declaration-work.ts";
import { asInNode } from "./literal-texts.ts";
import { loadCompiler } from "./load-compiler.ts";
import { withOwnPositions } from "./own-positions.ts";
import { MAX_QUESTION_TOKENS, questionAttempts, refuseLongSources, SourceTooLong } from "./source-bound.ts";

/** No source can hold it by chance. */
const resultName = "evaluatedExpression7a1f";
const anythingName = "anything7a1f";

/**
 * The tree of an expression.
 * @param written directives at its start say nothing
 * @param libraryVersion of the dApp, from 3 on
 * @throws CompilationError in the compiler's words, with positions in the source; SourceTooLong
 */
export async function compileExpression(written: string, libraryVersion: number): Promise<Expression> {
  const source = withoutDirectives(written);
  const tokens = refuseLongSources([source], MAX_QUESTION_TOKENS);
  // Each attempt declares the names that the one before did not know.
  const maxAttempts = questionAttempts(tokens);
  const compiler = await loadCompiler();
  const declarations = new Map<string, string>();
  let current = source;
  let version = libraryVersion;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { head, whole } = wrapped(current, version, [...declarations.values()]);
    const outcome = askLarge(compiler, whole);
    if (outcome.result !== undefined) {
      const expression = withOwnPositions(expressionIn(new Uint8Array(outcome.result)), head.length);
      return withOwnNames(expression, version === libraryVersion ? undefined : tupleName);
    }
    const { error } = outcome;
    if (version < tuplesSince && unknownTuple.test(error)) {
      version = tuplesSince;
      continue;
    }
    const ownCalls = callsOfOwnNames(error, { source: current, offset: head.length, libraryVersion: version });
    const unknown = unknownNames(error, whole).filter(
      ([name]) => !declarations.has(name) && !declares(current, name) && !isInternal(name, version),
    );
    if (ownCalls.length === 0 && unknown.length === 0) {
      throw complaint(compiler, { source, current, libraryVersion: version, head, error });
    }
    current = withOtherNames(current, ownCalls);
    for (const [name, declaration] of unknown) declarations.set(name, declaration);
  }
  throw new CompilationError("Compilation failed: too many unknown names");
}

/**
 * The source with blanks in place of the directives at its start, so that places stay what they are: the reference passes over
 * them, and compiles for the dApp's version all the same.
 * @source Waves: lang/v1/parser/Parser.scala (unusedText)
 */
function withoutDirectives(source: string): string {
  let head = "";
  for (;;) {
    const at = head.length;
    skipped.lastIndex = at;
    const before = skipped.exec(source)?.[0] ?? "";
    directive.lastIndex = at + before.length;
    const found = directive.exec(source)?.[0];
    if (found === undefined) return head + source.slice(at);
    head += before + " ".repeat(found.length);
  }
}

/** White space and comments. */
const skipped = /(?:[ \t\r\n]+|#[^\n]*)*/y;
const directive = /\{-#[^#]*#-\}/y;

/** The library has tuples from here on; their syntax is older, and stands for calls that no name in a source can make. */
const tuplesSince = 4;
const unknownTuple = /Can't find a function '\$Tuple\d+'/;
const tupleIds = { first: 1300, firstSize: 2, last: 1320 };

function tupleName(id: number): string | undefined {
  const { first, firstSize, last } = tupleIds;
  return id >= first && id <= last ? `$Tuple${id - first + firstSize}` : undefined;
}

/**
 * A function that calls itself calls a name that is not known yet where it is called: one of the dApp's, if it has it. The
 * call gets another name, so that what stands for it can be declared.
 */
const ownSuffix = "_own7a1f";

/** Places behind the names of calls that the source, or the library, declares for others. */
function callsOfOwnNames(
  error: string,
  { source, offset, libraryVersion }: { source: string; offset: number; libraryVersion: number },
): readonly number[] {
  return [...error.matchAll(unknownFunction)].flatMap(([, name = "", , start = "0"]) => {
    if (!declares(source, name) && !isInternal(name, libraryVersion)) return [];
    const call = new RegExp(`(?<!\\bfunc\\s+)\\b${escaped(name)}(?=\\s*\\()`, "g");
    call.lastIndex = Math.max(0, Number(start) - offset);
    const found = call.exec(source);
    return found === null ? [] : [found.index + name.length];
  });
}

/** A name that a function of the library has in bytes: sources cannot declare it. */
function isInternal(name: string, libraryVersion: number): boolean {
  return libraryOf({ libraryVersion, content: "expression", guards: "account" }).has(name);
}

function declares(source: string, name: string): boolean {
  return new RegExp(`\\bfunc\\s+${escaped(name)}\\b`).test(source);
}

function escaped(name: string): string {
  return name.replace(/[^\w]/g, "\\$&");
}

function withOtherNames(source: string, ends: readonly number[]): string {
  return [...new Set(ends)]
    .sort((left, right) => right - left)
    .reduce((text, end) => text.slice(0, end) + ownSuffix + text.slice(end), source);
}

/** @param nameOf what a function of the library was called by; undefined: as it is */
function withOwnNames(expression: Expression, nameOf: ((id: number) => string | undefined) | undefined): Expression {
  return runSteps(ownNames(expression, nameOf));
}

/** In steps: expressions nest deeper than calls may. */
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

/** Deep sources take the compiler's stack. @throws CompilationError, SourceTooLong */
function ask(compiler: RideLang, source: string) {
  try {
    // Nobody asks for the complexity.
    const outcome = compiler.compile(source, quickestEstimator([source]), false, false, {});
    // What comes with a result is said of the script, which nobody wants to have.
    return outcome.result === undefined ? { error: outcome.error } : { result: outcome.result };
  } catch (cause) {
    if (cause instanceof SourceTooLong) throw cause;
    throw (
      NumberOutOfRange.of(cause) ??
      new CompilationError(`The compiler cannot take this source: ${String(cause)}`, { cause })
    );
  }
}

const tooLarge = /^Script is too large/;

/** What nobody sets as a script may be larger than one: then it is compiled as a declaration of a dApp, which has more room. */
function askLarge(compiler: RideLang, whole: string) {
  const outcome = ask(compiler, whole);
  if (outcome.result !== undefined || !tooLarge.test(outcome.error)) return outcome;
  // Of the same length, so that places stay what they are.
  const asDApp = whole.replace("CONTENT_TYPE EXPRESSION", "CONTENT_TYPE DAPP      ").replace(/\ntrue$/, "\n");
  const larger = ask(compiler, asDApp);
  return larger.result === undefined ? outcome : larger;
}

const directives = (libraryVersion: number): string =>
  `{-# STDLIB_VERSION ${libraryVersion} #-}\n{-# CONTENT_TYPE EXPRESSION #-}\n{-# SCRIPT_TYPE ACCOUNT #-}\n`;

function wrapped(source: string, libraryVersion: number, declarations: readonly string[]) {
  const anything = `func ${anythingName}(a: Any) = a\n`;
  const head = `${directives(libraryVersion)}${anything}${declarations.join("")}let ${resultName} = {`;
  return { head, whole: `${head}${source}\n}\ntrue` };
}

/** The value of the declaration that holds the expression. */
function expressionIn(script: Uint8Array): Expression {
  const parsed = parseScript(script);
  if (parsed.content === "dApp") {
    const found = parsed.dApp.declarations.find(({ kind, name }) => kind === "let" && name === resultName);
    if (found?.kind === "let") return found.value;
    throw new Error("the compiled expression is not where it was put");
  }
  for (let node: Expression = parsed.expression; node.kind === "block"; node = node.body) {
    const { declaration } = node;
    if (declaration.kind === "let" && declaration.name === resultName) return declaration.value;
  }
  throw new Error("the compiled expression is not where it was put");
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
  return [...functions, ...foldings, ...names].filter(([name]) => source.includes(name));
}

/** Types in a list of them; a type may hold commas between brackets. */
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
  /** The source with other names for some calls. */
  readonly current: string;
  readonly libraryVersion: number;
  /** What stood before the source. */
  readonly head: string;
  readonly error: string;
}

/** What was said about the source, as if it had stood alone. */
function complaint(compiler: RideLang, { source, current, libraryVersion, head, error }: Complaint): CompilationError {
  const alone = directives(libraryVersion);
  const own = ask(compiler, alone + source);
  // What closes the source may move the place; but alone it lacks the names.
  const isOwn = own.result === undefined && unknownNames(own.error, source).length === 0;
  const message = isOwn
    ? shifted(own.error.replace(alone, ""), alone.length)
    : withOldPlaces(shifted(error, head.length), current);
  return new CompilationError(asInNode(message));
}

function shifted(message: string, by: number): string {
  return movedPlaces(message, (place) => Math.max(0, place - by));
}

/** Places in the source before calls had other names. */
function withOldPlaces(message: string, current: string): string {
  return movedPlaces(message, (place) => {
    const otherNames = current.slice(0, place).split(ownSuffix).length - 1;
    return place - otherNames * ownSuffix.length;
  });
}

function movedPlaces(message: string, place: (old: number) => number): string {
  return message.replace(/\bin (\d+)-(\d+)/g, (_, start: string, end: string) => {
    return `in ${place(Number(start))}-${place(Number(end))}`;
  });
}
