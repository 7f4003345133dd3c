/**
 * Durations as configuration files write them: "1500ms", "2 minutes", "1.5h"; a number without a unit is milliseconds.
 * @source HOCON specification, "Duration Format"
 */

/** Nanoseconds of each unit, in all its spellings. */
const nanosecondsByUnit: Readonly<Record<string, bigint>> = {
  ns: 1n,
  nano: 1n,
  nanos: 1n,
  nanosecond: 1n,
  nanoseconds: 1n,
  us: 1_000n,
  micro: 1_000n,
  micros: 1_000n,
  microsecond: 1_000n,
  microseconds: 1_000n,
  "": 1_000_000n,
  ms: 1_000_000n,
  milli: 1_000_000n,
  millis: 1_000_000n,
  millisecond: 1_000_000n,
  milliseconds: 1_000_000n,
  s: 1_000_000_000n,
  second: 1_000_000_000n,
  seconds: 1_000_000_000n,
  m: 60_000_000_000n,
  minute: 60_000_000_000n,
  minutes: 60_000_000_000n,
  h: 3_600_000_000_000n,
  hour: 3_600_000_000_000n,
  hours: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  day: 86_400_000_000_000n,
  days: 86_400_000_000_000n,
};

/** Maximum duration: the reference stores durations as 64-bit nanoseconds, about 292 years. */
const maximumNanoseconds = (1n << 63n) - 1n;

/** A decimal number as a fraction of integers, or undefined. */
function parseDecimal(text: string): { numerator: bigint; denominator: bigint } | undefined {
  const match = /^\+?(\d{1,20})(?:\.(\d{1,20}))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole = "", fraction = ""] = match;
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
}

/**
 * @param value text with or without a unit, or a number of milliseconds
 * @returns whole milliseconds, rounded down; undefined if it is not a duration, negative or longer than 292 years
 */
export function parseDurationMs(value: string | number): number | undefined {
  const text = String(value).trim();
  const unit = /[A-Za-z]*$/.exec(text)?.[0] ?? "";
  const amount = parseDecimal(text.slice(0, text.length - unit.length).trim());
  const scale = Object.hasOwn(nanosecondsByUnit, unit) ? nanosecondsByUnit[unit] : undefined;
  if (amount === undefined || scale === undefined) return undefined;
  const nanoseconds = (amount.numerator * scale) / amount.denominator;
  return nanoseconds > maximumNanoseconds ? undefined : Number(nanoseconds / 1_000_000n);
}
