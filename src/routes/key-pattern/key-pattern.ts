/**
 * Regular expressions over keys, without the danger of JavaScript's own: no step is tried twice at the same place of a
 * text, and no class is asked twice of a character, so that a text costs at most the pattern's steps times its
 * characters, whoever wrote the pattern. What is matched apart from the rest, to look ahead or behind, may cost that
 * once more for each place: a text has an end of its own, too.
 */
import { parsePattern } from "./parse-pattern.ts";
import { PatternError } from "./pattern-node.ts";
import { type PatternProgram, type PatternStep, patternProgram } from "./pattern-program.ts";
import { SeenCharacters } from "./seen-characters.ts";

const maxPatternLength = 4000;
/** A step of the matcher, in comparisons of a character. */
const stepWork = 5;
/** A match of what stands apart is begun. */
const apartWork = 50;
/** Work of one key: less than 100 ms. Only patterns with parts that stand apart come near it with a key of the chain. */
const maxWorkOfKey = 10_000_000;

export class KeyPattern {
  readonly #program: PatternProgram;
  /** What may still be done, for all keys and for this one. */
  #workLeft: number;
  #workOfKeyLeft = 0;
  readonly #seen: SeenCharacters;
  /** For each step and place, the run that was there last. */
  #visits = new Int32Array(0);
  #run = 0;

  private constructor(program: PatternProgram, maxWork: number) {
    this.#program = program;
    this.#seen = new SeenCharacters(program.dearTests);
    this.#workLeft = maxWork;
  }

  /**
   * @param maxWork that all calls of `matches` may do together, in comparisons of a character: a few nanoseconds each
   * @returns undefined for what is no pattern, or one that is not supported
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

  /** Whether the whole key matches. @throws RangeError when the work is used up, or the key takes too much */
  matches(key: string): boolean {
    const text = Array.from(key, (character) => character.codePointAt(0) as number);
    const cells = this.#program.steps.length * (text.length + 1);
    if (this.#visits.length < cells) this.#visits = new Int32Array(cells);
    this.#seen.begin(text);
    this.#workOfKeyLeft = maxWorkOfKey;
    const ends = new Map<number, number | undefined>();
    return this.#endOfMatch({ text, ends }, this.#program.start, 0, text.length) !== undefined;
  }

  /**
   * Where the preferred match ends that begins with the step at the index; undefined: there is none.
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
    this.#workLeft -= work;
    this.#workOfKeyLeft -= work;
    if (this.#workLeft < 0 || this.#workOfKeyLeft < 0) throw new RangeError("matching takes too long");
  }

  #has({ test, dear }: Extract<PatternStep, { kind: "character" }>, { text }: MatchedKey, at: number): boolean {
    if (dear === undefined) return test(text[at] as number);
    const known = this.#seen.find(dear, at);
    if (known !== undefined) return known;
    this.#spend(test.work);
    const has = test(text[at] as number);
    this.#seen.keep(dear, at, has);
    return has;
  }

  #sees(key: MatchedKey, { body, isBehind }: Extract<PatternStep, { kind: "look" }>, at: number): boolean {
    const found = this.#once(key, body, at, () => {
      if (!isBehind) return this.#endOfMatch(key, body, at, undefined);
      for (let start = at; start >= 0; start--) if (this.#endOfMatch(key, body, start, at) !== undefined) return at;
      return undefined;
    });
    return found !== undefined;
  }

  /** What stands apart is matched at a place once only. */
  #once({ text, ends }: MatchedKey, body: number, at: number, match: () => number | undefined): number | undefined {
    const cell = body * (text.length + 1) + at;
    if (!ends.has(cell)) ends.set(cell, match());
    return ends.get(cell);
  }
}

interface MatchedKey {
  readonly text: readonly number[];
  /** Ends of the matches of what stands apart, by step and place. */
  readonly ends: Map<number, number | undefined>;
}
