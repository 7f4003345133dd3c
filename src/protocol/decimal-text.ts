/**
 * JSON numbers that are not integers, as the reference prints them: at most 34 digits, plain between 10^-10 and 10^20.
 * @source play-json: BigDecimalSerializerConfig; java.math.BigDecimal (toString), MathContext.DECIMAL128
 */

export const maxDigits = 34;
/** Sign, digits before and after the point, exponent of a JSON number. */
export const numberParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Bounds of the magnitude between which the text has no exponent. */
const plain = { above: -10, below: 20 } as const;
/** Numbers with a fraction and at least this magnitude are plain, too; smaller ones never have this exponent. */
const leastExponent = -6;

/** @param text number in JSON */
export function decimalText(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = numberParts.exec(text) ?? [];
  const written = (whole + fraction).replace(/^0+/, "");
  if (written === "") return "0";
  const { digits: rounded, left } = roundedDigits(written);
  const digits = rounded.replace(/0+$/, "");
  /** Digits after the point; if negative, the number of zeros before it. */
  const scale = fraction.length - Number(exponent) - left - (rounded.length - digits.length);
  const magnitude = digits.length - 1 - scale;
  const isBetween =
    magnitude < plain.below && (magnitude > plain.above || (magnitude === plain.above && digits !== "1"));
  const isPlain = isBetween || (scale >= 0 && magnitude >= leastExponent);
  return sign + (isPlain ? plainText(digits, scale) : scientificText(digits, magnitude));
}

/** Rounds to `maxDigits` digits, half to even. @returns `left`: number of digits that were cut off */
export function roundedDigits(digits: string): { readonly digits: string; readonly left: number } {
  const left = Math.max(0, digits.length - maxDigits);
  const unit = 10n ** BigInt(left);
  const value = BigInt(digits);
  const cut = value / unit;
  const twice = 2n * (value % unit);
  const isUp = twice > unit || (twice === unit && cut % 2n === 1n);
  return { digits: String(isUp ? cut + 1n : cut), left };
}

function plainText(digits: string, scale: number): string {
  if (scale <= 0) return digits + "0".repeat(-scale);
  const padded = digits.padStart(scale + 1, "0");
  return `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

function scientificText(digits: string, magnitude: number): string {
  const rest = digits.slice(1);
  return `${digits.charAt(0)}${rest === "" ? "" : `.${rest}`}E${magnitude < 0 ? "" : "+"}${magnitude}`;
}
