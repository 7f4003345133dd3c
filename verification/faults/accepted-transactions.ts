/** Transactions that a node has accepted: each must be on the chain or in the pool, or be no longer valid. */
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { type BytesKey, bytesKey } from "../../src/crypto/bytes.ts";
import { RuleError } from "../../src/protocol/errors.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { validateTransaction } from "../../src/rules/transactions/validate-transaction.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";

export class AcceptedTransactions {
  readonly #waited = new Map<BytesKey, Transaction>();

  /** Records a transaction that the node has accepted. */
  add(transaction: Transaction): void {
    this.#waited.set(bytesKey(transaction.id), transaction);
  }

  /** All recorded transactions. */
  all(): readonly Transaction[] {
    return [...this.#waited.values()];
  }

  /**
   * Forgets the transactions that the node no longer has.
   * @param copyOf copies the node's database; changes of the copy do not affect the node
   * @returns a line for each that the node had no reason to drop
   */
  findVanished(node: SimulatedNode, copyOf: () => SimulatedNode): string[] {
    const missing: Transaction[] = [];
    for (const [key, transaction] of this.#waited) {
      if (node.pool.has(transaction.id) || node.chain.view.findTransaction(transaction.id) !== undefined) continue;
      this.#waited.delete(key);
      if (isPlaceable(node, transaction)) missing.push(transaction);
    }
    if (missing.length === 0) return [];
    const copy = copyOf();
    const vanished = missing.filter((transaction) => wasPlaceable(copy, transaction));
    copy.database.database.close();
    return vanished.map(
      ({ id, type }) => `the transaction ${encodeBase58(id)} of type ${type} was accepted and has vanished`,
    );
  }
}

/** Most blocks that one task may append, after which an invalid transaction can be valid again. */
const BLOCKS_BEFORE = 3;

/**
 * True if the transaction could have been in a block at each of the last states, too. If not, the node was right to
 * drop it, even when its preconditions hold now.
 * @param copy is rolled back
 */
function wasPlaceable(copy: SimulatedNode, transaction: Transaction): boolean {
  for (let left = BLOCKS_BEFORE; ; left--) {
    for (let form = copy.chain.stored.microBlockCount() - 1; form >= 0; form--)
      if (!copy.chain.liquid.withLiquidForm(form, () => isValid(copy, transaction))) return false;
    const { height } = copy;
    if (left === 0 || height <= copy.node.store.lowestRollbackHeight()) return true;
    copy.chain.forks.revertTo(height - 1, { isForced: true });
    if (!isValid(copy, transaction)) return false;
  }
}

function isValid({ chain, nowMs }: SimulatedNode, transaction: Transaction): boolean {
  return validateTransaction(transaction, chain.view, nowMs).result.isValid;
}

/** True if the transaction fits into the next block after all pending ones. */
function isPlaceable(node: SimulatedNode, transaction: Transaction): boolean {
  const { chain, pool, nowMs } = node;
  const { maxTransactionTimeBackOffsetMs } = chain.view.settings.functionality;
  if (BigInt(nowMs) - transaction.timestamp > maxTransactionTimeBackOffsetMs || !isValid(node, transaction))
    return false;
  if (chain.stored.liquidForms().length === 0) return true;
  const { run } = chain.liquid.openMicroBlock({ verifySignatures: false });
  for (const other of [...pool.all(), transaction]) {
    try {
      run.add(other, false);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      if (other === transaction) return error.violation.code === "blockLimitExceeded";
    }
  }
  return true;
}
