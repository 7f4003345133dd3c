const tenthsOfPercent = 1_000n;

/** Share in percent, cut to one decimal. @param whole more than 0 */
export function shareText(part: bigint, whole: bigint): string {
  const tenths = (part * tenthsOfPercent) / whole;
  return `${tenths / 10n}.${tenths % 10n} %`;
}
