/**
 * What one isolate keeps from request to request: values of several kinds under one bound in bytes. What was not asked for
 * longest goes first, whatever its kind.
 */
export class IsolateMemory {
  readonly limitBytes: number;
  /** In order of use, oldest first: a Map keeps the order of insertion. */
  readonly #entries = new Map<string, { readonly value: unknown; readonly sizeBytes: number }>();
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /**
   * A part of the memory, for values of one kind.
   * @param name no other part has it
   * @param sizeBytes what a value takes, without its key
   */
  region<Value>(name: string, sizeBytes: (value: Value) => number): MemoryRegion<Value> {
    const placeOf = (key: string): string => `${name}\n${key}`;
    return {
      find: (key) => this.#find(placeOf(key)) as Value | undefined,
      keep: (key, value) => this.#keep(placeOf(key), value, sizeBytes(value)),
      drop: (key) => this.#drop(placeOf(key)),
    };
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  #find(place: string): unknown {
    const entry = this.#entries.get(place);
    if (entry === undefined) return undefined;
    this.#entries.delete(place);
    this.#entries.set(place, entry);
    return entry.value;
  }

  #keep(place: string, value: unknown, valueBytes: number): void {
    this.#drop(place);
    const sizeBytes = valueBytes + textBytes(place) + ENTRY_BYTES;
    if (sizeBytes > this.limitBytes / MAX_SHARE) return;
    this.#entries.set(place, { value, sizeBytes });
    this.#sizeBytes += sizeBytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#sizeBytes <= this.limitBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(place: string): void {
    const entry = this.#entries.get(place);
    if (entry === undefined) return;
    this.#entries.delete(place);
    this.#sizeBytes -= entry.sizeBytes;
  }
}

export interface MemoryRegion<Value> {
  find(key: string): Value | undefined;
  /** A value that would fill more than an eighth of the memory is not kept. */
  keep(key: string, value: Value): void;
  drop(key: string): void;
}

const MAX_SHARE = 8;
/** What an entry takes beside its key and value. */
const ENTRY_BYTES = 100;

/** What a text takes in memory, at worst. */
export function textBytes(text: string): number {
  return 2 * text.length;
}
