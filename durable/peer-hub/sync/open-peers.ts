/** Connected peers. */
import type { Peer } from "../peer.ts";

const noPeers: ReadonlySet<Peer> = new Set();

export class OpenPeers {
  readonly #peers = new Set<Peer>();

  add(peer: Peer): void {
    this.#peers.add(peer);
  }

  delete(peer: Peer): void {
    this.#peers.delete(peer);
  }

  has(peer: Peer): boolean {
    return this.#peers.has(peer);
  }

  get size(): number {
    return this.#peers.size;
  }

  /** @param except peers that have the message already */
  broadcast(frame: Uint8Array, except: ReadonlySet<Peer> = noPeers): void {
    for (const peer of [...this.#peers]) if (!except.has(peer)) peer.sendFrame(frame);
  }
}
