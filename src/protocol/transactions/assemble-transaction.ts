/** Assembly of a transaction from its fields: derived fields, checks of form, body, id and bytes. */

import { blake2b256 } from "../../crypto/hash.ts";
import { encodeLegacy, encodeLegacyBody, findLegacyForm } from "./legacy-form.ts";
import { encodeSigned, encodeTransactionMessage } from "./signed-transaction.ts";
import type { AnyFormat } from "./table.ts";
import type { Transaction, TransactionFields, TransactionId } from "./transaction.ts";

/**
 * Builds the transaction, and uses the parts that the caller already has.
 * @param given.bodyBytes computed if absent
 * @param given.bytes computed if absent
 * @param given.id computed if absent
 * @throws FormatError
 */
export function assembleTransaction(
  format: AnyFormat,
  partial: TransactionFields,
  given: { bodyBytes?: Uint8Array | undefined; bytes?: Uint8Array; id?: TransactionId | undefined } = {},
): Transaction {
  const derived = format.derived?.(partial);
  const fields = derived === undefined ? partial : ({ ...partial, ...derived } as TransactionFields);
  format.check(fields);
  const form = findLegacyForm(format, fields.version);
  const bodyBytes =
    given.bodyBytes ?? (form === undefined ? encodeTransactionMessage(format, fields) : encodeLegacyBody(form, fields));
  const id = given.id ?? format.id?.(fields, bodyBytes) ?? blake2b256(bodyBytes);
  const bytes =
    given.bytes ??
    (form === undefined ? encodeSigned(bodyBytes, proofsOf(fields)) : encodeLegacy(form, fields, bodyBytes));
  return { ...fields, id: id as TransactionId, bodyBytes, bytes } as Transaction;
}

/** Proofs of a transaction, or its signature; none for an Ethereum one, whose bytes contain the signature. */
export function proofsOf(tx: Transaction | TransactionFields): readonly Uint8Array[] {
  if ("proofs" in tx) return tx.proofs;
  return "signature" in tx ? [tx.signature] : [];
}
