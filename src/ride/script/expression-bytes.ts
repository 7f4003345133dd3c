/**
 * Encoding of expressions and declarations. Both directions work with a stack instead of recursion: a script may nest
 * as deep as its size allows.
 * @source Waves: lang/v1/serialization/SerdeV1.scala, SerdeV2.scala
 */
import type { ByteReader } from "../../protocol/codec/byte-reader.ts";
import type { ByteWriter } from "../../protocol/codec/byte-writer.ts";
import { utf8Bytes, utf8TextWithReplacements } from "../../protocol/codec/utf8.ts";
import { ExecutionError } from "../execution-error.ts";
import { Text } from "../values/text.ts";
import { BigInteger, bytesValue, List, listValue, textValue, type Value } from "../values/value.ts";
import { type Declaration, declared, type Expression, type FunctionDeclaration, header, node } from "./expression.ts";
import { expressionText } from "./tree-text.ts";
import type { WireForm } from "./wire-form.ts";

/** @throws WireError */
export function readExpression(from: ByteReader, form: WireForm): Expression {
  const reader = new ExpressionReader(from, form);
  reader.readLater();
  reader.finish();
  return reader.pop();
}

/** @throws WireError */
export function readDeclaration(from: ByteReader, form: WireForm): Declaration {
  const reader = new ExpressionReader(from, form);
  const declare = reader.beginDeclaration();
  reader.readLater();
  reader.finish();
  return declare(reader.pop());
}

export function readText(from: ByteReader, form: WireForm): string {
  return utf8TextWithReplacements(form.readBytes(from));
}

/** Creates a declaration from its value or body. */
type Declare = (content: Expression) => Declaration;

/** Reader with a stack of tasks: the task that creates a node is pushed before the tasks that read its parts. */
class ExpressionReader {
  readonly #from: ByteReader;
  readonly #form: WireForm;
  readonly #toDo: (() => void)[] = [];
  /** Expressions that are read and not yet part of others. */
  readonly #read: Expression[] = [];
  readonly #readNext = (): void => this.#readNode();

  constructor(from: ByteReader, form: WireForm) {
    this.#from = from;
    this.#form = form;
  }

  finish(): void {
    for (let next = this.#toDo.pop(); next !== undefined; next = this.#toDo.pop()) next();
  }

  readLater(): void {
    this.#toDo.push(this.#readNext);
  }

  /** Removes the last expression. */
  pop(): Expression {
    return this.#read.pop() as Expression;
  }

  /** Reads the head of a declaration, before its value or body. */
  beginDeclaration(): Declare {
    const from = this.#from;
    const kind = from.u8();
    if (kind === declared.let) {
      const name = readText(from, this.#form);
      return (value) => ({ kind: "let", name, value });
    }
    if (kind !== declared.function) from.fail(unknownKind(kind), from.offset - 1);
    const name = readText(from, this.#form);
    const count = this.#form.readParameterCount(from);
    const parameters: string[] = [];
    for (let index = 0; index < count; index++) parameters.push(readText(from, this.#form));
    return (body) => ({ kind: "function", name, parameters, body });
  }

  #readNode(): void {
    const from = this.#from;
    const kind = from.u8();
    switch (kind) {
      case node.long:
        this.#push({ kind: "constant", value: this.#form.readLong(from) });
        return;
      case node.bytes:
        this.#pushConstant(() => bytesValue(this.#form.readBytes(from)));
        return;
      case node.text:
        this.#pushConstant(() => textValue(readText(from, this.#form)));
        return;
      case node.true:
      case node.false:
        this.#push({ kind: "constant", value: kind === node.true });
        return;
      case node.reference:
        this.#push({ kind: "reference", name: readText(from, this.#form) });
        return;
      case node.if:
        this.#readIf();
        return;
      case node.letBlock: {
        const name = readText(from, this.#form);
        this.#readBlock((value) => ({ kind: "let", name, value }), true);
        return;
      }
      case node.block:
        this.#readBlock(this.beginDeclaration(), false);
        return;
      case node.getter:
        this.#toDo.push(() => this.#push({ kind: "getter", object: this.pop(), field: readText(from, this.#form) }));
        this.readLater();
        return;
      case node.call:
        this.#readCall();
        return;
      case node.list:
        this.#readList();
        return;
      default:
        from.fail(unknownKind(kind), from.offset - 1);
    }
  }

  #readIf(): void {
    this.#toDo.push(() => {
      const ifFalse = this.pop();
      const ifTrue = this.pop();
      this.#push({ kind: "if", condition: this.pop(), ifTrue, ifFalse });
    });
    for (let part = 0; part < 3; part++) this.readLater();
  }

  #readBlock(declare: Declare, isLetBlock: boolean): void {
    this.#toDo.push(() => {
      const body = this.pop();
      this.#push({ kind: "block", declaration: declare(this.pop()), body, isLetBlock });
    });
    this.readLater();
    this.readLater();
  }

  #readCall(): void {
    const from = this.#from;
    const headerKind = from.u8();
    if (headerKind !== header.native && headerKind !== header.user) {
      from.fail(`Unknown function header type: ${signed(headerKind)}`, from.offset - 1);
    }
    const called = headerKind === header.native ? this.#form.readFunctionId(from) : readText(from, this.#form);
    this.#readSeveral(this.#form.readArgumentCount(from), (args) =>
      this.#push({ kind: "call", function: called, args }),
    );
  }

  #readList(): void {
    const values: Value[] = [];
    this.#readSeveral(
      this.#form.readItemCount(this.#from),
      () => this.#pushConstant(() => listValue(values, { isLimited: false })),
      (item) => values.push(this.#constantOf(item)),
    );
  }

  /** @param inspect called with each part as soon as it is read */
  #readSeveral(
    count: number,
    make: (parts: readonly Expression[]) => void,
    inspect: (part: Expression) => void = () => {},
  ): void {
    const first = this.#read.length;
    // One step at a time: a count that exceeds the bytes costs nothing.
    const step = (): void => {
      if (this.#read.length > first) inspect(this.#read.at(-1) as Expression);
      if (this.#read.length - first >= count) {
        make(this.#read.splice(first));
        return;
      }
      this.#toDo.push(step);
      this.readLater();
    };
    step();
  }

  #push(expression: Expression): void {
    this.#read.push(expression);
  }

  #pushConstant(make: () => Value): void {
    try {
      this.#push({ kind: "constant", value: make() });
    } catch (error) {
      if (error instanceof ExecutionError) this.#from.fail(`${error.kind}(${error.message})`);
      throw error;
    }
  }

  #constantOf(item: Expression): Value {
    return item.kind === "constant"
      ? item.value
      : this.#from.fail(`Unsupported array element: ${expressionText(item)}`);
  }
}

