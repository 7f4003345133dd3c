/**
 * Encoding of whole scripts: header, expression or dApp, checksum.
 * @source Waves: lang/script/ScriptReader.scala, lang/contract/serialization/ContractSerDeV1.scala,
 *   ContractSerDeV2.scala
 */

import { secureHash } from "../../crypto/hash.ts";
import { ByteReader, readField } from "../../protocol/codec/byte-reader.ts";
import { type ByteWriter, writtenBytes } from "../../protocol/codec/byte-writer.ts";
import { decodeMessage, encodeMessage } from "../../protocol/codec/protobuf.ts";
import { utf8SizeBytes } from "../../protocol/codec/utf8.ts";
import { checkScript } from "../../protocol/transactions/script-header.ts";
import { dAppMeta } from "./dapp-meta.ts";
import type { AnnotatedFunction, DApp, Script } from "./expression.ts";
import {
  readDeclaration,
  readExpression,
  readFunction,
  readText,
  writeDeclaration,
  writeExpression,
  writeText,
} from "./expression-bytes.ts";
import { namedReason, type WireForm, wireFormOf } from "./wire-form.ts";

const checksumBytes = 4;
const contentByte = { expression: 1, dApp: 2 } as const;
const contentByteSince = 6;
export const MAX_DAPP_BYTES = 160 * 1024;
const maxCallableNameBytes = 255;
/** Maximum growth by encoding: a byte that is not UTF-8 becomes three. */
const maxGrowth = 3;

/**
 * Tree of a script.
 * @throws FormatError scriptUnreadable for a wrong header or checksum; WireError for wrong code
 */
export function parseScript(bytes: Uint8Array): Script {
  const { content, libraryVersion, codeOffset } = checkScript(bytes);
  const form = wireFormOf(libraryVersion);
  return readField("script", () => {
    // Positions count from the start of the code.
    const code = bytes.subarray(codeOffset, Math.max(bytes.length - checksumBytes, codeOffset));
    const from = new ByteReader(code, 0, code.length, form.endReason);
    if (content === "dApp") {
      // Bytes after the verifier are ignored.
      const script: Script = { content, libraryVersion, dApp: readDApp(from, form) };
      checkWrittenSize(script, bytes.length, from);
      return script;
    }
    const expression = readExpression(from, form);
    if (from.remaining > 0) from.fail(`${from.remaining} bytes left`);
    return { content: "expression", libraryVersion, expression };
  });
}

/** Checks the size of the dApp's encoding. Cost: encodes large ones. */
function checkWrittenSize(script: Script, readBytes: number, from: ByteReader): void {
  if (readBytes * maxGrowth <= MAX_DAPP_BYTES) return;
  const sizeBytes = encodeScript(script).length;
  if (sizeBytes > MAX_DAPP_BYTES) from.fail(`Script is too large: ${sizeBytes} bytes > ${MAX_DAPP_BYTES} bytes`, 0);
}

export function encodeScript(script: Script): Uint8Array {
  const { content, libraryVersion } = script;
  const form = wireFormOf(libraryVersion);
  const code = writtenBytes((to) => {
    if (libraryVersion >= contentByteSince) {
      to.u8(libraryVersion);
      to.u8(contentByte[content]);
    } else if (content === "dApp") {
      to.u8(0);
      to.u8(contentByte[content]);
      to.u8(libraryVersion);
    } else {
      to.u8(libraryVersion);
    }
    if (script.content === "dApp") writeDApp(script.dApp, to, form);
    else writeExpression(script.expression, to, form);
  });
  const bytes = new Uint8Array(code.length + checksumBytes);
  bytes.set(code);
  bytes.set(secureHash(code).subarray(0, checksumBytes), code.length);
  return bytes;
}

function readDApp(from: ByteReader, form: WireForm): DApp {
  const meta = readField("meta", () =>
    decodeMessage(
      dAppMeta,
      namedReason(() => form.readMeta(from)),
    ),
  );
  const declarations = readField("declarations", () => readSeveral(from, form, () => readDeclaration(from, form)));
  const callables = readField("callables", () => readSeveral(from, form, () => readCallable(from, form)));
  const verifier = readField("verifier", () =>
    namedReason(() => form.readHasVerifier(from)) ? readAnnotatedFunction(from, form) : undefined,
  );
  return { meta, declarations, callables, verifier };
}

function readSeveral<Item>(from: ByteReader, form: WireForm, read: () => Item): readonly Item[] {
  const count = form.readDeclarationCount(from);
  const items: Item[] = [];
  for (let index = 0; index < count; index++) items.push(read());
  return items;
}

function readCallable(from: ByteReader, form: WireForm): AnnotatedFunction {
  const callable = readAnnotatedFunction(from, form);
  const { name } = callable.function;
  const sizeBytes = utf8SizeBytes(name);
  if (sizeBytes > maxCallableNameBytes) {
    from.fail(`Callable function name (${name}) size = ${sizeBytes} bytes exceeds ${maxCallableNameBytes}`);
  }
  return callable;
}

function readAnnotatedFunction(from: ByteReader, form: WireForm): AnnotatedFunction {
  const argument = namedReason(() => readText(from, form));
  return { argument, function: readFunction(from, form) };
}

function writeDApp(dApp: DApp, to: ByteWriter, form: WireForm): void {
  form.writeMeta(encodeMessage(dAppMeta, dApp.meta), to);
  form.writeCount(dApp.declarations.length, to);
  for (const declaration of dApp.declarations) writeDeclaration(declaration, to, form);
  form.writeCount(dApp.callables.length, to);
  for (const callable of dApp.callables) writeAnnotatedFunction(callable, to, form);
  form.writeHasVerifier(dApp.verifier !== undefined, to);
  if (dApp.verifier !== undefined) writeAnnotatedFunction(dApp.verifier, to, form);
}

function writeAnnotatedFunction(annotated: AnnotatedFunction, to: ByteWriter, form: WireForm): void {
  writeText(annotated.argument, to, form);
  writeDeclaration(annotated.function, to, form);
}
