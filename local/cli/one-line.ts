/** Untrusted text made safe for a terminal. */
import { unprintable } from "../../src/platform/unprintable.ts";

/** Default limit of characters. */
const MAX_CHARACTERS = 300;

/** Text that cannot begin a line, move the cursor, reverse the rest, or fill the screen. */
export function oneLine(text: string, maxCharacters = MAX_CHARACTERS): string {
  return shortened(text, maxCharacters).replace(unprintable, " ");
}

/** @returns its first characters, with an ellipsis if there are more */
export function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  // Half of a surrogate pair is no character.
  return `${text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, "")}…`;
}