function unknownKind(kind: number): string {
  return `${signed(kind)} (of class java.lang.Byte)`;
}

/** Signed form: the reference's bytes are signed. */
function signed(byte: number): number {
  return (byte << 24) >> 24;
}

/** @throws ExecutionError for a constant without an encoding: an object, a BigInt */
export function writeExpression(expression: Expression, to: ByteWriter, form: WireForm): void {
  write([{ expression }], to, form);
}

export function writeDeclaration(declaration: Declaration, to: ByteWriter, form: WireForm): void {
  write([{ declaration }], to, form);
}

export function writeText(text: string, to: ByteWriter, form: WireForm): void {
  form.writeBytes(utf8Bytes(text), to);
}

type WriteItem =
  | { readonly expression: Expression }
  | { readonly declaration: Declaration }
  | { readonly field: string };

function write(toDo: WriteItem[], to: ByteWriter, form: WireForm): void {
  for (let item = toDo.pop(); item !== undefined; item = toDo.pop()) {
    if ("expression" in item) toDo.push(...writeNode(item.expression, to, form).toReversed());
    else if ("declaration" in item) toDo.push(writeDeclarationHead(item.declaration, to, form));
    else writeText(item.field, to, form);
  }
}

function writeDeclarationHead(declaration: Declaration, to: ByteWriter, form: WireForm): WriteItem {
  if (declaration.kind === "let") {
    to.u8(declared.let);
    writeText(declaration.name, to, form);
    return { expression: declaration.value };
  }
  to.u8(declared.function);
  writeText(declaration.name, to, form);
  form.writeArgumentCount(declaration.parameters.length, to);
  for (const parameter of declaration.parameters) writeText(parameter, to, form);
  return { expression: declaration.body };
}

/** Writes the head of a node. @returns its parts */
function writeNode(expression: Expression, to: ByteWriter, form: WireForm): readonly WriteItem[] {
  switch (expression.kind) {
    case "constant":
      return writeConstant(expression.value, to, form);
    case "reference":
      to.u8(node.reference);
      writeText(expression.name, to, form);
      return [];
    case "getter":
      to.u8(node.getter);
      return [{ expression: expression.object }, { field: expression.field }];
    case "if":
      to.u8(node.if);
      return [
        { expression: expression.condition },
        { expression: expression.ifTrue },
        { expression: expression.ifFalse },
      ];
    case "block": {
      const { declaration, body } = expression;
      if (expression.isLetBlock && declaration.kind === "let") {
        to.u8(node.letBlock);
        writeText(declaration.name, to, form);
        return [{ expression: declaration.value }, { expression: body }];
      }
      to.u8(node.block);
      return [{ declaration }, { expression: body }];
    }
    case "call":
      to.u8(node.call);
      if (typeof expression.function === "number") {
        to.u8(header.native);
        form.writeFunctionId(expression.function, to);
      } else {
        to.u8(header.user);
        writeText(expression.function, to, form);
      }
      form.writeArgumentCount(expression.args.length, to);
      return expression.args.map((argument) => ({ expression: argument }));
  }
}

function writeConstant(value: Value, to: ByteWriter, form: WireForm): readonly WriteItem[] {
  if (typeof value === "bigint") {
    to.u8(node.long);
    form.writeLong(value, to);
  } else if (typeof value === "boolean") {
    to.u8(value ? node.true : node.false);
  } else if (value instanceof Uint8Array) {
    to.u8(node.bytes);
    form.writeBytes(value, to);
  } else if (value instanceof Text) {
    to.u8(node.text);
    writeText(value.text, to, form);
  } else if (value instanceof List) {
    to.u8(node.list);
    form.writeCount(value.items.length, to);
    return value.items.map((item) => ({ expression: { kind: "constant", value: item } }));
  } else {
    const content = value instanceof BigInteger ? value.integer : value.type;
    throw new ExecutionError(`Serialization of value ${content} is unsupported`);
  }
  return [];
}

/** Reads a declaration that must be a function. @throws WireError */
export function readFunction(from: ByteReader, form: WireForm): FunctionDeclaration {
  const at = from.offset;
  const kind = from.peek();
  const isRefusedFirst = form.checksKindFirst && kind !== declared.function;
  const declaration = isRefusedFirst ? undefined : readDeclaration(from, form);
  if (declaration?.kind === "function") return declaration;
  return from.fail(`At position ${at} invalid type ${signed(kind)} for function`, at);
}
