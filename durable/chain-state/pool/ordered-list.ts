/**
 * A sorted sequence in pieces: finding a place costs O(log n), and putting something there moves one piece, not the rest.
 */

/** A piece that grows past this is split in two. */
const MAX_PIECE_LENGTH = 512;

export class OrderedList<T> {
  readonly #compare: (left: T, right: T) => number;
  /** Never empty pieces, each sorted, each before the next. */
  readonly #pieces: T[][] = [];
  #length = 0;

  /** @param compare negative, zero or positive; zero only for one and the same item */
  constructor(compare: (left: T, right: T) => number) {
    this.#compare = compare;
  }

  get length(): number {
    return this.#length;
  }

  first(): T | undefined {
    return this.#pieces[0]?.[0];
  }

  /** In order. Nothing may be inserted or removed while it is read. */
  *[Symbol.iterator](): Iterator<T> {
    for (const piece of this.#pieces) yield* piece;
  }

  insert(item: T): void {
    this.#length++;
    const number = Math.min(this.#pieceOf(item), this.#pieces.length - 1);
    const piece = this.#pieces[number];
    if (piece === undefined) {
      this.#pieces.push([item]);
      return;
    }
    piece.splice(this.#placeIn(piece, item), 0, item);
    if (piece.length > MAX_PIECE_LENGTH) this.#pieces.splice(number + 1, 0, piece.splice(piece.length >>> 1));
  }

  clear(): void {
    this.#pieces.length = 0;
    this.#length = 0;
  }

  /** @returns whether it was there */
  remove(item: T): boolean {
    const number = this.#pieceOf(item);
    const piece = this.#pieces[number];
    if (piece === undefined) return false;
    const place = this.#placeIn(piece, item);
    const found = piece[place];
    if (found === undefined || this.#compare(found, item) !== 0) return false;
    piece.splice(place, 1);
    if (piece.length === 0) this.#pieces.splice(number, 1);
    this.#length--;
    return true;
  }

  /** Number of the first piece whose last item is not before the item; past the end when there is none. */
  #pieceOf(item: T): number {
    return firstWhere(this.#pieces.length, (number) => {
      const piece = this.#pieces[number] as T[];
      return this.#compare(piece[piece.length - 1] as T, item) >= 0;
    });
  }

  #placeIn(piece: readonly T[], item: T): number {
    return firstWhere(piece.length, (place) => this.#compare(piece[place] as T, item) >= 0);
  }
}

/** The lowest number below `length` for which the condition holds, as it does for all after it; `length` if for none. */
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
