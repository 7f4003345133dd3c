/**
 * Work of the compiler for one request. Where it counts its steps it stops after as many as a source of so many tokens takes that
 * somebody has written.
 * @see docs/decisions/0067-bounds-on-client-chosen-work.md
 */
import type { RideLang } from "@waves/ride-lang";
import { dropCompiler, loadCompiler, loadedCompiler } from "./load-compiler.ts";
import { SourceTooLong } from "./source-bound.ts";

/** Tables that it makes once, errors, comments. */
const BASE_STEPS = 20_000_000;
/** Sources that people write take less than 10,000. */
const TOKEN_STEPS = 10_000;
/** Bounds of a request, whatever its size. */
const maxSteps = {
  /** About as long as the costliest call: 10,000 tokens that people write, or 40 KB of script. */
  script: 100_000_000,
  /** Those of 5,000 declarations, to which the reference has an answer, are compiled twice. */
  expression: 180_000_000,
  ownersScript: Number.POSITIVE_INFINITY,
} as const;
/** Steps that take as long as a complexity of 1. */
const COMPLEXITY_STEPS = 3_000;
/** Between two requests: what asks for nothing counts nothing. */
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

  /** As scripts would spend it in the time. */
  get spentComplexity(): number {
    return Math.ceil((this.#maxSteps - Math.max(0, this.#left)) / COMPLEXITY_STEPS);
  }

  /** Asks the compiler. @throws SourceTooLong it has taken all steps; whatever the compiler throws */
  run<Outcome>(ask: (compiler: RideLang) => Outcome): Outcome {
    const compiler = loadedCompiler();
    if (this.#left <= 0) throw tooLong();
    compiler.allowSteps?.(this.#left);
    try {
      const outcome = ask(compiler);
      this.#stop(compiler);
      // The compiler may take its end for a fault of the source.
      if (this.#left <= 0) throw tooLong();
      return outcome;
    } catch (error) {
      if (error instanceof SourceTooLong) throw error;
      this.#stop(compiler);
      if (this.#left <= 0) throw tooLong();
      // Its stack was at an end.
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
