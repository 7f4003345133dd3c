/** A regular expression as steps of a matcher. */
import { type BoundaryMatcher, type CharacterTest, PatternError, type PatternNode } from "./pattern-node.ts";

/** `next`, `otherwise` and `body` are numbers of steps. */
export type PatternStep =
  /** `dear`: number of the test among those with cached results. */
  | {
      readonly kind: "character";
      readonly test: CharacterTest;
      readonly expensive: number | undefined;
      readonly next: number;
    }
  | { readonly kind: "place"; readonly test: BoundaryMatcher; readonly next: number }
  /** Continues with `next`, and if that fails with `otherwise`. */
  | { readonly kind: "fork"; next: number; otherwise: number }
  | {
      readonly kind: "look";
      readonly body: number;
      readonly isLookbehind: boolean;
      readonly isNegative: boolean;
      readonly next: number;
    }
  | { readonly kind: "atomic"; readonly body: number; readonly next: number }
  | { readonly kind: "end" };

export interface PatternProgram {
  readonly steps: readonly PatternStep[];
  readonly start: number;
  /** Number of tests with cached results. */
  readonly expensiveTests: number;
}

/** Maximum of steps, which is the work of a pattern for each index of a text. */
const maxSteps = 1000;
/** Cost from which on a test costs more than a lookup of its cached result. */
const expensiveFrom = 5;
/** Maximum of nodes: repetitions without steps count, too. */
const maxNodes = 20_000;

/** @throws PatternError if it has too many steps */
export function patternProgram(pattern: PatternNode): PatternProgram {
  const writer = new ProgramWriter();
  const start = writer.write(pattern, writer.add({ kind: "end" }));
  return { steps: writer.steps, start, expensiveTests: writer.expensiveTests };
}

class ProgramWriter {
  readonly steps: PatternStep[] = [];
  readonly #expensive = new Map<CharacterTest, number>();
  #nodes = 0;

  get expensiveTests(): number {
    return this.#expensive.size;
  }

  add(step: PatternStep): number {
    if (this.steps.length >= maxSteps) throw new PatternError("too long");
    return this.steps.push(step) - 1;
  }

  /** Writes the steps that match the node and continue with the step `next`. @returns the first step */
  write(node: PatternNode, next: number): number {
    this.#nodes += 1;
    if (this.#nodes > maxNodes) throw new PatternError("too long");
    switch (node.kind) {
      case "character":
        return this.add({ ...node, expensive: this.#expensiveNumber(node.test), next });
      case "place":
        return this.add({ ...node, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => this.write(part, after), next);
      case "choice":
        return node.options
          .map((option) => this.write(option, next))
          .reduceRight((otherwise, option) => this.add({ kind: "fork", next: option, otherwise }));
      case "look": {
        const { isLookbehind, isNegative } = node;
        return this.add({ kind: "look", body: this.#apart(node.body), isLookbehind, isNegative, next });
      }
      case "atomic":
        return this.add({ kind: "atomic", body: this.#apart(node.body), next });
      case "repeat":
        if (node.mode !== "possessive") return this.#repeat(node, next);
        return this.add({ kind: "atomic", body: this.#apart({ ...node, mode: "greedy" }), next });
    }
  }

  /** Repetitions share the test. */
  #expensiveNumber(test: CharacterTest): number | undefined {
    if (test.work < expensiveFrom) return undefined;
    const number = this.#expensive.get(test) ?? this.#expensive.size;
    this.#expensive.set(test, number);
    return number;
  }

  #apart(body: PatternNode): number {
    return this.write(body, this.add({ kind: "end" }));
  }

  #repeat({ body, min, max, mode }: Extract<PatternNode, { kind: "repeat" }>, next: number): number {
    const fork = (again: number, done: number): number =>
      this.add(
        mode === "lazy"
          ? { kind: "fork", next: done, otherwise: again }
          : { kind: "fork", next: again, otherwise: done },
      );
    let start = next;
    if (max === undefined) {
      // A round without progress returns to an index already visited, and ends there.
      start = fork(next, next);
      const loop = this.steps[start] as Extract<PatternStep, { kind: "fork" }>;
      const round = this.write(body, start);
      if (mode === "lazy") loop.otherwise = round;
      else loop.next = round;
    } else for (let count = min; count < max; count++) start = fork(this.write(body, start), next);
    for (let count = 0; count < min; count++) start = this.write(body, start);
    return start;
  }
}
