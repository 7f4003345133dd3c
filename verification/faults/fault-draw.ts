/** Faults of a run and their times, drawn from its seed. A run has some kinds of faults, each at its own rate. */
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { BatchFate } from "./distant-read-model.ts";
import type { FaultKind } from "./journal.ts";
import type { TaskFault } from "./simulated-object.ts";

/** Faults within a task. */
const taskFaultKinds = ["kill", "failed statement"] as const satisfies readonly FaultKind[];
/** Faults of a batch in flight. */
const batchKinds = [
  "batch lost",
  "batch unheard",
  "batch late",
  "batch doubled",
] as const satisfies readonly FaultKind[];
/** Faults between two tasks. */
const betweenKinds = [
  "eviction",
  "full disk",
  "read model away",
  "read model lost",
  "read model restored",
  "read model of another chain",
  "clock jump",
  "alarm lost",
  "alarm late",
  "alarm doubled",
] as const satisfies readonly FaultKind[];

export type BetweenKind = (typeof betweenKinds)[number];

/** A task has up to some hundred statements, most have few: the first ones fail as often as all later ones. */
const MOST_STATEMENTS_LOG2 = 9;
const DAY_MS = 86_400_000;
/** Timeout of a D1 call. */
const TIME_LIMIT_MS = 40_000;

interface DrawnFate extends BatchFate {
  readonly kind: (typeof batchKinds)[number] | undefined;
}

export class FaultDraw {
  /** True: no faults. */
  isQuiet = false;
  readonly #random: SeededRandom;
  readonly #taskFaults: FaultDistribution<(typeof taskFaultKinds)[number]>;
  readonly #batches: FaultDistribution<(typeof batchKinds)[number]>;
  readonly #between: FaultDistribution<BetweenKind>;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#taskFaults = drawDistribution(random, taskFaultKinds, 0.15);
    this.#batches = drawDistribution(random, batchKinds, 0.25);
    this.#between = drawDistribution(random, betweenKinds, 0.35);
  }

  taskFault(): TaskFault | undefined {
    const kind = this.#pick(this.#taskFaults);
    if (kind === undefined) return undefined;
    const random = this.#random;
    const after = random.below(2 ** random.between(0, MOST_STATEMENTS_LOG2));
    return kind === "kill" ? { kind: "killed", after, persists: random.boolean(0.5) } : { kind: "once", after };
  }

  between(): BetweenKind | undefined {
    return this.#pick(this.#between);
  }

  /** Fate of a batch. */
  fate(): DrawnFate {
    const random = this.#random;
    const landsMs = random.boolean(0.5) ? 0 : random.below(200);
    const answerAfterMs = landsMs + random.below(50);
    // The connection breaks, or the response is too late.
    const failsAfterMs = random.boolean(0.5) ? random.below(2_000) : TIME_LIMIT_MS;
    const laterMs = random.below(2 ** random.between(8, 16));
    const kind = this.#pick(this.#batches);
    switch (kind) {
      case undefined:
        return { kind, landsAfterMs: [landsMs], resultAfterMs: answerAfterMs, fails: false };
      case "batch lost":
        return { kind, landsAfterMs: [], resultAfterMs: failsAfterMs, fails: true };
      case "batch unheard":
        return { kind, landsAfterMs: [Math.min(landsMs, failsAfterMs)], resultAfterMs: failsAfterMs, fails: true };
      case "batch late":
        return { kind, landsAfterMs: [failsAfterMs + laterMs], resultAfterMs: failsAfterMs, fails: true };
      case "batch doubled":
        return { kind, landsAfterMs: [landsMs, landsMs + laterMs], resultAfterMs: answerAfterMs, fails: false };
    }
  }

  /** Clock error from now on, ms. */
  skewMs(): number {
    const random = this.#random;
    const sizeMs = Math.floor(2 ** ((random.below(1_000) / 1_000) * Math.log2(DAY_MS)));
    return random.boolean(0.5) ? sizeMs : -sizeMs;
  }

  /** Duration or delay, ms: seconds to some minutes. */
  whileMs(): number {
    return this.#random.below(2 ** this.#random.between(8, 16));
  }

  /** Duration in tasks. */
  fewTasks(): number {
    return this.#random.between(1, 12);
  }

  below(limit: number): number {
    return this.#random.below(limit);
  }

  #pick<Kind extends string>(drawn: FaultDistribution<Kind>): Kind | undefined {
    if (this.isQuiet || drawn.kinds.length === 0 || !this.#random.boolean(drawn.probability)) return undefined;
    return this.#random.pickByWeight(drawn.kinds).kind;
  }
}

interface FaultDistribution<Kind> {
  readonly probability: number;
  readonly kinds: readonly { readonly kind: Kind; readonly weight: number }[];
}

/** @param most upper bound of the probability */
function drawDistribution<Kind>(random: SeededRandom, kinds: readonly Kind[], most: number): FaultDistribution<Kind> {
  return {
    probability: (most * (1 + random.below(10))) / 10,
    kinds: kinds.flatMap((kind) => (random.boolean(0.7) ? [{ kind, weight: 1 + random.below(4) }] : [])),
  };
}
