/**
 * Names in the order in which the reference's sets iterate: in order of insertion up to four names; after that by their
 * hashes, even if few remain. The estimate of a value depends on which of several values with shared dependencies comes
 * first.
 * @source scala.collection.immutable: Set1 to Set4, HashSet
 */
import { inHashMapOrder, textHash } from "../../protocol/hash-table-order.ts";
import { NameTable } from "./name-table.ts";

/** Maximum size of sets in order of insertion. */
const listedInOrder = 4;

export class NameSet {
  static readonly empty = new NameSet(NameTable.of(), false);
  static readonly #emptied = new NameSet(NameTable.of(), true);
  /** By the place in which they came. */
  readonly #names: NameTable<number>;
  readonly #isHashed: boolean;

  private constructor(names: NameTable<number>, wasHashed: boolean) {
    this.#names = names;
    this.#isHashed = wasHashed || names.size > listedInOrder;
  }

  get size(): number {
    return this.#names.size;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  has(name: string): boolean {
    return this.#names.get(name) !== undefined;
  }

  with(name: string): NameSet {
    return this.has(name) ? this : new NameSet(this.#names.with(name, this.#nextPlace()), this.#isHashed);
  }

  without(name: string): NameSet {
    return this.has(name) ? new NameSet(this.#names.without(name), this.#isHashed) : this;
  }

  /** Returns the same set if it contains all names. Cost: linear in the others. */
  withAll(others: NameSet): NameSet {
    let names = this.#names;
    let place = this.#nextPlace();
    for (const name of others) if (names.get(name) === undefined) names = names.with(name, place++);
    return names === this.#names ? this : new NameSet(names, this.#isHashed);
  }

  /** Cost: linear in this set. */
  withoutAll(others: NameSet): NameSet {
    if (others === this) return this.#isHashed ? NameSet.#emptied : NameSet.empty;
    const kept = this.#names.entries().filter(([name]) => !others.has(name));
    return new NameSet(NameTable.of(kept), this.#isHashed);
  }

  [Symbol.iterator](): Iterator<string> {
    const entries = this.#names.entries();
    const names = (this.#isHashed ? entries : entries.toSorted(([, left], [, right]) => left - right)).map(
      ([name]) => name,
    );
    return (this.#isHashed ? inHashMapOrder(names, textHash) : names)[Symbol.iterator]();
  }

  /** Beyond those of names that have left in the meantime. */
  #nextPlace(): number {
    let next = 0;
    if (!this.#isHashed) for (const [, place] of this.#names.entries()) next = Math.max(next, place + 1);
    return next;
  }
}
