/**
 * Text of a script's tree in the format of the reference's classes: `scriptText` in responses.
 * @source Waves: lang/v1/compiler/Terms.scala (toStr), lang/contract/DApp.scala; ScalaPB and protobuf-java for the meta
 */
import { valueText } from "../values/value-text.ts";
import type { DAppMeta } from "./dapp-meta.ts";
import type { AnnotatedFunction, DApp, Declaration, Expression, Script } from "./expression.ts";

const maxPrintedBytes = 50;
const noUnknownFields = "UnknownFieldSet(Map())";
const escapes: ReadonlyMap<number, string> = new Map([
  [0x07, "\\a"],
  [0x08, "\\b"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0b, "\\v"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
  [0x22, '\\"'],
  [0x27, "\\'"],
  [0x5c, "\\\\"],
]);

export function treeText(script: Script): string {
  return script.content === "dApp" ? dAppText(script.dApp) : expressionText(script.expression);
}

function dAppText({ meta, declarations, callables, verifier }: DApp): string {
  const callableTexts = callables.map((callable) => annotatedText("Callable", callable));
  const verifierText = verifier === undefined ? "None" : `Some(${annotatedText("Verifier", verifier)})`;
  const declarationTexts = declarations.map((declaration) => textOfItems([declaration]));
  return `DApp(${metaText(meta)},${listText(declarationTexts)},${listText(callableTexts)},${verifierText})`;
}

function annotatedText(kind: "Callable" | "Verifier", { argument, function: declaration }: AnnotatedFunction): string {
  return `${kind}Function(${kind}Annotation(${argument}),${textOfItems([declaration])})`;
}

function metaText({ version, functions, compactNames, originalNames }: DAppMeta): string {
  const signatures = functions.map(({ types }) => `CallableFuncSignature(${byteStringText(types)},${noUnknownFields})`);
  const pairs = compactNames.map(
    ({ compactName, originalName }) =>
      `CompactNameAndOriginalNamePair(${compactName},${originalName},${noUnknownFields})`,
  );
  const lists = [signatures, pairs, originalNames].map((texts) => `Vector(${texts.join(", ")})`);
  return `DAppMeta(${version},${lists.join(",")},${noUnknownFields})`;
}

/** Text of a byte string. The reference prints the object's identity in memory, which has no meaning; here it is 0. */
function byteStringText(bytes: Uint8Array): string {
  const isComplete = bytes.length <= maxPrintedBytes;
  const visible = isComplete ? bytes : bytes.subarray(0, maxPrintedBytes - 3);
  const text = Array.from(visible, escapedByte).join("");
  return `<ByteString@0 size=${bytes.length} contents="${text}${isComplete ? "" : "..."}">`;
}

function escapedByte(byte: number): string {
  const escaped = escapes.get(byte);
  if (escaped !== undefined) return escaped;
  return byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
}

function listText(texts: readonly string[]): string {
  return `List(${texts.join(", ")})`;
}

export function expressionText(expression: Expression): string {
  return textOfItems([expression]);
}

type TextItem = string | Expression | Declaration;

/** Text of items, with a stack instead of recursion: a script may nest as deep as its size allows. */
function textOfItems(items: readonly TextItem[]): string {
  const texts: string[] = [];
  const stack = items.toReversed();
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item === "string") texts.push(item);
    else for (const part of partsOf(item).toReversed()) stack.push(part);
  }
  return texts.join("");
}

function partsOf(expression: Expression | Declaration): readonly TextItem[] {
  switch (expression.kind) {
    case "constant":
      return [valueText(expression.value)];
    case "reference":
      return [`REF(${expression.name})`];
    case "getter":
      return ["GETTER(", expression.object, `,${expression.field})`];
    case "if":
      return ["IF(", expression.condition, ",", expression.ifTrue, ",", expression.ifFalse, ")"];
    case "block":
      return [expression.isLetBlock ? "LET_BLOCK(" : "BLOCK(", expression.declaration, ",", expression.body, ")"];
    case "call": {
      const header =
        typeof expression.function === "number" ? `Native(${expression.function})` : `User(${expression.function})`;
      const args = expression.args.flatMap((argument, index) => (index === 0 ? [argument] : [", ", argument]));
      return [`FUNCTION_CALL(${header},List(`, ...args, "))"];
    }
    case "let":
      return [`LET(${expression.name},`, expression.value, ")"];
    case "function":
      return [`FUNC(${expression.name},${listText(expression.parameters)},`, expression.body, ")"];
  }
}
