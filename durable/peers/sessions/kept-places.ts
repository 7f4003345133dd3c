/** Places of one kind, each for a while after it was put: in memory, and in the storage. */
import type { PeerRow, PeerStorage } from "./peer-storage.ts";

export interface KeptPlace {
  readonly timeMs: number;
  readonly reason: string;
}

export interface KeptPlacesFacts {
  readonly kind: PeerRow["kind"];
  readonly storage: PeerStorage;
  readonly nowMs: () => number;
  readonly residenceTimeMs: number;
  /** The one that was put longest ago makes room. */
  readonly maxPlaces: number;
  /** A place that was written later than so long ago is not written again. */
  readonly writeIntervalMs: number;
}

export class KeptPlaces {
  readonly #facts: KeptPlacesFacts;
  /** The one that was put longest ago first. `writtenMs`: the time that the storage has. */
  readonly #places = new Map<string, KeptPlace & { readonly writtenMs: number }>();

  constructor(facts: KeptPlacesFacts) {
    this.#facts = facts;
    for (const { kind, place, timeMs, reason } of facts.storage.rows())
      if (kind === facts.kind) this.#places.set(place, { timeMs, reason, writtenMs: timeMs });
    this.#dropOld();
  }

  has(place: string): boolean {
    const found = this.#places.get(place);
    return found !== undefined && !this.#isOver(found);
  }

  /** From now on, for the residence time. */
  put(place: string, reason = ""): void {
    const { kind, storage, nowMs, maxPlaces, writeIntervalMs } = this.#facts;
    const timeMs = nowMs();
    const written = this.#places.get(place);
    this.#places.delete(place);
    const isWritten =
      written !== undefined && written.reason === reason && Math.abs(timeMs - written.writtenMs) < writeIntervalMs;
    if (!isWritten) storage.put({ kind, place, timeMs, reason });
    this.#places.set(place, { timeMs, reason, writtenMs: isWritten ? written.writtenMs : timeMs });
    this.#dropOld();
    for (const [oldest] of this.#places) {
      if (this.#places.size <= maxPlaces) break;
      this.#drop(oldest);
    }
  }

  /** The newest first. */
  entries(): [place: string, kept: KeptPlace][] {
    this.#dropOld();
    return [...this.#places].reverse();
  }

  /** The one that was put longest ago first. */
  places(): Iterable<string> {
    return this.#places.keys();
  }

  clear(): void {
    for (const place of [...this.#places.keys()]) this.#drop(place);
  }

  remove(place: string): void {
    if (this.#places.has(place)) this.#drop(place);
  }

  #dropOld(): void {
    for (const [place, kept] of this.#places) {
      if (!this.#isOver(kept)) break;
      this.#drop(place);
    }
  }

  #drop(place: string): void {
    this.#places.delete(place);
    this.#facts.storage.remove(this.#facts.kind, place);
  }

  #isOver({ timeMs }: KeptPlace): boolean {
    return timeMs + this.#facts.residenceTimeMs <= this.#facts.nowMs();
  }
}
