/** The runs of a seed, by their numbers. */
import { referenceVariants } from "../chain-maker/made-network.ts";
import { SeededRandom } from "../chain-maker/seeded-random.ts";
import { faultRun, type RunReport } from "./fault-run.ts";
import { makeWorld } from "./made-world.ts";

/** On the other networks many transactions wait for their feature. */
const ACTIVE_CHANCE = 0.7;
const LEAST_STAGED_BLOCKS = 12;
const MOST_STAGED_BLOCKS = 30;
const MADE_NETWORKS = 1_000;
const LEAST_FAULTS = 15;
const MOST_FAULTS = 40;

/** @param faults of the run; by default as many as the seed draws */
export function seededRun(seed: number, number: number, faults?: number): Promise<RunReport> {
  const name = `${seed}/${number}`;
  const random = new SeededRandom(name);
  const variant = random.chance(ACTIVE_CHANCE) ? "active" : random.pick(referenceVariants);
  const blocks = random.between(LEAST_STAGED_BLOCKS, MOST_STAGED_BLOCKS);
  const world = makeWorld(variant, random.below(MADE_NETWORKS), blocks);
  return faultRun({ seed: name, world, faults: faults ?? random.between(LEAST_FAULTS, MOST_FAULTS) });
}
