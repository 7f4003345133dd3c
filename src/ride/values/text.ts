/**
 * Strings of scripts: UTF-16 units, as the reference's virtual machine holds them, with their size as UTF-8.
 * @source Waves: lang/v1/compiler/Terms.scala (CONST_STRING)
 */
import { utf8Bytes, utf8SizeBytes } from "../../protocol/codec/utf8.ts";

/** A string value. Its size is kept: limits and weights ask for it far more often than strings are made. */
export class Text {
  readonly text: string;
  /** As UTF-8; half a surrogate pair counts as one byte, the `?` it becomes. */
  readonly sizeBytes: number;

  constructor(text: string, sizeBytes = textSizeBytes(text)) {
    this.text = text;
    this.sizeBytes = sizeBytes;
  }
}

/** The bytes of a string; what is not well-formed becomes `?`. */
export function textBytes(text: string): Uint8Array {
  return utf8Bytes(text.isWellFormed() ? text : withoutHalves(text));
}

export function textSizeBytes(text: string): number {
  return utf8SizeBytes(text.isWellFormed() ? text : withoutHalves(text));
}

function withoutHalves(text: string): string {
  let whole = "";
  for (const character of text) whole += character.isWellFormed() ? character : "?";
  return whole;
}
