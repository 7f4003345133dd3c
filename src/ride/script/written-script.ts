/**
 * Scripts in their encoded form. Some bytes parse to a script whose encoding differs: with an unused version of a dApp,
 * bytes after its verifier, numbers longer than needed, texts that are not UTF-8. The reference signs, hashes and
 * stores its own encoding.
 * @source Waves: lang/script/v1/ExprScript.scala, lang/script/ContractScript.scala (bytes)
 */
import { equalBytes } from "../../crypto/bytes.ts";
import { WireError } from "../../protocol/errors.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";
import type { Script as ScriptBytes } from "../../protocol/transactions/transaction.ts";
import { cachedScript } from "../evaluator/dapp-program.ts";
import type { Script } from "./expression.ts";
import { encodeScript } from "./script-bytes.ts";

/** Tree of a transaction's script. @throws FormatError scriptUnreadable */
export function readScript(bytes: ScriptBytes): Script {
  try {
    return cachedScript(bytes);
  } catch (error) {
    if (error instanceof WireError) throw new FormatError({ code: "scriptUnreadable", reason: error.reason });
    throw error;
  }
}

/** Encoding of the script: the same array if the bytes are equal. @throws FormatError scriptUnreadable */
export function writtenScript(bytes: ScriptBytes): ScriptBytes {
  const written = encodeScript(readScript(bytes)) as ScriptBytes;
  return equalBytes(written, bytes) ? bytes : written;
}
