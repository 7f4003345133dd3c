/**
 * The ways in which nodes of the reference may have come to the state hash of a block. What some of its rules give depends on what a node
 * has seen before; where anything in the block rests on that, and its own way does not fit, the others are tried.
 */
import { RuleError } from "../../protocol/faults.ts";
import { DataSpellings } from "../state/data-spellings.ts";
import { FirstVerdicts } from "../state/foreign-addresses.ts";
import { StoredParent } from "../state/stored-parent.ts";

export interface JudgingWay {
  readonly foreignAddresses: FirstVerdicts;
  /** Undefined: its transactions see the parent as the view shows it. */
  readonly storedParent: StoredParent | undefined;
  readonly spellings: DataSpellings;
}

/** What scripts asked before the block for an address of another chain: nobody did, or each was an address to him, or none was. */
const verdictsBefore = [undefined, true, false];

/**
 * One after the other, as long as anything depended on the one before; at most eleven. While anything else is varied, data keys are
 * those of a reference that has run for long.
 * @param ownsTransactions whether those of the block came with the key block; false: they may, or in micro-blocks
 */
function* judgingWays(ownsTransactions: boolean): Iterable<JudgingWay> {
  for (const before of verdictsBefore) {
    const verdicts: FirstVerdicts[] = [];
    const wayWith = (hasStoredParent: boolean, spellings = new DataSpellings()): JudgingWay => {
      const foreignAddresses = new FirstVerdicts(before);
      verdicts.push(foreignAddresses);
      return { foreignAddresses, storedParent: hasStoredParent ? new StoredParent() : undefined, spellings };
    };
    for (const spellings of before === undefined ? DataSpellings.ways() : [new DataSpellings()]) {
      const isFirst = verdicts.length === 0;
      const way = wayWith(!ownsTransactions, spellings);
      yield way;
      if (isFirst && way.storedParent?.hasMattered === true) yield wayWith(false);
    }
    if (!verdicts.some(({ hasMattered }) => hasMattered)) return;
  }
}

/**
 * Result of `judge` in the first way in which nothing is wrong.
 * @param judge throws RuleError where something is; not run again in ways that are known to be wrong
 * @throws RuleError the fault of the first way
 */
export function judgedInAnyWay<T>(ways: RepeatableWays, judge: (way: JudgingWay) => T): T {
  let fault: RuleError | undefined;
  for (const way of ways) {
    const known = ways.outcomeOf(way);
    if (known !== undefined && known !== "right") {
      fault ??= known;
      continue;
    }
    try {
      return judge(way);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      ways.note(way, error);
      fault ??= error;
    }
  }
  throw fault as RuleError;
}

/**
 * Fault of each way, undefined where nothing is wrong.
 * @param judge throws RuleError where something is; not run again in ways of which it is known
 */
export function faultsInAnyWay(
  ways: RepeatableWays,
  judge: (way: JudgingWay) => void,
): readonly (RuleError | undefined)[] {
  const faults: (RuleError | undefined)[] = [];
  for (const way of ways) {
    const outcome = ways.outcomeOf(way) ?? outcomeOf(() => judge(way));
    ways.note(way, outcome);
    faults.push(outcome === "right" ? undefined : outcome);
  }
  return faults;
}

function outcomeOf(judge: () => void): WayOutcome {
  try {
    judge();
    return "right";
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
}

/** Verdict on a block in one way. */
export type WayOutcome = RuleError | "right";

/** Ways that can be gone through again: each time the same ones, with what was told in them before. */
export class RepeatableWays implements Iterable<JudgingWay> {
  readonly #source: Iterator<JudgingWay>;
  readonly #known: JudgingWay[] = [];
  readonly #outcomes = new Map<JudgingWay, WayOutcome>();

  constructor(ownsTransactions: boolean) {
    this.#source = judgingWays(ownsTransactions)[Symbol.iterator]();
  }

  *[Symbol.iterator](): Iterator<JudgingWay> {
    for (let index = 0; ; index++) {
      const way = this.#known[index] ?? this.#source.next().value;
      if (way === undefined) return;
      this.#known[index] = way;
      yield way;
    }
  }

  /** Undefined: the way was not gone to its end. */
  outcomeOf(way: JudgingWay): WayOutcome | undefined {
    return this.#outcomes.get(way);
  }

  note(way: JudgingWay, outcome: WayOutcome): void {
    this.#outcomes.set(way, outcome);
  }
}
