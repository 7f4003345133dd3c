/**
 * A sorted sequence in chunks: finding a position costs O(log n), and an insertion moves items of one chunk only.
 */

/** A chunk that grows past this is split in two. */
const MAX_CHUNK_LENGTH = 512;

export class OrderedList<T> {
  readonly #compare: (left: T, right: T) => number;
  /** Sorted non-empty chunks, in order. */
  readonly #chunks: T[][] = [];
  #length = 0;

  /** @param compare negative, zero or positive; zero only for identical items */
  constructor(compare: (left: T, right: T) => number) {
    this.#compare = compare;
  }

  get length(): number {
    return this.#length;
  }

  first(): T | undefined {
    return this.#chunks[0]?.[0];
  }

  /** Iterates in order. Nothing may be inserted or removed meanwhile. */
  *[Symbol.iterator](): Iterator<T> {
    for (const piece of this.#chunks) yield* piece;
  }

  insert(item: T): void {
    this.#length++;
    const number = Math.min(this.#chunkOf(item), this.#chunks.length - 1);
    const piece = this.#chunks[number];
    if (piece === undefined) {
      this.#chunks.push([item]);
      return;
    }
    piece.splice(this.#indexIn(piece, item), 0, item);
    if (piece.length > MAX_CHUNK_LENGTH) this.#chunks.splice(number + 1, 0, piece.splice(piece.length >>> 1));
  }

  clear(): void {
    this.#chunks.length = 0;
    this.#length = 0;
  }

  /** @returns whether the list had the item */
  remove(item: T): boolean {
    const number = this.#chunkOf(item);
    const piece = this.#chunks[number];
    if (piece === undefined) return false;
    const place = this.#indexIn(piece, item);
    const found = piece[place];
    if (found === undefined || this.#compare(found, item) !== 0) return false;
    piece.splice(place, 1);
    if (piece.length === 0) this.#chunks.splice(number, 1);
    this.#length--;
    return true;
  }

  /** Index of the first chunk whose last item is not before the item; past the end when there is none. */
  #chunkOf(item: T): number {
    return firstWhere(this.#chunks.length, (number) => {
      const piece = this.#chunks[number] as T[];
      return this.#compare(piece[piece.length - 1] as T, item) >= 0;
    });
  }

  #indexIn(piece: readonly T[], item: T): number {
    return firstWhere(piece.length, (place) => this.#compare(piece[place] as T, item) >= 0);
  }
}

/** The lowest number below `length` from which on the condition holds; `length` if there is none. */
function firstWhere(length: number, holds: (number: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
