/**
 * Decompilation of a script, as exact as its tree allows: types of parameters are lost.
 * @source Waves: lang/v1/compiler/Decompiler.scala, lang/script/Script.scala (decompile)
 */
import { encodeBase64 } from "../../crypto/base64.ts";
import { runSteps, type Steps } from "../estimator/stepwise.ts";
import type { Call, DApp, Declaration, Expression, LetDeclaration, Script } from "../script/expression.ts";
import { Text } from "../values/text.ts";
import type { Value } from "../values/value.ts";
import { bytesText, valueText } from "../values/value-text.ts";
import { type FunctionNames, functionNamesOf } from "./function-names.ts";
import { restoreNames } from "./restore-names.ts";

const indentSpaces = 4;
/** Every nested line is indented: the source of a deep script is quadratic in its depth. */
const MAX_INDENT_CHARACTERS = 4 * 1024 * 1024;
const base58UpToBytes = 128;
const nativeIds = { isInstance: 1, getElement: 401, cons: 1100 } as const;
const matchName = /^\$match\d*$/;
/** Functions that extract a value: `@extrNative(1050)` is that function's name with `Value` appended. */
const extractedFunction = /@extr(\w+)\((.+)\)/;

export interface Decompiled {
  /** With the directives at the start. */
  readonly source: string;
  /** In the order of the directives. */
  readonly directives: Readonly<Record<string, string | number>>;
}

/** The source exceeds the size limit. */
export class SourceTooLarge extends Error {
  override readonly name = "SourceTooLarge";
}

/** @throws SourceTooLarge */
export function decompile(script: Script): Decompiled {
  const writer = new SourceWriter(functionNamesOf(script));
  const { libraryVersion } = script;
  const isDApp = script.content === "dApp";
  const directives: Record<string, string | number> = {
    STDLIB_VERSION: libraryVersion,
    ...(isDApp && { SCRIPT_TYPE: "ACCOUNT" }),
    CONTENT_TYPE: isDApp ? "DAPP" : "EXPRESSION",
  };
  const head = Object.entries(directives).map(([name, value]) => `{-# ${name} ${value} #-}\n`);
  const code = script.content === "dApp" ? writer.dApp(restoreNames(script.dApp)) : writer.whole(script.expression);
  return { source: head.join("") + code, directives };
}

/** Layout context of an expression. */
interface LayoutContext {
  /** Depth of indentation. */
  readonly indent: number;
  /** Whether declarations are put into braces. */
  readonly hasBraces: boolean;
  /** Whether its first line begins a line. */
  readonly startsLine: boolean;
}

class SourceWriter {
  readonly #names: FunctionNames;
  #indentCharacters = 0;

  constructor(names: FunctionNames) {
    this.#names = names;
  }

  whole(expression: Expression): string {
    return runSteps(this.#expression(expression, { indent: 0, hasBraces: false, startsLine: true }));
  }

  dApp({ declarations, callables, verifier }: DApp): string {
    const own = declarations.map((declaration) => this.#topLevel(declaration));
    const open = callables.map(
      ({ argument, function: declaration }) => `\n@Callable(${argument})\n${this.#topLevel(declaration)}`,
    );
    const check = verifier && `\n@Verifier(${verifier.argument})\n${this.#topLevel(verifier.function)}`;
    return `${own.join("\n\n")}\n${open.join("\n\n")}\n${check ?? ""}`;
  }

  #topLevel(declaration: Declaration): string {
    return runSteps(this.#declaration(declaration, 0));
  }

  *#declaration(declaration: Declaration, indent: number): Steps<string> {
    const { name } = declaration;
    const content: string = yield this.#inline(
      declaration.kind === "let" ? declaration.value : declaration.body,
      indent,
    );
    if (declaration.kind === "let") return this.#indented(`let ${name} = ${content}`, indent);
    const head = this.#indented(`func ${name} (${declaration.parameters.join(",")}) = `, indent);
    return head + this.#indented(`${content}\n`, indent);
  }

