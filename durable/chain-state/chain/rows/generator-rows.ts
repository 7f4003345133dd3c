/** What the generators of a period count for, as rows: one where it is another than before the block's parent. */
import type { GenerationPeriod } from "../../../../src/rules/finality/generation-period.ts";
import type { GeneratorSet } from "../../../../src/rules/finality/generator-set.ts";
import { generatorBalanceTable } from "../../../../src/tables/commitments.ts";
import { added, type RowChange } from "../../../../src/tables/schema/row-change.ts";

/** What a generator counts for of which no row tells. */
const UNSAID = 0n;

/**
 * @param height of the block that the generators are those of
 * @param before those of its parent
 */
export function generatorRows(
  height: number,
  { start: periodStart }: GenerationPeriod,
  { weights }: GeneratorSet,
  before: GeneratorSet,
): RowChange[] {
  const isFirst = height === periodStart;
  return weights.flatMap((balance, position) => {
    const earlier = isFirst ? UNSAID : (before.weights[position] ?? UNSAID);
    return balance === earlier ? [] : [added(generatorBalanceTable, { periodStart, position, height, balance })];
  });
}
