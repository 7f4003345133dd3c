/**
 * What one isolate keeps from request to request: values of several kinds under one bound in bytes. What was not asked for
 * longest goes first, whatever its kind.
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
   * A part of the memory, for values of one kind.
   * @param name no other part has it
   * @param sizeBytes what a value takes, without its key
   */
  region<Value>(name: string, sizeBytes: (value: Value) => number): MemoryRegion<Value> {
    const entries = this.#entries;
    const placeOf = (key: string): string => `${name}\n${key}`;
    return {
      find: (key) => entries.get(placeOf(key))?.value as Value | undefined,
      keep: (key, value) => {
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
  /** A value that would fill more than an eighth of the memory is not kept. */
  keep(key: string, value: Value): void;
  drop(key: string): void;
  /** Drops the values of which this is true; it looks at all that the memory holds. */
  dropAll(isOver: (value: Value) => boolean): void;
}

const MAX_SHARE = 8;
/** What an entry takes beside its key and value. */
const ENTRY_BYTES = 100;

/** What a text takes in memory, at worst. */
export function textBytes(text: string): number {
  return 2 * text.length;
}