  /** Writes an expression after other text on the line. */
  #inline(expression: Expression, indent: number): Steps<string> {
    return this.#expression(expression, { indent, hasBraces: true, startsLine: false });
  }

  *#expression(expression: Expression, layout: LayoutContext): Steps<string> {
    const { indent, startsLine } = layout;
    const first = startsLine ? indent : 0;
    switch (expression.kind) {
      case "constant":
        return this.#indented(constantText(expression.value), first);
      case "reference":
        return this.#indented(expression.name, first);
      case "getter": {
        const object: string = yield this.#expression(expression.object, { indent, hasBraces: false, startsLine });
        return `${bracketed(object, needsBrackets(expression.object))}.${expression.field}`;
      }
      case "if": {
        const condition: string = yield this.#inline(expression.condition, indent);
        const ifTrue: string = yield this.#inline(expression.ifTrue, indent + 1);
        const ifFalse: string = yield this.#inline(expression.ifFalse, indent + 1);
        return (
          this.#indented(`if (${condition})\n`, first) +
          this.#indented(`then ${ifTrue}\n`, indent + 1) +
          this.#indented(`else ${ifFalse}`, indent + 1)
        );
      }
      case "block": {
        const { declaration, body } = expression;
        return declaration.kind === "let" && matchName.test(declaration.name)
          ? yield this.#match(declaration, body, indent)
          : yield this.#block(declaration, body, layout);
      }
      case "call":
        return yield this.#call(expression, indent, first);
    }
  }

  *#block(declaration: Declaration, body: Expression, { indent, hasBraces }: LayoutContext): Steps<string> {
    const inner = hasBraces ? indent + 1 : indent;
    const declared: string = yield this.#declaration(declaration, inner);
    const rest: string = yield this.#expression(body, { indent: inner, hasBraces: false, startsLine: true });
    return hasBraces ? `{\n${declared}\n${rest}\n${this.#indented("}", indent + 1)}` : `${declared}\n${rest}`;
  }

  *#match({ name, value }: LetDeclaration, body: Expression, indent: number): Steps<string> {
    let cases = "";
    for (let rest: Expression | undefined = body; rest !== undefined; ) {
      const found: Case = caseOf(rest, name);
      const text: string = yield this.#expression(found.body, {
        indent: indent + 2,
        hasBraces: false,
        startsLine: true,
      });
      cases += this.#indented(`case ${found.pattern} => \n${text}\n`, indent + 1);
      rest = found.rest;
    }
    const matched: string = yield this.#expression(value, {
      indent: indent + 1,
      hasBraces: false,
      startsLine: false,
    });
    return this.#indented(`match ${matched} {\n`, indent) + cases + this.#indented("}", indent);
  }

  *#call(call: Call, indent: number, first: number): Steps<string> {
    const { function: called, args } = call;
    if (called === nativeIds.cons) return yield this.#list(args, indent);
    const texts: string[] = [];
    for (const argument of args) texts.push(yield this.#inline(argument, indent));
    const [left = "", right = ""] = texts;
    if (called === nativeIds.getElement && args.length === 2) {
      return `${bracketed(left, needsBrackets(args[0]))}[${right}]`;
    }
    const operator = typeof called === "number" ? this.#names.operators.get(called) : undefined;
    if (operator !== undefined && args.length === 2) {
      const [leftText, rightText] = [bracketed(left, isChoice(args[0])), bracketed(right, isChoice(args[1]))];
      return this.#indented(`(${leftText} ${operator} ${rightText})`, first);
    }
    if (called === "!=") return this.#indented(`(${left} != ${right})`, first);
    return this.#indented(`${this.#functionName(called)}(${texts.join(", ")})`, first);
  }

  /** Writes elements that are prepended to a list one by one. */
  *#list(args: readonly Expression[], indent: number): Steps<string> {
    const elements = consed(args);
    const last = elements.at(-1);
    const tail = last?.kind === "reference" ? last.name : undefined;
    const printed = tail === undefined ? elements : elements.slice(0, -1);
    const texts: string[] = [];
    for (const element of printed) texts.push(yield this.#inline(element, indent));
    const list = `[${texts.join(", ")}]`;
    if (tail === undefined || tail === "nil") return list;
    return `${texts.length === 1 ? texts[0] : list} :: ${tail}`;
  }

  #functionName(called: number | string): string {
    if (typeof called === "number") return this.#nativeName(called);
    const [, kind, name = ""] = extractedFunction.exec(called) ?? [];
    if (kind === "User") return `${name}Value`;
    if (kind === "Native" && isShort(name)) return `${this.#nativeName(Number(name))}Value`;
    return called;
  }

  #nativeName(id: number): string {
    return this.#names.natives.get(id) ?? `Native<${id}>`;
  }

  #indented(text: string, indent: number): string {
    this.#indentCharacters += indentSpaces * indent;
    if (this.#indentCharacters > MAX_INDENT_CHARACTERS) throw new SourceTooLarge("the script nests too deep");
    return " ".repeat(indentSpaces * indent) + text;
  }
}

