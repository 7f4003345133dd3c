/**
 * Strings of scripts: UTF-16 units, as in the reference's virtual machine, with their size as UTF-8.
 * @source Waves: lang/v1/compiler/Terms.scala (CONST_STRING)
 */
import { utf8SizeBytes } from "../../protocol/codec/utf8.ts";

/** String value. Its size is stored: limits and weights read it far more often than strings are created. */
export class Text {
  readonly text: string;
  /** Size as UTF-8; half a surrogate pair counts as one byte, the `?` that it becomes. */
  readonly sizeBytes: number;

  constructor(text: string, sizeBytes = utf8SizeBytes(text)) {
    this.text = text;
    this.sizeBytes = sizeBytes;
  }
}
