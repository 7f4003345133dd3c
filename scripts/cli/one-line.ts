/** Text that others chose, for a terminal. */
import { unshowable } from "../../src/platform/unshowable.ts";

/** Of a text so many characters are shown, if nothing else is said. */
const MAX_CHARACTERS = 300;

/** No text of theirs begins a line, moves the cursor, turns the rest around, or fills the screen. */
export function oneLine(text: string, maxCharacters = MAX_CHARACTERS): string {
  return shortened(text, maxCharacters).replace(unshowable, " ");
}

/** @returns its first characters, and an ellipsis where there are more */
export function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  // Half of a pair of surrogates is no character.
  return `${text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, "")}…`;
}
