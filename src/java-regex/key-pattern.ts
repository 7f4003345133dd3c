/**
 * Regular expressions over keys with bounded work, unlike JavaScript's own: no step is tried twice at the same index of
 * a text, and no class is tested twice on a character. So a text costs at most the pattern's steps times its
 * characters, whatever the pattern. Lookahead, lookbehind and atomic groups are matched separately, and may cost that
 * once more for each index: so a text has a limit of its own, too.
 */
import { parsePattern } from "./parse-pattern.ts";
import { PatternError } from "./pattern-node.ts";
import { type PatternProgram, type PatternStep, patternProgram } from "./pattern-program.ts";
import { SeenCharacters } from "./seen-characters.ts";

const maxPatternLength = 4000;
/** Cost of a matcher step, in comparisons of a character. */
const stepWork = 5;
/** Cost of starting a separate match. */
const apartWork = 50;
/**
 * Maximum work of one key: less than 100 ms. With keys of the chain only patterns with separate matches come near it.
 */
const maxWorkOfKey = 10_000_000;

export class KeyPattern {
  readonly #program: PatternProgram;
  /** Remaining work for all keys, and for the current one. */
  #remainingWork: number;
  #remainingKeyWork = 0;
  readonly #seen: SeenCharacters;
  /** Last run that visited each step and index. */
  #visits = new Int32Array(0);
  #run = 0;

  private constructor(program: PatternProgram, maxWork: number) {
    this.#program = program;
    this.#seen = new SeenCharacters(program.expensiveTests);
    this.#remainingWork = maxWork;
  }

  /**
   * @param maxWork maximum work of all calls of `matches` together, in comparisons of a character: a few nanoseconds
   *   each
   * @returns undefined for an invalid or unsupported pattern
   */
  static parse(source: string, maxWork: number): KeyPattern | undefined {
    if (source.length > maxPatternLength) return undefined;
    try {
      return new KeyPattern(patternProgram(parsePattern(source)), maxWork);
    } catch (error) {
      if (error instanceof PatternError) return undefined;
      throw error;
    }
  }

  /** Whether the whole key matches. @throws RangeError if the work is used up, or the key takes too much */
  matches(key: string): boolean {
    const text = Array.from(key, (character) => character.codePointAt(0) as number);
    const cells = this.#program.steps.length * (text.length + 1);
    if (this.#visits.length < cells) this.#visits = new Int32Array(cells);
    this.#seen.begin(text);
    this.#remainingKeyWork = maxWorkOfKey;
    const ends = new Map<number, number | undefined>();
    return this.#endOfMatch({ text, ends }, this.#program.start, 0, text.length) !== undefined;
  }

  /**
   * End of the preferred match that begins with the step at the index; undefined: there is none.
   * @param mustEndAt the only end that counts
   */
  #endOfMatch(key: MatchedKey, step: number, index: number, mustEndAt: number | undefined): number | undefined {
    this.#spend(apartWork);
    const { steps } = this.#program;
    const width = key.text.length + 1;
    this.#run += 1;
    const run = this.#run;
    const waiting = [step, index];
    while (waiting.length > 0) {
      const at = waiting.pop() as number;
      const number = waiting.pop() as number;
      const cell = number * width + at;
      if (this.#visits[cell] === run) continue;
      this.#visits[cell] = run;
      this.#spend(stepWork);
      const current = steps[number] as PatternStep;
      switch (current.kind) {
        case "end":
          if (mustEndAt === undefined || mustEndAt === at) return at;
          break;
        case "character":
          if (at < key.text.length && this.#has(current, key, at)) waiting.push(current.next, at + 1);
          break;
        case "place":
          if (current.test(key.text, at)) waiting.push(current.next, at);
          break;
        case "fork":
          waiting.push(current.otherwise, at, current.next, at);
          break;
        case "look":
          if (this.#sees(key, current, at) !== current.isNegative) waiting.push(current.next, at);
          break;
        case "atomic": {
          const end = this.#once(key, current.body, at, () => this.#endOfMatch(key, current.body, at, undefined));
          if (end !== undefined) waiting.push(current.next, end);
          break;
        }
      }
    }
    return undefined;
  }

  #spend(work: number): void {
    this.#remainingWork -= work;
    this.#remainingKeyWork -= work;
    if (this.#remainingWork < 0 || this.#remainingKeyWork < 0) throw new RangeError("matching takes too long");
  }

  #has({ test, expensive }: Extract<PatternStep, { kind: "character" }>, { text }: MatchedKey, at: number): boolean {
    if (expensive === undefined) return test(text[at] as number);
    const known = this.#seen.find(expensive, at);
    if (known !== undefined) return known;
    this.#spend(test.work);
    const has = test(text[at] as number);
    this.#seen.store(expensive, at, has);
    return has;
  }

  #sees(key: MatchedKey, { body, isLookbehind }: Extract<PatternStep, { kind: "look" }>, at: number): boolean {
    const found = this.#once(key, body, at, () => {
      if (!isLookbehind) return this.#endOfMatch(key, body, at, undefined);
      for (let start = at; start >= 0; start--) if (this.#endOfMatch(key, body, start, at) !== undefined) return at;
      return undefined;
    });
    return found !== undefined;
  }

  /** Runs a separate match only once per index. */
  #once({ text, ends }: MatchedKey, body: number, at: number, match: () => number | undefined): number | undefined {
    const cell = body * (text.length + 1) + at;
    if (!ends.has(cell)) ends.set(cell, match());
    return ends.get(cell);
  }
}

interface MatchedKey {
  readonly text: readonly number[];
  /** Ends of separate matches, by step and index. */
  readonly ends: Map<number, number | undefined>;
}
