/** Errors in settings files. */

const maxPrintedCharacters = 80;

/** Prints a value for a message: short, on one line. */
export function settingText(value: unknown): string {
  if (value === undefined || value === null) return "missing";
  const text = JSON.stringify(value, (_, part) => (typeof part === "bigint" ? part.toString() : part)) ?? String(value);
  return text.length > maxPrintedCharacters ? `${text.slice(0, maxPrintedCharacters)}…` : text;
}

/** An invalid setting; the message is one sentence for the author of the file. */
export class NetworkSettingsError extends Error {
  override readonly name = "NetworkSettingsError";
  /** Keys from the top of the file, joined by dots; empty for the file as a whole. */
  readonly path: string;
  readonly expected: string;
  /** @param details `got` is printed unchanged: the value by {@link settingText}, or words in place of a secret */
  constructor(details: { path: string; got: string; expected: string }) {
    const subject = details.path === "" ? "The settings file" : `Setting ${details.path}`;
    super(`${subject} is ${details.got}, expected ${details.expected}.`);
    this.path = details.path;
    this.expected = details.expected;
  }
}
