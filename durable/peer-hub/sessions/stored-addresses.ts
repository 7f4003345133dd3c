/** Addresses of one kind, each stored for a limited time: in memory and in the storage. */
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
  /** Beyond this number the oldest one is removed, of those first that do not go last. */
  readonly maxPlaces: number;
  /** Whether an address is removed only if all others are like it. */
  readonly goesLast?: (kept: KeptPlace) => boolean;
  /** Minimum time between two writes of the same address, ms. */
  readonly writeIntervalMs: number;
}

export class KeptPlaces {
  readonly #facts: KeptPlacesFacts;
  /** Oldest first. `writtenMs`: the time in the storage. */
  readonly #places = new Map<string, KeptPlace & { readonly writtenMs: number }>();

  constructor(options: KeptPlacesFacts) {
    this.#facts = options;
    for (const { kind, place, timeMs, reason } of options.storage.rows())
      if (kind === options.kind) this.#places.set(place, { timeMs, reason, writtenMs: timeMs });
    this.#dropOld();
  }

  has(place: string): boolean {
    return this.find(place) !== undefined;
  }

  find(place: string): KeptPlace | undefined {
    const found = this.#places.get(place);
    return found === undefined || this.#isOver(found) ? undefined : found;
  }

  /** Adds the address for the residence time, starting now. */
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
    while (this.#places.size > maxPlaces) this.#makeRoom();
  }

  /** Newest first. */
  entries(): [place: string, entry: KeptPlace][] {
    this.#dropOld();
    return [...this.#places].reverse();
  }

  /** Oldest first. */
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
    for (const [place, entry] of this.#places) {
      if (!this.#isOver(entry)) break;
      this.#drop(place);
    }
  }

  #makeRoom(): void {
    const { goesLast = () => false } = this.#facts;
    let first: string | undefined;
    for (const [place, kept] of this.#places) {
      first ??= place;
      if (goesLast(kept)) continue;
      first = place;
      break;
    }
    if (first !== undefined) this.#drop(first);
  }

  #drop(place: string): void {
    this.#places.delete(place);
    this.#facts.storage.remove(this.#facts.kind, place);
  }

  #isOver({ timeMs }: KeptPlace): boolean {
    return timeMs + this.#facts.residenceTimeMs <= this.#facts.nowMs();
  }
}
