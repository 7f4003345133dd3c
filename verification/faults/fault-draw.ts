/** Faults of a run and their times, drawn from its seed. A run has some kinds of faults, each at its own rate. */
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { Fate } from "./distant-read-model.ts";
import type { FaultKind } from "./journal.ts";
import type { TurnFault } from "./simulated-object.ts";

/** Faults within a task. */
const turnKinds = ["kill", "failed statement"] as const satisfies readonly FaultKind[];
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

interface DrawnFate extends Fate {
  readonly kind: (typeof batchKinds)[number] | undefined;
}

export class FaultDraw {
  /** True: no faults. */
  isQuiet = false;
  readonly #random: SeededRandom;
  readonly #turns: Rates<(typeof turnKinds)[number]>;
  readonly #batches: Rates<(typeof batchKinds)[number]>;
  readonly #between: Rates<BetweenKind>;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#turns = rates(random, turnKinds, 0.15);
    this.#batches = rates(random, batchKinds, 0.25);
    this.#between = rates(random, betweenKinds, 0.35);
  }

  turn(): TurnFault | undefined {
    const kind = this.#pick(this.#turns);
    if (kind === undefined) return undefined;
    const random = this.#random;
    const after = random.below(2 ** random.between(0, MOST_STATEMENTS_LOG2));
    return kind === "kill" ? { kind: "killed", after, keeps: random.chance(0.5) } : { kind: "once", after };
  }

  between(): BetweenKind | undefined {
    return this.#pick(this.#between);
  }

  /** Fate of a batch. */
  fate(): DrawnFate {
    const random = this.#random;
    const landsMs = random.chance(0.5) ? 0 : random.below(200);
    const answerAfterMs = landsMs + random.below(50);
    // The connection breaks, or the response is too late.
    const failsAfterMs = random.chance(0.5) ? random.below(2_000) : TIME_LIMIT_MS;
    const laterMs = random.below(2 ** random.between(8, 16));
    const kind = this.#pick(this.#batches);
    switch (kind) {
      case undefined:
        return { kind, landsAfterMs: [landsMs], answerAfterMs, fails: false };
      case "batch lost":
        return { kind, landsAfterMs: [], answerAfterMs: failsAfterMs, fails: true };
      case "batch unheard":
        return { kind, landsAfterMs: [Math.min(landsMs, failsAfterMs)], answerAfterMs: failsAfterMs, fails: true };
      case "batch late":
        return { kind, landsAfterMs: [failsAfterMs + laterMs], answerAfterMs: failsAfterMs, fails: true };
      case "batch doubled":
        return { kind, landsAfterMs: [landsMs, landsMs + laterMs], answerAfterMs, fails: false };
    }
  }

  /** Clock error from now on, ms. */
  skewMs(): number {
    const random = this.#random;
    const sizeMs = Math.floor(2 ** ((random.below(1_000) / 1_000) * Math.log2(DAY_MS)));
    return random.chance(0.5) ? sizeMs : -sizeMs;
  }

  /** Duration or delay, ms: seconds to some minutes. */
  whileMs(): number {
    return this.#random.below(2 ** this.#random.between(8, 16));
  }

  /** Duration in tasks. */
  fewTurns(): number {
    return this.#random.between(1, 12);
  }

  below(limit: number): number {
    return this.#random.below(limit);
  }

  #pick<Kind extends string>(drawn: Rates<Kind>): Kind | undefined {
    if (this.isQuiet || drawn.kinds.length === 0 || !this.#random.chance(drawn.chance)) return undefined;
    return this.#random.pickByWeight(drawn.kinds).kind;
  }
}

interface Rates<Kind> {
  readonly chance: number;
  readonly kinds: readonly { readonly kind: Kind; readonly weight: number }[];
}

/** @param most upper bound of the probability */
function rates<Kind>(random: SeededRandom, kinds: readonly Kind[], most: number): Rates<Kind> {
  return {
    chance: (most * (1 + random.below(10))) / 10,
    kinds: kinds.flatMap((kind) => (random.chance(0.7) ? [{ kind, weight: 1 + random.below(4) }] : [])),
  };
}
