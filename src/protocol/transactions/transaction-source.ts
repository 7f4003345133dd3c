/** Origin of transactions, which determines how their parser treats scripts and the chain id. */
import type { Script, TransactionFields } from "./transaction.ts";

/**
 * The script's encoding after its code was parsed; often the same bytes. That form is signed, hashed and stored. The
 * meaning of the code is unknown at this level.
 * @param script with a valid header and checksum
 * @throws FormatError scriptUnreadable
 */
export type WrittenScript = (script: Script) => Script;

export interface TransactionSource {
  readonly writtenScript: WrittenScript;
  /** Whether the chain id of protobuf transactions is ignored: all count as this network's. */
  readonly ignoresChainId: boolean;
  /** Whether this node wrote the bytes; see `ethereumParts`. */
  readonly isRecord: boolean;
}

export const asItIs: WrittenScript = (script) => script;

/** Source of transactions that were parsed before, or built here. */
export const ownRecords: TransactionSource = { writtenScript: asItIs, ignoresChainId: false, isRecord: true };

/**
 * The fields with the script's own encoding; the same object if it does not differ.
 * @throws FormatError scriptUnreadable
 */
export function withWrittenScript(fields: TransactionFields, { writtenScript }: TransactionSource): TransactionFields {
  if (!("script" in fields) || fields.script === null) return fields;
  const script = writtenScript(fields.script);
  return script === fields.script ? fields : { ...fields, script };
}
