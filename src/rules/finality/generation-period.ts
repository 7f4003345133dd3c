/**
 * Generation periods: from feature 25 on time is cut into periods of as many blocks as the settings say, and generators
 * commit themselves to the next one.
 * @source docs/protocol/consensus-and-finality.md 3.1; Waves 1.6: state/GenerationPeriod.scala
 */
import { Feature } from "../../network/features.ts";
import type { StateView } from "../state/state-view.ts";

/** Heights; both ends belong to it. */
export interface GenerationPeriod {
  readonly start: number;
  readonly end: number;
}

/** What periods depend on. */
type PeriodView = Pick<StateView, "activationHeight" | "settings">;

/**
 * The period that holds the height: the first one begins with the activation and is one block longer than the others.
 * Nobody can commit to the first one. Undefined before the activation.
 */
export function generationPeriodAt(height: number, view: PeriodView): GenerationPeriod | undefined {
  const activation = view.activationHeight(Feature.DeterministicFinality);
  if (activation === undefined || height < activation) return undefined;
  const length = view.settings.functionality.generationPeriodLength;
  if (height <= activation + length) return { start: activation, end: activation + length };
  const index = Math.floor((height - activation - 1) / length);
  return { start: activation + index * length + 1, end: activation + (index + 1) * length };
}

/** The period behind the one that holds the height: the only one that can be committed to there. */
export function nextGenerationPeriod(height: number, view: PeriodView): GenerationPeriod | undefined {
  const current = generationPeriodAt(height, view);
  return current && generationPeriodAt(current.end + 1, view);
}
