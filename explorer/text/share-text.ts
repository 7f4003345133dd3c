const tenthsOfPercent = 1_000n;

/** A part of a whole in percent, cut to a decimal. @param whole more than 0 */
export function shareText(part: bigint, whole: bigint): string {
  const tenths = (part * tenthsOfPercent) / whole;
  return `${tenths / 10n}.${tenths % 10n} %`;
}
