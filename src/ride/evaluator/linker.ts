/**
 * Linking of nodes: resolves names and calls in a library and in the scopes of the script.
 * @source Waves: lang/v1/evaluator/EvaluatorV2.scala (visitRef, findUserFunction, evaluateUserFunction)
 */
import { type ComposedFunction, complexityIn } from "../functions/function-definition.ts";
import { type Global, globalsOf } from "../functions/globals.ts";
import { type Library, type LibraryKind, libraryOf } from "../functions/library.ts";
import { VALUE_MESSAGE } from "../functions/operators.ts";
import { type ObjectType, objectTypesOf } from "../functions/types.ts";
import type { Call, Declaration, Expression } from "../script/expression.ts";
import { Code, Layout, op, type Scope, type Slot } from "./code.ts";
import { needsArguments, valueMessage } from "./value-message.ts";

/** Options that decide the meaning of a tree. */
export interface LinkOptions extends LibraryKind {
  readonly chainId: number;
  /** Whether functions see the names around their declaration; before a fix of the network, those around their call. */
  readonly hasLexicalScope: boolean;
}

/** Free name in the bodies of composed functions. */
const freeName = "unit";

export class Linker {
  readonly options: LinkOptions;
  readonly globals: ReadonlyMap<string, Global>;
  readonly #library: Library;
  readonly #objectTypes: ReadonlyMap<string, ObjectType>;
  /** Layouts of composed functions that do not depend on names of the script, by the number of arguments. */
  readonly #composedCalls = new Map<ComposedFunction, (Layout | undefined)[]>();

  constructor(options: LinkOptions) {
    this.options = options;
    this.globals = globalsOf(options);
    this.#library = libraryOf(options);
    this.#objectTypes = objectTypesOf(options);
  }

  /** Whether a call is one of a language function, whatever the script declares. */
  isInLibrary(called: string | number): boolean {
    return this.#library.has(called);
  }

  /** Fills in a pending node. Its children stay pending. */
  link(code: Code): void {
    const { expression, scope } = code;
    switch (expression.kind) {
      case "constant":
        code.setConstant(expression.value);
        return;
      case "reference":
        code.name = expression.name;
        this.#linkReference(code, expression.name);
        return;
      case "getter":
        code.name = expression.field;
        code.first = new Code(expression.object, scope);
        code.op = op.getter;
        return;
      case "if":
        code.first = new Code(expression.condition, scope);
        code.ifTrue = new Code(expression.ifTrue, scope);
        code.ifFalse = new Code(expression.ifFalse, scope);
        code.op = op.condition;
        return;
      case "block":
        code.layout = addDeclarations(new Layout(scope), expression);
        code.op = op.frame;
        return;
      case "call":
        code.args = code.preset ?? expression.args.map((argument) => new Code(argument, scope));
        this.#linkCall(code, expression);
    }
  }

  /** Layout of a call of the script's function: the given arguments, then the body's own declarations. */
  callLayout(slot: Slot, argumentCount: number, scope: Scope | undefined): Layout {
    const known = slot.calls[argumentCount];
    if (known !== undefined) return known;
    const { parameters = [], body } = slot.declaration ?? {};
    const layout = functionLayout(parameters, argumentCount, body as Expression, scope);
    slot.calls[argumentCount] = layout;
    return layout;
  }

