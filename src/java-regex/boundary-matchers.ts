/** Positions between characters by their names in patterns. @source java.util.regex.Pattern */
import { isLineTerminator, isWordCharacter } from "./character-tests.ts";
import type { BoundaryMatcher } from "./pattern-node.ts";

export const isStart: BoundaryMatcher = (_, index) => index === 0;
const isEnd: BoundaryMatcher = (text, index) => index === text.length;

const isInsideLineBreak: BoundaryMatcher = (text, index) => text[index - 1] === 0x0d && text[index] === 0x0a;

/** At the end, or before the line terminator that ends the text. */
export const isEndBeforeTerminator: BoundaryMatcher = (text, index) => {
  if (isEnd(text, index)) return true;
  if (isInsideLineBreak(text, index)) return false;
  const rest = text.length - index;
  return (rest === 1 && isLineTerminator(text[index])) || (rest === 2 && isInsideLineBreak(text, index + 1));
};

/** Never at the end, even of an empty text. */
export const isLineStart: BoundaryMatcher = (text, index) =>
  !isEnd(text, index) && (index === 0 || (isLineTerminator(text[index - 1]) && !isInsideLineBreak(text, index)));

export const isLineEnd: BoundaryMatcher = (text, index) =>
  isEnd(text, index) || (isLineTerminator(text[index]) && !isInsideLineBreak(text, index));

const isWordAt = (text: readonly number[], index: number): boolean => {
  const character = text[index];
  return character !== undefined && isWordCharacter(character);
};
const isWordBoundary: BoundaryMatcher = (text, index) => isWordAt(text, index - 1) !== isWordAt(text, index);

const matchersByLetter: Readonly<Record<string, BoundaryMatcher>> = {
  A: isStart,
  z: isEnd,
  Z: isEndBeforeTerminator,
  b: isWordBoundary,
  B: (text, index) => !isWordBoundary(text, index),
};

/** Position test of `\b` and similar; undefined for a letter without one. */
export function boundaryMatcherOf(letter: string): BoundaryMatcher | undefined {
  return matchersByLetter[letter];
}
