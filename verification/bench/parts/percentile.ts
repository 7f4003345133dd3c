/**
 * The smallest value that at least this share of the values does not exceed (nearest rank).
 * @param share above 0, up to 1
 * @returns undefined of no values
 */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(Math.ceil(share * sorted.length), 1) - 1];
}
