/** Balances with which the generators of a period count, as rows: one for each change since the block's parent. */
import type { GenerationPeriod } from "../../../../src/rules/finality/generation-period.ts";
import type { GeneratorSet } from "../../../../src/rules/finality/generator-set.ts";
import { generatorBalanceTable } from "../../../../src/tables/commitments.ts";
import { added, type RowChange } from "../../../../src/tables/schema/row-change.ts";

/** Balance of a generator without a row. */
const UNSAID = 0n;

/**
 * @param height of the generators' block
 * @param before generators of its parent
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
