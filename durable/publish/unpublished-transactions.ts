/**
 * Transactions that left the pool for a block which the read model does not show yet: they are still found as
 * unconfirmed, so that no reader sees a transaction nowhere.
 */
import { type BytesKey, bytesKey, bytesOfKey } from "../../src/crypto/bytes.ts";
import { encodeProtobuf } from "../../src/protocol/transactions/encode-for-block.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";

export class UnpublishedTransactions {
  /** Protobuf `SignedTransaction` by id. */
  readonly #bytes = new Map<BytesKey, Uint8Array>();

  get size(): number {
    return this.#bytes.size;
  }

  has(id: Uint8Array): boolean {
    return this.#bytes.has(bytesKey(id));
  }

  /** Protobuf `SignedTransaction`. */
  find(id: Uint8Array): Uint8Array | undefined {
    return this.#bytes.get(bytesKey(id));
  }

  *ids(): Iterable<Uint8Array> {
    for (const key of this.#bytes.keys()) yield bytesOfKey(key);
  }

  add(transactions: readonly Transaction[]): void {
    for (const transaction of transactions) this.#bytes.set(bytesKey(transaction.id), encodeProtobuf(transaction));
  }

  /** Forgets those that are found elsewhere again. */
  forget(isElsewhere: (id: Uint8Array) => boolean): void {
    for (const key of this.#bytes.keys()) if (isElsewhere(bytesOfKey(key))) this.#bytes.delete(key);
  }

  /** Runs a publication: what was there when it began is published when it has succeeded. */
  async whilePublishing(publish: () => Promise<void>): Promise<void> {
    const leaving = [...this.#bytes.keys()];
    await publish();
    for (const key of leaving) this.#bytes.delete(key);
  }
}
