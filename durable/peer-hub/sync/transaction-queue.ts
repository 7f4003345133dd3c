/**
 * Queue of peers' transactions for the chain. Each peer has its own share, and peers take turns: a peer that sends too
 * much loses only its own transactions.
 */
import { peerHubBytes } from "../../../src/platform/memory-budget.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { Peer } from "../peer.ts";

/** Maximum per peer. */
const MOST_OF_PEER = 500;
/** Maximum over all peers. @source Waves: utx-synchronizer.max-queue-size */
const MOST = 5_000;
/** Maximum size as sent; parsed they take several times as much. */
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

  /** @returns whether there was room */
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

  /** Removes and returns the next ones, one of each peer in turn. */
  take(count: number): QueuedTransaction[] {
    const taken: QueuedTransaction[] = [];
    while (taken.length < count && this.#ofPeers.size > 0) {
      for (const [peer, waiting] of [...this.#ofPeers]) {
        const transaction = waiting.shift();
        // The peer goes to the end of the line.
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

  /** Removes and returns the transactions of a disconnected peer. */
  forget(peer: Peer): readonly Transaction[] {
    const dropped = this.#ofPeers.get(peer) ?? [];
    for (const { bytes } of dropped) {
      this.#size -= 1;
      this.#sizeBytes -= bytes.length;
    }
    this.#ofPeers.delete(peer);
    return dropped;
  }
}
