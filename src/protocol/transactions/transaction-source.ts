/**
 * What transactions from outside may leave open, and who reads them has to know: how their scripts are written, and
 * which chain they are of.
 */
import type { Script, TransactionFields } from "./transaction.ts";

/**
 * The script as it is written once its code was read: the same bytes where they are. That form is signed, hashed and
 * kept. What code means is not known here.
 * @param script whose header and checksum are right
 * @throws FormatError scriptUnreadable
 */
export type WrittenScript = (script: Script) => Script;

export interface TransactionSource {
  readonly writtenScript: WrittenScript;
  /** In protobuf every transaction is taken for one of this network, whatever it says. */
  readonly leavesChainOut: boolean;
  /** Written by this node; see `ethereumParts`. */
  readonly isRecord: boolean;
}

export const asItIs: WrittenScript = (script) => script;

/** Transactions that were read from outside before, or made here. */
export const ownRecords: TransactionSource = { writtenScript: asItIs, leavesChainOut: false, isRecord: true };

/** The fields, the same ones where the script need not be written anew. @throws FormatError scriptUnreadable */
export function withWrittenScript(fields: TransactionFields, { writtenScript }: TransactionSource): TransactionFields {
  if (!("script" in fields) || fields.script === null) return fields;
  const script = writtenScript(fields.script);
  return script === fields.script ? fields : { ...fields, script };
}
