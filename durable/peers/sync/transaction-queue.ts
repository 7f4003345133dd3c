/**
 * Transactions of peers that wait to be offered to the chain. Each peer has a place of its own, and they take turns: whoever sends
 * more than is taken loses what is beyond its place, and nobody else does.
 */
import { peerHubBytes } from "../../../src/platform/memory-budget.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { Peer } from "../peer.ts";

/** Of one peer. */
const MOST_OF_PEER = 500;
/** Of all. @source Waves: utx-synchronizer.max-queue-size */
const MOST = 5_000;
/** As they were sent; once they are read they take some times as much. */
const MOST_BYTES = peerHubBytes.queuedTransactions;

export interface QueuedTransaction {
  readonly peer: Peer;
  readonly transaction: Transaction;
}

export class TransactionQueue {
  readonly #ofPeers = new Map<Peer, Transaction[]>();
  #size = 0;
  #sizeBytes = 0;

  get size(): number {
    return this.#size;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** @returns whether there was room for it */
  add(peer: Peer, transaction: Transaction): boolean {
    const own = this.#ofPeers.get(peer);
    const sizeBytes = transaction.bytes.length;
    if (this.#size >= MOST || this.#sizeBytes + sizeBytes > MOST_BYTES || (own?.length ?? 0) >= MOST_OF_PEER)
      return false;
    if (own === undefined) this.#ofPeers.set(peer, [transaction]);
    else own.push(transaction);
    this.#size += 1;
    this.#sizeBytes += sizeBytes;
    return true;
  }

  /** The next ones, one of each peer in turn. */
  take(count: number): QueuedTransaction[] {
    const taken: QueuedTransaction[] = [];
    while (taken.length < count && this.#ofPeers.size > 0) {
      for (const [peer, waiting] of [...this.#ofPeers]) {
        const transaction = waiting.shift();
        // Whose turn it was stands behind the others from now on.
        this.#ofPeers.delete(peer);
        if (waiting.length > 0) this.#ofPeers.set(peer, waiting);
        if (transaction === undefined) continue;
        this.#size -= 1;
        this.#sizeBytes -= transaction.bytes.length;
        taken.push({ peer, transaction });
        if (taken.length === count) break;
      }
    }
    return taken;
  }

  /** What a peer that is gone has sent is not offered any more. @returns that */
  forget(peer: Peer): readonly Transaction[] {
    const left = this.#ofPeers.get(peer) ?? [];
    for (const { bytes } of left) {
      this.#size -= 1;
      this.#sizeBytes -= bytes.length;
    }
    this.#ofPeers.delete(peer);
    return left;
  }
}
