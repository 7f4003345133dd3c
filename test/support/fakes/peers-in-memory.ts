/** Peer storage in memory. */
import type { PeerRow, PeerStorage } from "../../../durable/peer-hub/sessions/peer-storage.ts";

export class PeersInMemory implements PeerStorage {
  readonly #rows = new Map<string, PeerRow>();

  rows(): readonly PeerRow[] {
    return [...this.#rows.values()].sort((left, right) => left.timeMs - right.timeMs);
  }

  put(row: PeerRow): void {
    this.#rows.set(`${row.kind} ${row.place}`, row);
  }

  remove(kind: PeerRow["kind"], address: string): void {
    this.#rows.delete(`${kind} ${address}`);
  }
}
