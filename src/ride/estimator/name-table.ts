/**
 * Values by name. A change gives another table and leaves the one before as it was, at the cost of a path through it:
 * an estimate keeps the tables of all declarations around.
 * @source Stephen Adams: Efficient sets, a balancing act (weight-balanced trees)
 */

interface Branch<Value> {
  readonly name: string;
  readonly value: Value;
  readonly left: Tree<Value>;
  readonly right: Tree<Value>;
  readonly size: number;
}
type Tree<Value> = Branch<Value> | undefined;

/** How much larger one side may be. */
const MAX_RATIO = 3;
/** Inner grandchildren that are larger than the outer ones by this ratio come up themselves. */
const DOUBLE_RATIO = 2;

export class NameTable<Value> {
  readonly #root: Tree<Value>;

  private constructor(root: Tree<Value>) {
    this.#root = root;
  }

  static of<Value>(entries: Iterable<readonly [string, Value]> = []): NameTable<Value> {
    let root: Tree<Value>;
    for (const [name, value] of entries) root = inserted(root, name, value);
    return new NameTable(root);
  }

  get size(): number {
    return sizeOf(this.#root);
  }

  get(name: string): Value | undefined {
    let at = this.#root;
    while (at !== undefined && at.name !== name) at = name < at.name ? at.left : at.right;
    return at?.value;
  }

  with(name: string, value: Value): NameTable<Value> {
    return new NameTable(inserted(this.#root, name, value));
  }

  without(name: string): NameTable<Value> {
    return new NameTable(removed(this.#root, name));
  }

  /** In the order of the names. */
  entries(): readonly (readonly [string, Value])[] {
    const entries: (readonly [string, Value])[] = [];
    addEntries(this.#root, entries);
    return entries;
  }
}

function addEntries<Value>(tree: Tree<Value>, entries: (readonly [string, Value])[]): void {
  if (tree === undefined) return;
  addEntries(tree.left, entries);
  entries.push([tree.name, tree.value]);
  addEntries(tree.right, entries);
}

function sizeOf<Value>(tree: Tree<Value>): number {
  return tree?.size ?? 0;
}

function inserted<Value>(tree: Tree<Value>, name: string, value: Value): Branch<Value> {
  if (tree === undefined) return branch({ name, value }, undefined, undefined);
  const { left, right } = tree;
  if (name === tree.name) return branch({ name, value }, left, right);
  return name < tree.name
    ? balanced(tree, inserted(left, name, value), right)
    : balanced(tree, left, inserted(right, name, value));
}

function removed<Value>(tree: Tree<Value>, name: string): Tree<Value> {
  if (tree === undefined) return undefined;
  const { left, right } = tree;
  if (name !== tree.name)
    return name < tree.name ? balanced(tree, removed(left, name), right) : balanced(tree, left, removed(right, name));
  if (left === undefined || right === undefined) return left ?? right;
  let next = right;
  while (next.left !== undefined) next = next.left;
  return balanced(next, left, removed(right, next.name));
}

type Entry<Value> = Pick<Branch<Value>, "name" | "value">;

function branch<Value>({ name, value }: Entry<Value>, left: Tree<Value>, right: Tree<Value>): Branch<Value> {
  return { name, value, left, right, size: sizeOf(left) + sizeOf(right) + 1 };
}

/** One side may have become one larger or smaller than the balance allows. */
function balanced<Value>(entry: Entry<Value>, left: Tree<Value>, right: Tree<Value>): Branch<Value> {
  const [leftSize, rightSize] = [sizeOf(left), sizeOf(right)];
  if (leftSize + rightSize <= 1) return branch(entry, left, right);
  if (right !== undefined && rightSize > MAX_RATIO * leftSize) {
    const { left: inner, right: outer } = right;
    return inner === undefined || sizeOf(inner) < DOUBLE_RATIO * sizeOf(outer)
      ? branch(right, branch(entry, left, inner), outer)
      : branch(inner, branch(entry, left, inner.left), branch(right, inner.right, outer));
  }
  if (left !== undefined && leftSize > MAX_RATIO * rightSize) {
    const { left: outer, right: inner } = left;
    return inner === undefined || sizeOf(inner) < DOUBLE_RATIO * sizeOf(outer)
      ? branch(left, outer, branch(entry, inner, right))
      : branch(inner, branch(left, outer, inner.left), branch(entry, inner.right, right));
  }
  return branch(entry, left, right);
}
