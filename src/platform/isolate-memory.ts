/**
 * Cache of one isolate for values of several kinds, under one bound in bytes. The least recently used value of all
 * kinds is dropped first.
 */
import { LRUCache } from "lru-cache";

export class IsolateMemory {
  readonly limitBytes: number;
  readonly #entries: LRUCache<string, Entry>;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
    this.#entries = new LRUCache({
      maxSize: limitBytes,
      maxEntrySize: Math.floor(limitBytes / MAX_SHARE),
      sizeCalculation: ({ sizeBytes }) => sizeBytes,
    });
  }

  /**
   * A region of the memory for values of one kind.
   * @param name unique among the regions
   * @param sizeBytes size of a value, without its key
   */
  region<Value>(name: string, sizeBytes: (value: Value) => number): MemoryRegion<Value> {
    const entries = this.#entries;
    const placeOf = (key: string): string => `${name}\n${key}`;
    return {
      find: (key) => entries.get(placeOf(key))?.value as Value | undefined,
      store: (key, value) => {
        const place = placeOf(key);
        entries.set(place, { value, sizeBytes: sizeBytes(value) + textBytes(place) + ENTRY_BYTES });
      },
      drop: (key) => void entries.delete(placeOf(key)),
      dropAll: (isOver) => {
        const start = placeOf("");
        for (const [place, { value }] of entries.entries())
          if (place.startsWith(start) && isOver(value as Value)) entries.delete(place);
      },
    };
  }

  get sizeBytes(): number {
    return this.#entries.calculatedSize;
  }
}

interface Entry {
  readonly value: unknown;
  readonly sizeBytes: number;
}

export interface MemoryRegion<Value> {
  find(key: string): Value | undefined;
  /** Stores a value, unless it would fill more than an eighth of the memory. */
  store(key: string, value: Value): void;
  drop(key: string): void;
  /** Drops the region's values for which `isOver` holds. Cost: all entries of the memory are visited. */
  dropAll(isOver: (value: Value) => boolean): void;
}

const MAX_SHARE = 8;
/** Memory of an entry besides its key and value. */
const ENTRY_BYTES = 100;

/** Memory of a text in bytes, at worst. */
export function textBytes(text: string): number {
  return 2 * text.length;
}
