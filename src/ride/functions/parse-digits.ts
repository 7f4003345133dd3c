/**
 * Numbers in text, as Java parses them: an optional sign, then decimal digits of any script, each one UTF-16 unit.
 * @source Java: Long.parseLong, Character.digit
 */

/** Undefined if the text is not a number, or has more than the maximum of digits; leading zeros do not count. */
export function parseDigits(text: string, maxDigits = Number.POSITIVE_INFINITY): bigint | undefined {
  const isSigned = text.startsWith("-") || text.startsWith("+");
  const digits = isSigned ? text.slice(1) : text;
  if (digits === "") return undefined;
  let plain = "";
  for (let index = 0; index < digits.length; index++) {
    const digit = digitOf(digits.charCodeAt(index));
    if (digit === undefined) return undefined;
    if (plain !== "" || digit !== 0) plain += digit;
    if (plain.length > maxDigits) return undefined;
  }
  return text.startsWith("-") ? -BigInt(plain || 0) : BigInt(plain || 0);
}

const zero = 0x30;

function digitOf(code: number): number | undefined {
  if (code >= zero && code <= zero + 9) return code - zero;
  if (code < 0x80 || !isDigit(code)) return undefined;
  // Digits of a script are consecutive groups of ten.
  let first = code;
  while (isDigit(first - 1)) first--;
  return (code - first) % 10;
}

function isDigit(code: number): boolean {
  return /^\p{Nd}$/u.test(String.fromCharCode(code));
}
