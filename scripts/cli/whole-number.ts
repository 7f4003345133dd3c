import { UsageError } from "./usage-error.ts";

/**
 * The value of a flag that wants a number.
 * @param digits as many as it may have
 * @throws UsageError
 */
export function wholeNumber(
  flag: string,
  text: string,
  { digits, least }: { readonly digits: number; readonly least?: number },
): number {
  const isNumber = /^\d+$/.test(text) && text.length <= digits;
  if (isNumber && Number(text) >= (least ?? 0)) return Number(text);
  const wanted = least === undefined ? "a whole number" : `a whole number from ${least} on`;
  throw new UsageError(`--${flag} wants ${wanted}, but "${text}" was given.`);
}
