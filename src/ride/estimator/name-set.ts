/**
 * Names in the order in which the reference's sets iterate: in order of insertion up to four names; after that by their
 * hashes, even if few remain. The estimate of a value depends on which of several values with shared dependencies comes
 * first.
 * @source scala.collection.immutable: Set1 to Set4, HashSet
 */
import { inHashMapOrder, textHash } from "../../protocol/hash-table-order.ts";

/** Maximum size of sets in order of insertion. */
const listedInOrder = 4;

export class NameSet {
  static readonly empty = new NameSet(new Set(), false);
  readonly #names: ReadonlySet<string>;
  readonly #isHashed: boolean;

  private constructor(names: ReadonlySet<string>, wasHashed: boolean) {
    this.#names = names;
    this.#isHashed = wasHashed || names.size > listedInOrder;
  }

  get size(): number {
    return this.#names.size;
  }

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  with(name: string): NameSet {
    return this.#names.has(name) ? this : new NameSet(new Set(this.#names).add(name), this.#isHashed);
  }

  without(name: string): NameSet {
    if (!this.#names.has(name)) return this;
    const names = new Set(this.#names);
    names.delete(name);
    return new NameSet(names, this.#isHashed);
  }

  /** Returns the same set if it contains all names. */
  withAll(others: NameSet): NameSet {
    return [...others.#names].every((name) => this.#names.has(name))
      ? this
      : new NameSet(new Set([...this.#names, ...others]), this.#isHashed);
  }

  withoutAll(others: NameSet): NameSet {
    return new NameSet(new Set([...this.#names].filter((name) => !others.has(name))), this.#isHashed);
  }

  [Symbol.iterator](): Iterator<string> {
    const names = [...this.#names];
    return (this.#isHashed ? inHashMapOrder(names, textHash) : names)[Symbol.iterator]();
  }
}
