/**
 * Header of a script, readable without its code: kind, library version, checksum.
 * @source Waves: lang/script/ScriptReader.scala
 */
import { equalBytes } from "../../crypto/bytes.ts";
import { secureHash } from "../../crypto/hash.ts";
import { FormatError } from "./format-error.ts";
import { newestLibraryVersion } from "./library-versions.ts";

export type ScriptContent = "expression" | "dApp" | "library";
export interface ScriptHeader {
  readonly content: ScriptContent;
  /** Version of the standard library, known to this release. */
  readonly libraryVersion: number;
  /** Offset of the code. */
  readonly codeOffset: number;
}

const checksumBytes = 4;
/** From this version on the second byte is the kind; before, only a leading 0 announces that byte. */
const contentByteSince = 6;
const contents: Readonly<Record<number, ScriptContent>> = { 1: "expression", 2: "dApp", 3: "library" };

/** Reads the header and validates the checksum. @throws FormatError scriptUnreadable */
export function checkScript(script: Uint8Array): ScriptHeader {
  const header = readScriptHeader(script);
  const codeEnd = Math.max(script.length - checksumBytes, 0);
  const expected = secureHash(script.subarray(0, codeEnd)).subarray(0, checksumBytes);
  if (!equalBytes(script.subarray(codeEnd), expected)) throw unreadable("Invalid checksum");
  return header;
}

/** @throws FormatError scriptUnreadable */
export function readScriptHeader(script: Uint8Array): ScriptHeader {
  const [first, second, third] = script;
  if (first === undefined) throw unreadable("Can't parse empty script bytes");
  if (first === 0) {
    if (second === undefined || third === undefined) throw unreadable(`Illegal length of script: ${script.length}`);
    return { content: contentOf(second), libraryVersion: versionOf(third), codeOffset: 3 };
  }
  const libraryVersion = versionOf(first);
  if (libraryVersion < contentByteSince) return { content: "expression", libraryVersion, codeOffset: 1 };
  if (second === undefined) throw unreadable(`Illegal length of script: ${script.length}`);
  return { content: contentOf(second), libraryVersion, codeOffset: 2 };
}

function contentOf(byte: number): ScriptContent {
  const content = contents[byte];
  if (content === undefined) throw unreadable(`Invalid content type of script: ${signed(byte)}`);
  return content;
}

function versionOf(byte: number): number {
  if (byte < 1 || byte > newestLibraryVersion) throw unreadable(`Invalid version of script: ${signed(byte)}`);
  return byte;
}

/** Signed byte, as in the reference. */
function signed(byte: number): number {
  return (byte << 24) >> 24;
}

function unreadable(reason: string): FormatError {
  return new FormatError({ code: "scriptUnreadable", reason });
}
