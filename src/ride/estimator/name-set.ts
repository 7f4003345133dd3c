/**
 * Names in the order in which the reference's sets hand them out: as they came, until there were more than four; from
 * then on by their hashes, even where few are left. What a value counts depends on which of those that share others
 * comes first.
 * @source scala.collection.immutable: Set1 to Set4, HashSet
 */
import { inHashMapOrder, textHash } from "../../protocol/hash-table-order.ts";

/** A set of at most so many keeps them in the order in which they came. */
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

  /** The same set where it has them all. */
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
