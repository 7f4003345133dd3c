/** Delays and base targets of blocks, by the node's formulas. */
import { nextBaseTarget } from "../../../src/rules/consensus/base-target.ts";
import { blockDelayMs } from "../../../src/rules/consensus/block-delay.ts";
import { hitOf } from "../../../src/rules/consensus/hit.ts";
import { fairPosOfSettings } from "../../../src/rules/consensus/pos-algorithm.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { BlockForm } from "./block-form.ts";
import type { CommitteeWorld } from "./committee-world.ts";

/** Members of a parent form. */
type Below = Pick<BlockForm, "height" | "baseTarget" | "header" | "line">;

interface Delay {
  readonly height: number;
  readonly baseTarget: bigint;
  readonly generatingBalance: bigint;
  readonly delayMs: bigint;
}

/** The last computed delay of each account. PERF: half of a run was logarithms, the same ones for each micro-block. */
const lastDelays = new WeakMap<CommitteeWorld, Map<number, Delay>>();

/**
 * Time after the parent at which an account may forge, ms. The hit does not depend on the parent, because its source is
 * a hundred blocks old.
 * @param generatingBalance wavelets
 */
export function delayOf(
  { height, baseTarget }: Below,
  { number, generatingBalance }: { readonly number: number; readonly generatingBalance: bigint },
  world: CommitteeWorld,
): bigint {
  const known = lastDelays.get(world) ?? new Map<number, Delay>();
  lastDelays.set(world, known);
  const last = known.get(number);
  if (last?.height === height && last.baseTarget === baseTarget && last.generatingBalance === generatingBalance)
    return last.delayMs;
  const hit = hitOf(new SeededRandom(`${world.seed}/turn ${height + 1} ${number}`).bytes(8));
  const algorithm = fairPosOfSettings(world.settings.functionality);
  const delayMs = blockDelayMs(algorithm, { hit, baseTarget, generatingBalance });
  known.set(number, { height, baseTarget, generatingBalance, delayMs });
  return delayMs;
}

/** Base target of the block after a form. */
export function baseTargetOn(
  { height, baseTarget, header, line }: Below,
  timestampMs: bigint,
  world: CommitteeWorld,
): bigint {
  return nextBaseTarget(fairPosOfSettings(world.settings.functionality), {
    averageBlockDelayMs: world.settings.genesis.averageBlockDelayMs,
    parentHeight: height,
    parentBaseTarget: baseTarget,
    parentTimestampMs: header.timestamp,
    greatGrandparentTimestampMs: line[height - 3]?.header.timestamp,
    timestampMs,
  });
}
