/**
 * A script's tree as the reference's own classes print it: the `scriptText` of several answers.
 * @source Waves: lang/v1/compiler/Terms.scala (toStr), lang/contract/DApp.scala; ScalaPB and protobuf-java for the meta
 */
import { valueText } from "../values/value-text.ts";
import type { DAppMeta } from "./dapp-meta.ts";
import type { AnnotatedFunction, DApp, Declaration, Expression, Script } from "./expression.ts";

const shownBytes = 50;
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
  const declarationTexts = declarations.map((declaration) => joined([declaration]));
  return `DApp(${metaText(meta)},${listText(declarationTexts)},${listText(callableTexts)},${verifierText})`;
}

function annotatedText(kind: "Callable" | "Verifier", { argument, function: declaration }: AnnotatedFunction): string {
  return `${kind}Function(${kind}Annotation(${argument}),${joined([declaration])})`;
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

/** The reference prints the identity of the object in memory, which tells nothing. */
function byteStringText(bytes: Uint8Array): string {
  const isWhole = bytes.length <= shownBytes;
  const shown = isWhole ? bytes : bytes.subarray(0, shownBytes - 3);
  const text = Array.from(shown, escapedByte).join("");
  return `<ByteString@0 size=${bytes.length} contents="${text}${isWhole ? "" : "..."}">`;
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
  return joined([expression]);
}

type Piece = string | Expression | Declaration;

/** Walks with a list of things to do: a script may nest as deep as its size allows. */
function joined(pieces: readonly Piece[]): string {
  const texts: string[] = [];
  const toDo = pieces.toReversed();
  for (let piece = toDo.pop(); piece !== undefined; piece = toDo.pop()) {
    if (typeof piece === "string") texts.push(piece);
    else for (const part of partsOf(piece).toReversed()) toDo.push(part);
  }
  return texts.join("");
}

function partsOf(piece: Expression | Declaration): readonly Piece[] {
  switch (piece.kind) {
    case "constant":
      return [valueText(piece.value)];
    case "reference":
      return [`REF(${piece.name})`];
    case "getter":
      return ["GETTER(", piece.object, `,${piece.field})`];
    case "if":
      return ["IF(", piece.condition, ",", piece.ifTrue, ",", piece.ifFalse, ")"];
    case "block":
      return [piece.isLetBlock ? "LET_BLOCK(" : "BLOCK(", piece.declaration, ",", piece.body, ")"];
    case "call": {
      const header = typeof piece.function === "number" ? `Native(${piece.function})` : `User(${piece.function})`;
      const args = piece.args.flatMap((argument, index) => (index === 0 ? [argument] : [", ", argument]));
      return [`FUNCTION_CALL(${header},List(`, ...args, "))"];
    }
    case "let":
      return [`LET(${piece.name},`, piece.value, ")"];
    case "function":
      return [`FUNC(${piece.name},${listText(piece.parameters)},`, piece.body, ")"];
  }
}
