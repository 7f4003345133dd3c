/** A regular expression as a tree. */

/** Test of a character (its code point) for a class. */
export interface CharacterTest {
  (codePoint: number): boolean;
  /** Maximum cost, in comparisons; one of them is the unit of a pattern's work. */
  readonly work: number;
}

export type PatternNode =
  | { readonly kind: "character"; readonly test: CharacterTest }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  /** `max` undefined: unbounded. `possessive`: without backtracking. */
  | {
      readonly kind: "repeat";
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number | undefined;
      readonly mode: "greedy" | "lazy" | "possessive";
    }
  /** A position between characters. */
  | { readonly kind: "place"; readonly test: BoundaryMatcher }
  | { readonly kind: "look"; readonly body: PatternNode; readonly isLookbehind: boolean; readonly isNegative: boolean }
  /** A group that is not retried once it has matched. */
  | { readonly kind: "atomic"; readonly body: PatternNode };

/** Test of a position, before the character at that index. */
export type BoundaryMatcher = (text: readonly number[], index: number) => boolean;

/** An invalid or unsupported pattern; the interface does not report the reason. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}
