/**
 * Endorsements that arrived before the block whose parent they endorse, until that block arrives. Each host has its
 * share of the room.
 */
import { subscriberOf } from "../../../src/network/subscriber.ts";
import type { ConflictEndorsement } from "../../../src/protocol/blocks/block.ts";
import type { Peer } from "../peer.ts";

/** Endorsement with its sender. */
export interface PeerEndorsement {
  readonly peer: Peer;
  readonly endorsement: ConflictEndorsement;
}

const MOST = { all: 1_024, ofHost: 128 } as const;

export class EarlyEndorsements {
  readonly #byHost = new Map<string, PeerEndorsement[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /**
   * Adds the endorsement if there is room. A full buffer drops one of the host with the most, if that has more than
   * this host.
   */
  add(received: PeerEndorsement): void {
    const key = subscriberOf(received.peer.remote.ip);
    const entries = this.#byHost.get(key) ?? [];
    if (entries.length >= MOST.ofHost || (this.#size >= MOST.all && !this.#makeRoom(entries.length + 1))) return;
    entries.push(received);
    this.#byHost.set(key, entries);
    this.#size += 1;
  }

  /** Removes and returns all of them: the first of each host before the second of any. */
  drain(): readonly PeerEndorsement[] {
    const hosts = [...this.#byHost.values()];
    this.#byHost.clear();
    this.#size = 0;
    const most = Math.max(0, ...hosts.map(({ length }) => length));
    return Array.from({ length: most }, (_, index) =>
      hosts.flatMap((entries) => entries.slice(index, index + 1)),
    ).flat();
  }

  /** @returns false: no host has more than `size` */
  #makeRoom(size: number): boolean {
    let longest: PeerEndorsement[] = [];
    for (const entries of this.#byHost.values()) if (entries.length > longest.length) longest = entries;
    if (longest.length <= size) return false;
    longest.pop();
    this.#size -= 1;
    return true;
  }
}
