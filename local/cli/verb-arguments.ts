/** Arguments of the commands for a dev chain: usage text and parser. */
import type { Amount } from "../testing/dev-client.ts";

/** Positional argument. */
export interface VerbArgument<Value> {
  /** Text in the help. */
  readonly usage: string;
  /** Expected value, for error messages. */
  readonly expected: string;
  /** @returns undefined for an invalid text */
  readonly parse: (text: string) => Value | undefined;
  /** The argument may be omitted. */
  readonly isOptional: boolean;
}

function argument<Value>(
  usage: string,
  expected: string,
  parse: (text: string) => Value | undefined,
): VerbArgument<Value> {
  return { usage, expected, parse, isOptional: false };
}

/** Makes an argument optional. */
export function optional<Value>(of: VerbArgument<Value>): VerbArgument<Value | undefined> {
  return { ...of, usage: `[${of.usage}]`, isOptional: true };
}

export const text = (usage: string): VerbArgument<string> =>
  argument(usage, "a text", (given) => (given === "" ? undefined : given));

export const count = (usage: string): VerbArgument<number> =>
  argument(usage, "a whole number from 1", (given) => wholeNumber(given, 1));

/** @param word stands for null */
export const orWord = <Value>(word: string, of: VerbArgument<Value>): VerbArgument<Value | null> => ({
  usage: `${of.usage}|${word}`,
  expected: `${of.expected}, or ${word}`,
  parse: (given) => (given === word ? null : of.parse(given)),
  isOptional: of.isOptional,
});

/** One of two words. */
export const choice = (yes: string, no: string): VerbArgument<boolean> =>
  argument(`${yes}|${no}`, `${yes} or ${no}`, (given) => (given === yes ? true : given === no ? false : undefined));

/** A single word, as a switch. */
export const word = (only: string): VerbArgument<true> =>
  argument(only, only, (given) => (given === only ? true : undefined));

const unitMs: Readonly<Record<string, number>> = { "": 1, ms: 1, s: 1e3, m: 60e3, h: 3_600e3, d: 86_400e3 };

export const duration: VerbArgument<number> = argument("MS", "milliseconds, or 30s, 5m, 2h, 7d", (given) => {
  const [, digits, unit = ""] = /^(\d{1,12})([a-z]{0,2})$/.exec(given) ?? [];
  const factor = Object.hasOwn(unitMs, unit) ? unitMs[unit] : undefined;
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
});

export const time: VerbArgument<number> = argument("T", "milliseconds since 1970, or 2027-01-31T12:00:00Z", (given) => {
  if (/^\d+$/.test(given)) return wholeNumber(given, 0);
  const timeMs = /^\d{4}-\d{2}-\d{2}/.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(timeMs) ? undefined : timeMs;
});

const waveletsPerWaves = 100_000_000n;

export const amount: VerbArgument<Amount> = argument("AMOUNT", "wavelets, or WAVES as in 1.5waves", (given) => {
  if (/^\d{1,19}$/.test(given)) return BigInt(given);
  const [, whole, fraction = ""] = /^(\d{1,11})(?:\.(\d{1,8}))?waves$/i.exec(given) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * waveletsPerWaves + BigInt(fraction.padEnd(8, "0"));
});

function wholeNumber(given: string, min: number): number | undefined {
  const value = /^\d{1,15}$/.test(given) ? Number(given) : undefined;
  return value !== undefined && value >= min ? value : undefined;
}
