/**
 * Scripts in the form in which they are written. Some bytes are read as a script and would be written in other ones:
 * with a version of a dApp that never came, bytes behind its verifier, numbers longer than needed, texts that are not
 * UTF-8. The reference signs, hashes and keeps what it writes.
 * @source Waves: lang/script/v1/ExprScript.scala, lang/script/ContractScript.scala (bytes)
 */
import { equalBytes } from "../../crypto/bytes.ts";
import { WireError } from "../../protocol/faults.ts";
import { FormatError } from "../../protocol/transactions/format-faults.ts";
import type { Script as ScriptBytes } from "../../protocol/transactions/transaction.ts";
import { cachedScript } from "../evaluator/dapp-program.ts";
import type { Script } from "./expression.ts";
import { encodeScript } from "./script-bytes.ts";

/** The tree of a transaction's script. @throws FormatError scriptUnreadable */
export function readScript(bytes: ScriptBytes): Script {
  try {
    return cachedScript(bytes);
  } catch (error) {
    if (error instanceof WireError) throw new FormatError({ code: "scriptUnreadable", reason: error.reason });
    throw error;
  }
}

/** The script as it would be written: the same bytes where they are. @throws FormatError scriptUnreadable */
export function writtenScript(bytes: ScriptBytes): ScriptBytes {
  const written = encodeScript(readScript(bytes)) as ScriptBytes;
  return equalBytes(written, bytes) ? bytes : written;
}
