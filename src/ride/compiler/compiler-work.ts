/**
 * Work of the compiler for one request. A compiler that counts its steps stops after as many as a hand-written source
 * of that number of tokens takes.
 * @see docs/decisions/0067-bounds-on-client-chosen-work.md
 */
import type { RideLang } from "@waves/ride-lang";
import { dropCompiler, loadCompiler, loadedCompiler } from "./load-compiler.ts";
import { SourceTooLong } from "./source-bound.ts";

/** Steps for tables that the compiler makes once, errors, and comments. */
const BASE_STEPS = 20_000_000;
/** Steps per token: sources that people write take less. */
const TOKEN_STEPS = 10_000;
/** Maximum steps of a request of any size. */
const maxSteps = {
  /** About as long as the costliest call: 10,000 tokens that people write, or 40 KB of script. */
  script: 100_000_000,
  /** Expressions of 5,000 declarations, for which the reference has a result, are compiled twice. */
  expression: 180_000_000,
  ownersScript: Number.POSITIVE_INFINITY,
} as const;
/** Steps that take as long as a complexity of 1. */
const COMPLEXITY_STEPS = 3_000;
/** Steps allowed between two requests, when nothing is counted. */
const ANY_STEPS = 2 ** 30 - 1;

export class CompilerWork {
  readonly #maxSteps: number;
  #left: number;

  private constructor(maxSteps: number) {
    this.#maxSteps = maxSteps;
    this.#left = maxSteps;
  }

  /** @param tokens of the request's sources */
  static async of(tokens: number, kind: keyof typeof maxSteps): Promise<CompilerWork> {
    await loadCompiler();
    return new CompilerWork(Math.min(maxSteps[kind], BASE_STEPS + TOKEN_STEPS * tokens));
  }

  /** Complexity that scripts would spend in the time of the steps. */
  get spentComplexity(): number {
    return Math.ceil((this.#maxSteps - Math.max(0, this.#left)) / COMPLEXITY_STEPS);
  }

  /** Runs the compiler. @throws SourceTooLong if it has taken all steps; any error of the compiler */
  run<Outcome>(ask: (compiler: RideLang) => Outcome): Outcome {
    const compiler = loadedCompiler();
    if (this.#left <= 0) throw tooLong();
    compiler.allowSteps?.(this.#left);
    try {
      const outcome = ask(compiler);
      this.#stop(compiler);
      // The compiler may report its end as an error of the source.
      if (this.#left <= 0) throw tooLong();
      return outcome;
    } catch (error) {
      if (error instanceof SourceTooLong) throw error;
      this.#stop(compiler);
      if (this.#left <= 0) throw tooLong();
      // The compiler's stack has overflowed.
      if (error instanceof RangeError) dropCompiler();
      throw error;
    }
  }

  #stop({ allowSteps }: RideLang): void {
    const left = allowSteps?.(ANY_STEPS);
    if (left === undefined) return;
    this.#left = left;
    if (left <= 0) dropCompiler();
  }
}

function tooLong(): SourceTooLong {
  return new SourceTooLong("the compiler takes more steps than a source of that size should");
}
