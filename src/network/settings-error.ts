/** A value of a settings file that cannot be used. */

const shownCharacters = 80;

/** How a message shows a value: short, on one line. */
export function shownSetting(value: unknown): string {
  if (value === undefined || value === null) return "missing";
  const text = JSON.stringify(value, (_, part) => (typeof part === "bigint" ? part.toString() : part)) ?? String(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

/** Which setting is wrong, and what it should be; the message is one sentence for the person who wrote the file. */
export class NetworkSettingsError extends Error {
  override readonly name = "NetworkSettingsError";
  /** Keys from the top of the file, joined by dots; empty for the file as a whole. */
  readonly path: string;
  readonly expected: string;
  /** @param facts `got` is shown as it stands: the value by {@link shownSetting}, or words in place of a secret */
  constructor(facts: { path: string; got: string; expected: string }) {
    const subject = facts.path === "" ? "The settings file" : `Setting ${facts.path}`;
    super(`${subject} is ${facts.got}, expected ${facts.expected}.`);
    this.path = facts.path;
    this.expected = facts.expected;
  }
}
