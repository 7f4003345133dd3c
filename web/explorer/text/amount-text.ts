/**
 * Amount in whole units, with every digit: `1,234.05`. Trailing zeros of the fraction are left out.
 * @param amount in the smallest units
 */
export function amountText(amount: bigint, decimals: bigint): string {
  const unit = 10n ** decimals;
  const size = amount < 0n ? -amount : amount;
  const fraction =
    decimals === 0n
      ? ""
      : String(size % unit)
          .padStart(Number(decimals), "0")
          .replace(/0+$/, "");
  const whole = `${amount < 0n ? "-" : ""}${integerText(size / unit)}`;
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** Digits grouped by three: `1,234`. */
export function integerText(value: bigint): string {
  return value.toLocaleString("en");
}

/**
 * Smallest units of a typed amount.
 * @returns undefined when it is no amount, or has more decimals than the asset
 */
export function parseAmount(text: string, decimals: bigint): bigint | undefined {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(text.trim().replaceAll(",", ""));
  if (parts === null) return undefined;
  const [, whole = "", fraction = ""] = parts;
  if (fraction.length > Number(decimals)) return undefined;
  return BigInt(whole + fraction.padEnd(Number(decimals), "0"));
}
