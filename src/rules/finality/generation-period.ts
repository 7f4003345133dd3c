/**
 * Generation periods: from feature 25 on the chain is divided into periods of a configured number of blocks, and
 * generators commit to the next one.
 * @source docs/protocol/consensus-and-finality.md 3.1; Waves 1.6: state/GenerationPeriod.scala
 */
import { Feature } from "../../network/features.ts";
import type { StateView } from "../state/state-view.ts";

/** Range of heights, both inclusive. */
export interface GenerationPeriod {
  readonly start: number;
  readonly end: number;
}

/** State on which periods depend. */
type PeriodView = Pick<StateView, "activationHeight" | "settings">;

/**
 * Period of the height; undefined before the activation. The first one begins with the activation and is one block
 * longer than the others. No generator can commit to the first one.
 */
export function generationPeriodAt(height: number, view: PeriodView): GenerationPeriod | undefined {
  const activation = view.activationHeight(Feature.DeterministicFinality);
  if (activation === undefined || height < activation) return undefined;
  const length = view.settings.functionality.generationPeriodLength;
  if (height <= activation + length) return { start: activation, end: activation + length };
  const index = Math.floor((height - activation - 1) / length);
  return { start: activation + index * length + 1, end: activation + (index + 1) * length };
}

/** Period after the one of the height: the only one open for commitments there. */
export function nextGenerationPeriod(height: number, view: PeriodView): GenerationPeriod | undefined {
  const current = generationPeriodAt(height, view);
  return current && generationPeriodAt(current.end + 1, view);
}
