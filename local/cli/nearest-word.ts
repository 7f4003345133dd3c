/** Largest edit distance that still counts as a typing error. */
const MAX_DISTANCE = 3;

/**
 * The known word nearest to a mistyped one.
 * @returns undefined when none is near
 */
export function findNearestWord(typed: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((word) => ({ word, distance: editDistance(typed, word) }))
    .filter(({ word, distance }) => distance <= Math.min(MAX_DISTANCE, word.length - 1))
    .sort((left, right) => left.distance - right.distance);
  return ranked[0]?.word;
}

/** Levenshtein distance: insertions, deletions and replacements between two words. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