  #linkReference(code: Code, name: string): void {
    const isKnown = this.globals.has(name);
    if (!this.options.hasLexicalScope) {
      code.op = op.searched;
      return;
    }
    let hops = 0;
    for (let scope = code.scope; scope !== undefined; scope = scope.layout.parent) {
      const index = scope.layout.findValue(name, scope.visible);
      if (index !== -1) {
        code.hops = hops;
        code.index = index;
        code.op = op.local;
        return;
      }
      hops++;
    }
    code.op = isKnown ? op.global : op.unknownName;
  }

  #linkCall(code: Code, call: Call): void {
    const definition = this.#library.get(call.function);
    code.name = definition?.name ?? String(call.function);
    if (definition !== undefined) code.cost = complexityIn(definition, this.options.libraryVersion);
    if (definition?.kind === "native") {
      code.native = definition;
      code.op = op.native;
    } else if (definition?.kind === "composed") {
      this.#linkComposed(code, call, definition);
    } else if (typeof call.function === "number") {
      code.op = op.unknownFunction;
    } else {
      this.#linkUserCall(code, call.function);
    }
  }

  #linkUserCall(code: Code, name: string): void {
    code.objectType = this.#objectTypes.get(name);
    if (!this.options.hasLexicalScope) {
      code.op = op.searchedUser;
      return;
    }
    let hops = 0;
    for (let scope = code.scope; scope !== undefined; scope = scope.layout.parent) {
      const index = scope.layout.findFunction(name, scope.visible);
      if (index !== -1) {
        code.hops = hops;
        code.index = index;
        // A function does not see itself.
        const around = { layout: scope.layout, visible: index };
        code.layout = this.callLayout(scope.layout.slots[index] as Slot, code.args.length, around);
        code.op = op.user;
        return;
      }
      hops++;
    }
    code.op = code.objectType === undefined ? op.unknownFunction : op.construct;
  }

  #linkComposed(code: Code, call: Call, definition: ComposedFunction): void {
    code.op = op.composed;
    code.composed = definition;
    code.seesCaller = !this.options.hasLexicalScope || isShadowed(code.scope);
    const { libraryVersion, chainId } = this.options;
    const make = (): Layout =>
      functionLayout(
        definition.parameterNames,
        call.args.length,
        definition.body({ libraryVersion, chainId }),
        code.seesCaller ? code.scope : undefined,
      );
    if (definition.internalName === "value") {
      code.layout = make();
      const [argument] = call.args;
      const [argumentCode] = code.args;
      if (argumentCode !== undefined) argumentCode.retainsArgs = needsArguments(argument);
      code.message = (args) => valueMessage(argument, args);
      linkMessage(code.layout.body as Code, code.message);
      return;
    }
    if (code.seesCaller) {
      code.layout = make();
      return;
    }
    const known = this.#composedCalls.get(definition) ?? [];
    this.#composedCalls.set(definition, known);
    known[call.args.length] ??= make();
    code.layout = known[call.args.length];
  }
}

/** Layout of top-level declarations; a string is the name of a parameter. */
export function layoutOf(declarations: readonly (Declaration | string)[]): Layout {
  const layout = new Layout(undefined);
  for (const declaration of declarations) {
    layout.add(typeof declaration === "string" ? parameterSlot(declaration) : slotOf(declaration, layout));
  }
  return layout;
}

function parameterSlot(name: string): Slot {
  return { name, code: undefined, declaration: undefined, calls: [] };
}

/** Whether the script redefines a name that composed functions use. */
function isShadowed(from: Scope | undefined): boolean {
  for (let scope = from; scope !== undefined; scope = scope.layout.parent) {
    if (scope.layout.findValue(freeName, scope.visible) !== -1) return true;
  }
  return false;
}

function functionLayout(
  parameters: readonly string[],
  argumentCount: number,
  body: Expression,
  scope: Scope | undefined,
): Layout {
  const layout = new Layout(scope);
  for (const name of parameters.slice(0, argumentCount)) {
    layout.add(parameterSlot(name));
  }
  return addDeclarations(layout, body);
}

/** Adds the leading declarations of an expression; the expression after them is the layout's body. */
function addDeclarations(layout: Layout, expression: Expression): Layout {
  let rest = expression;
  while (rest.kind === "block") {
    layout.add(slotOf(rest.declaration, layout));
    rest = rest.body;
  }
  layout.body = new Code(rest, { layout, visible: layout.slots.length });
  return layout;
}

function slotOf(declaration: Declaration, layout: Layout): Slot {
  const { name } = declaration;
  if (declaration.kind === "function") return { name, code: undefined, declaration, calls: [] };
  const scope = { layout, visible: layout.slots.length };
  return { name, code: new Code(declaration.value, scope), declaration: undefined, calls: [] };
}

/** Links the body of `value`: a choice whose first branch throws a text. */
function linkMessage(body: Code, message: NonNullable<Code["message"]>): void {
  const { expression, scope } = body;
  if (expression.kind !== "if" || expression.ifTrue.kind !== "call") return;
  const thrown = expression.ifTrue.args.findIndex(
    (argument) => argument.kind === "reference" && argument.name === VALUE_MESSAGE,
  );
  const text = new Code(expression.ifTrue.args[thrown] as Expression, scope);
  text.message = message;
  text.op = op.message;
  body.first = new Code(expression.condition, scope);
  body.ifFalse = new Code(expression.ifFalse, scope);
  body.ifTrue = new Code(expression.ifTrue, scope);
  body.ifTrue.preset = [text];
  body.op = op.condition;
}
