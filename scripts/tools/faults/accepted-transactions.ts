/** Transactions that a node has accepted: each is in the chain, in the pool, or could be in neither any more. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { validateTransaction } from "../../../src/rules/transactions/validate-transaction.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";

export class AcceptedTransactions {
  readonly #waited = new Map<BytesKey, Transaction>();

  /** The node has said that it has the transaction. */
  add(transaction: Transaction): void {
    this.#waited.set(bytesKey(transaction.id), transaction);
  }

  /** Any of them. */
  all(): readonly Transaction[] {
    return [...this.#waited.values()];
  }

  /**
   * Forgets those that the node no longer has.
   * @param copyOf the same node's database, copied: what is done to it stays without consequence
   * @returns a line for each that it had no reason to let go
   */
  findVanished(node: SimulatedNode, copyOf: () => SimulatedNode): string[] {
    const gone: Transaction[] = [];
    for (const [key, transaction] of this.#waited) {
      if (node.pool.has(transaction.id) || node.chain.view.findTransaction(transaction.id) !== undefined) continue;
      this.#waited.delete(key);
      if (isPlaceable(node, transaction)) gone.push(transaction);
    }
    if (gone.length === 0) return [];
    const copy = copyOf();
    const vanished = gone.filter((transaction) => wasPlaceable(copy, transaction));
    copy.database.database.close();
    return vanished.map(
      ({ id, type }) => `the transaction ${encodeBase58(id)} of type ${type} was accepted and has vanished`,
    );
  }
}

/** Blocks that one turn may bring, after which a transaction holds again that did not before. */
const BLOCKS_BEFORE = 3;

/**
 * Whether the transaction could have come into a block at each of the last states, too: one that could not was rightly let
 * go, even where what it lacked has come since.
 * @param copy is taken back
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
  return validateTransaction(transaction, chain.view, nowMs).outcome.isValid;
}

/** Whether the transaction could come into the next block behind all that wait. */
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
      if (other === transaction) return error.fault.code === "blockLimitExceeded";
    }
  }
  return true;
}
