/** Endorsements that came before the block whose parent they endorse, until that block comes: each host has its share of the room. */
import { subscriberOf } from "../../../src/network/subscriber.ts";
import type { ConflictEndorsement } from "../../../src/protocol/blocks/block.ts";
import type { Peer } from "../peer.ts";

/** What a peer has sent. */
export interface Received {
  readonly peer: Peer;
  readonly endorsement: ConflictEndorsement;
}

const MOST = { all: 1_024, ofHost: 128 } as const;

export class EarlyEndorsements {
  readonly #byHost = new Map<string, Received[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Keeps it, if there is room. Where there is none, a host that has more than its own makes some. */
  hold(received: Received): void {
    const key = subscriberOf(received.peer.remote.ip);
    const ofHost = this.#byHost.get(key) ?? [];
    if (ofHost.length >= MOST.ofHost || (this.#size >= MOST.all && !this.#makeRoom(ofHost.length + 1))) return;
    ofHost.push(received);
    this.#byHost.set(key, ofHost);
    this.#size += 1;
  }

  /** All of them, the first of each host before the second of any. None is held any more. */
  take(): readonly Received[] {
    const hosts = [...this.#byHost.values()];
    this.#byHost.clear();
    this.#size = 0;
    const most = Math.max(0, ...hosts.map(({ length }) => length));
    return Array.from({ length: most }, (_, place) => hosts.flatMap((ofHost) => ofHost.slice(place, place + 1))).flat();
  }

  /** @returns false where no host has more than so many */
  #makeRoom(size: number): boolean {
    let longest: Received[] = [];
    for (const ofHost of this.#byHost.values()) if (ofHost.length > longest.length) longest = ofHost;
    if (longest.length <= size) return false;
    longest.pop();
    this.#size -= 1;
    return true;
  }
}
