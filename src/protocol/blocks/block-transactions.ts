/** Transactions of a block or micro-block. */
import { underField } from "../codec/byte-reader.ts";
import { RuleError } from "../errors.ts";
import { FormatError } from "../transactions/format-error.ts";
import { validationText } from "../transactions/format-error-content.ts";
import type { Transaction } from "../transactions/transaction.ts";

/**
 * Parses the transactions of a block. One that is invalid in every state makes the whole block invalid.
 * @param list bytes of each transaction
 * @param parse parses one transaction; may throw WireError and FormatError
 * @throws WireError; RuleError transactionInBlockInvalid, which names the transaction by its index, from 0
 */
export function parseBlockTransactions(
  list: readonly Uint8Array[],
  parse: (bytes: Uint8Array) => Transaction,
): readonly Transaction[] {
  return list.map((bytes, index) => {
    try {
      return parse(bytes);
    } catch (error) {
      if (!(error instanceof FormatError)) throw underField(`transactions[${index}]`, error);
      const reason = validationText(error.violation);
      const violation = { code: "transactionInBlockInvalid", transactionId: `[${index}]`, reason } as const;
      throw new RuleError(violation, { cause: error });
    }
  });
}
