/**
 * Strings of scripts: UTF-16 units, as the reference's virtual machine holds them, with their size as UTF-8.
 * @source Waves: lang/v1/compiler/Terms.scala (CONST_STRING)
 */
import { utf8SizeBytes } from "../../protocol/codec/utf8.ts";

/** A string value. Its size is kept: limits and weights ask for it far more often than strings are made. */
export class Text {
  readonly text: string;
  /** As UTF-8; half a surrogate pair counts as one byte, the `?` it becomes. */
  readonly sizeBytes: number;

  constructor(text: string, sizeBytes = utf8SizeBytes(text)) {
    this.text = text;
    this.sizeBytes = sizeBytes;
  }
}
