/** Addresses of one kind, each stored for a limited time: in memory and in the storage. */
import type { PeerRow, PeerStorage } from "./peer-storage.ts";

export interface StoredAddress {
  readonly timeMs: number;
  readonly reason: string;
}

export interface StoredAddressesOptions {
  readonly kind: PeerRow["kind"];
  readonly storage: PeerStorage;
  readonly nowMs: () => number;
  readonly residenceTimeMs: number;
  /** Beyond this number the oldest one is removed, of those first that do not go last. */
  readonly maxAddresses: number;
  /** Whether an address is removed only if all others are like it. */
  readonly goesLast?: (kept: StoredAddress) => boolean;
  /** Minimum time between two writes of the same address, ms. */
  readonly writeIntervalMs: number;
}

export class StoredAddresses {
  readonly #options: StoredAddressesOptions;
  /** Oldest first. `writtenMs`: the time in the storage. */
  readonly #addresses = new Map<string, StoredAddress & { readonly writtenMs: number }>();

  constructor(options: StoredAddressesOptions) {
    this.#options = options;
    for (const { kind, place, timeMs, reason } of options.storage.rows())
      if (kind === options.kind) this.#addresses.set(place, { timeMs, reason, writtenMs: timeMs });
    this.#dropOld();
  }

  has(place: string): boolean {
    return this.find(place) !== undefined;
  }

  find(place: string): StoredAddress | undefined {
    const found = this.#addresses.get(place);
    return found === undefined || this.#isOver(found) ? undefined : found;
  }

  /** Adds the address for the residence time, starting now. */
  put(place: string, reason = ""): void {
    const { kind, storage, nowMs, maxAddresses, writeIntervalMs } = this.#options;
    const timeMs = nowMs();
    const written = this.#addresses.get(place);
    this.#addresses.delete(place);
    const isWritten =
      written !== undefined && written.reason === reason && Math.abs(timeMs - written.writtenMs) < writeIntervalMs;
    if (!isWritten) storage.put({ kind, place, timeMs, reason });
    this.#addresses.set(place, { timeMs, reason, writtenMs: isWritten ? written.writtenMs : timeMs });
    this.#dropOld();
    while (this.#addresses.size > maxAddresses) this.#makeRoom();
  }

  /** Newest first. */
  entries(): [place: string, entry: StoredAddress][] {
    this.#dropOld();
    return [...this.#addresses].reverse();
  }

  /** Oldest first. */
  addresses(): Iterable<string> {
    return this.#addresses.keys();
  }

  clear(): void {
    for (const place of [...this.#addresses.keys()]) this.#drop(place);
  }

  remove(place: string): void {
    if (this.#addresses.has(place)) this.#drop(place);
  }

  #dropOld(): void {
    for (const [place, entry] of this.#addresses) {
      if (!this.#isOver(entry)) break;
      this.#drop(place);
    }
  }

  #makeRoom(): void {
    const { goesLast = () => false } = this.#options;
    let first: string | undefined;
    for (const [place, kept] of this.#addresses) {
      first ??= place;
      if (goesLast(kept)) continue;
      first = place;
      break;
    }
    if (first !== undefined) this.#drop(first);
  }

  #drop(place: string): void {
    this.#addresses.delete(place);
    this.#options.storage.remove(this.#options.kind, place);
  }

  #isOver({ timeMs }: StoredAddress): boolean {
    return timeMs + this.#options.residenceTimeMs <= this.#options.nowMs();
  }
}
