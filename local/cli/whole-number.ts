import { UsageError } from "./usage-error.ts";

/**
 * Parses the value of a numeric flag.
 * @param digits limit
 * @throws UsageError
 */
export function wholeNumber(
  flag: string,
  text: string,
  { digits, least }: { readonly digits: number; readonly least?: number },
): number {
  const isNumber = /^\d+$/.test(text) && text.length <= digits;
  if (isNumber && Number(text) >= (least ?? 0)) return Number(text);
  const expected = least === undefined ? "a whole number" : `a whole number from ${least} on`;
  throw new UsageError(`--${flag} expects ${expected}, got "${text}".`);
}
