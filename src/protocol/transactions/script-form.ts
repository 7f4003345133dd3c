/**
 * The form in which scripts are signed, hashed and kept. It follows from their code, whose meaning is not known here:
 * whoever reads transactions from outside passes in who knows it.
 */
import type { Script, TransactionFields } from "./transaction.ts";

/**
 * The script as it is written once its code was read: the same bytes where they are.
 * @param script whose header and checksum are right
 * @throws FormatError scriptUnreadable
 */
export type WrittenScript = (script: Script) => Script;

/** For transactions of our own making, whose scripts were written before. */
export const asItIs: WrittenScript = (script) => script;

/** The fields, the same ones where the script need not be written anew. @throws FormatError scriptUnreadable */
export function withWrittenScript(fields: TransactionFields, writtenScript: WrittenScript): TransactionFields {
  if (!("script" in fields) || fields.script === null) return fields;
  const script = writtenScript(fields.script);
  return script === fields.script ? fields : { ...fields, script };
}
