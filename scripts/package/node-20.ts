/** Polyfills of language features that Node 20 lacks; the build injects them. */
Map.groupBy ??= groupBy;

/** @source ECMAScript 2024, Map.groupBy */
function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