interface Case {
  readonly pattern: string;
  readonly body: Expression;
  /** Remaining cases. */
  readonly rest: Expression | undefined;
}

/** First case of a match over the named value. */
function caseOf(expression: Expression, matched: string): Case {
  if (expression.kind === "if") {
    const types = testedTypes(expression.condition, matched);
    if (types === undefined) return { pattern: "_", body: expression, rest: undefined };
    const bound = boundName(expression.ifTrue, matched);
    const pattern = `${bound?.name ?? "_"}: ${types.join("|")}`;
    return { pattern, body: bound?.body ?? expression.ifTrue, rest: expression.ifFalse };
  }
  const bound = boundName(expression, matched);
  return { pattern: bound?.name ?? "_", body: bound?.body ?? expression, rest: undefined };
}

/** Declaration that gives the matched value a name. */
function boundName(expression: Expression, matched: string) {
  if (expression.kind !== "block" || expression.declaration.kind !== "let") return undefined;
  const { name, value } = expression.declaration;
  const isMatched = value.kind === "reference" && value.name === matched;
  return isMatched ? { name, body: expression.body } : undefined;
}

/** Types that the condition tests the matched value for. */
function testedTypes(condition: Expression, matched: string): readonly string[] | undefined {
  const types: string[] = [];
  for (let rest = condition; ; ) {
    if (rest.kind === "call") {
      const type = testedType(rest, matched);
      return type === undefined ? undefined : [...types, type];
    }
    if (rest.kind !== "if" || rest.ifTrue.kind !== "constant" || rest.ifTrue.value !== true) return undefined;
    const type = testedType(rest.condition, matched);
    if (type === undefined) return undefined;
    types.push(type);
    rest = rest.ifFalse;
  }
}

function testedType(expression: Expression, matched: string): string | undefined {
  if (expression.kind !== "call" || expression.function !== nativeIds.isInstance) return undefined;
  const [object, type, ...others] = expression.args;
  if (others.length > 0 || object?.kind !== "reference" || object.name !== matched) return undefined;
  return type?.kind === "constant" && type.value instanceof Text ? type.value.text : undefined;
}

/** Arguments of `cons`, with nested calls of `cons` as second argument flattened. */
function consed(args: readonly Expression[]): readonly Expression[] {
  const elements: Expression[] = [];
  for (let rest = args; ; ) {
    const [first, second] = rest;
    const isNested = rest.length === 2 && second?.kind === "call" && second.function === nativeIds.cons;
    if (!isNested) return [...elements, ...rest];
    elements.push(first as Expression);
    rest = second.args;
  }
}

function constantText(value: Value): string {
  if (value instanceof Text) return `"${value.text.replace(/[\\"]/g, "\\$&")}"`;
  if (value instanceof Uint8Array) {
    return value.length <= base58UpToBytes ? `base58'${bytesText(value)}'` : `base64'${encodeBase64(value)}'`;
  }
  return valueText(value);
}

function isChoice(expression: Expression | undefined): boolean {
  return expression?.kind === "if";
}

function needsBrackets(expression: Expression | undefined): boolean {
  return expression?.kind === "if" || expression?.kind === "block";
}

function bracketed(text: string, hasBrackets: boolean): string {
  return hasBrackets ? `(${text})` : text;
}

function isShort(digits: string): boolean {
  return /^[+-]?\d{1,5}$/.test(digits) && Number(digits) >= -32_768 && Number(digits) <= 32_767;
}
