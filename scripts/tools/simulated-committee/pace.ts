/** When blocks come and what they weigh, by the formulas of the node. */
import { nextBaseTarget } from "../../../src/rules/consensus/base-target.ts";
import { blockDelayMs } from "../../../src/rules/consensus/block-delay.ts";
import { hitOf } from "../../../src/rules/consensus/hit.ts";
import { fairPosOfSettings } from "../../../src/rules/consensus/pos-algorithm.ts";
import { SeededRandom } from "../chain-maker/seeded-random.ts";
import type { BlockForm } from "./block-form.ts";
import type { CommitteeWorld } from "./committee-world.ts";

/** Of a form that a block stands on. */
type Below = Pick<BlockForm, "height" | "baseTarget" | "header" | "line">;

/**
 * How long after the block below an account may generate, ms. Its luck is the same whatever that block is: what it is drawn from is a
 * hundred blocks old.
 * @param generatingBalance wavelets
 */
export function delayOf(
  below: Below,
  { number, generatingBalance }: { readonly number: number; readonly generatingBalance: bigint },
  world: CommitteeWorld,
): bigint {
  const { height, baseTarget } = below;
  const hit = hitAt(world, height + 1, number);
  return blockDelayMs(fairPosOfSettings(world.settings.functionality), { hit, baseTarget, generatingBalance });
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

const hits = new WeakMap<CommitteeWorld, Map<string, bigint>>();

function hitAt(world: CommitteeWorld, height: number, number: number): bigint {
  let known = hits.get(world);
  if (known === undefined) {
    known = new Map();
    hits.set(world, known);
  }
  const key = `${height} ${number}`;
  let hit = known.get(key);
  if (hit === undefined) {
    hit = hitOf(new SeededRandom(`${world.seed}/turn ${key}`).bytes(8));
    known.set(key, hit);
  }
  return hit;
}
