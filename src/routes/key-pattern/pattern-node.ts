/** A regular expression as a tree. */

/** Whether a character (its code point) is one of a class. */
export interface CharacterTest {
  (codePoint: number): boolean;
  /** Comparisons that it takes at most; one of them is the unit of a pattern's work. */
  readonly work: number;
}

export type PatternNode =
  | { readonly kind: "character"; readonly test: CharacterTest }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  /** `max` undefined: without end. `possessive`: what was taken is not given back. */
  | {
      readonly kind: "repeat";
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number | undefined;
      readonly mode: "greedy" | "lazy" | "possessive";
    }
  /** A place between characters. */
  | { readonly kind: "place"; readonly test: PlaceTest }
  | { readonly kind: "look"; readonly body: PatternNode; readonly isBehind: boolean; readonly isNegative: boolean }
  /** A group that is not tried in another way once it has matched. */
  | { readonly kind: "atomic"; readonly body: PatternNode };

/** Whether a place, before the character of that index, is one of a kind. */
export type PlaceTest = (text: readonly number[], index: number) => boolean;

/** A pattern that is not one, or of a kind that is not supported; the interface does not say why. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}
