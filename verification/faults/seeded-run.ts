/** Runs of a seed, by number. */
import { type ChainVariant, referenceVariants } from "../chain-generator/generated-network.ts";
import { SeededRandom } from "../chain-generator/seeded-random.ts";
import { type FaultRunOptions, type FaultRunReport, faultRun } from "./fault-run.ts";
import { makeWorld } from "./generated-world.ts";

/**
 * In the reference's own variants many transactions wait for their feature. In committed ones generators commit to
 * periods of some blocks, vote, and make blocks final.
 */
const worlds: readonly { readonly variants: readonly ChainVariant[]; readonly weight: number }[] = [
  { variants: ["active"], weight: 5 },
  { variants: ["committed"], weight: 2 },
  { variants: referenceVariants, weight: 3 },
];
const LEAST_STAGED_BLOCKS = 12;
const MOST_STAGED_BLOCKS = 30;
const NETWORK_SEED_COUNT = 1_000;
const LEAST_FAULTS = 15;
const MOST_FAULTS = 40;

/** Options of a run, drawn from the seed. @param faults default: drawn from the seed */
export function seededOptions(seed: number, number: number, faults?: number): FaultRunOptions {
  const name = `${seed}/${number}`;
  const random = new SeededRandom(name);
  const variant = random.pick(random.pickByWeight(worlds).variants);
  const blocks = random.between(LEAST_STAGED_BLOCKS, MOST_STAGED_BLOCKS);
  const world = makeWorld(variant, random.below(NETWORK_SEED_COUNT), blocks);
  return { seed: name, world, faults: faults ?? random.between(LEAST_FAULTS, MOST_FAULTS) };
}

/** @param faults see `seededOptions` */
export function seededRun(seed: number, number: number, faults?: number): Promise<FaultRunReport> {
  return faultRun(seededOptions(seed, number, faults));
}
