/** Patterns of legal size with maximum cost, and keys that cause it. */

const range = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(first + index)).join("");

/** Keys of up to 400 bytes. */
const keys = {
  "one letter": "a".repeat(400),
  "two letters": "ab".repeat(200),
  "words of a letter": "a ".repeat(200),
  "one letter of two bytes": "ж".repeat(200),
  "many letters": range(0x20, 95) + range(0x400, 152),
};
/** Patterns of up to 4,000 characters, each with another kind of cost. */
const patterns: Readonly<Record<string, string>> = {
  "a class of 1,300 classes": `(?iu)(?:[${"\\p{Nd}".repeat(600)}${"\\d".repeat(100)}[^x]]?){490}c`,
  "a class of many letters in either case": `(?iu)(?:[${range(0x3400, 1300).repeat(3)}]?){490}c`,
  "a thousand classes": `(?iu)(?:${"[\\p{Lu}\\PN\\S]|".repeat(150)}.)*x`,
  "many ways to match nothing": `${".*".repeat(330)}x`,
  "many choices": `(?:${"a|".repeat(480)}b)*c`,
  "borders of words": `(?:${"\\B|".repeat(300)}.)*x`,
  "a look ahead at each place": `(?:.(?!(?:${"a|".repeat(460)}b)*c))*`,
  "many looks ahead at each place": `(?:.${"(?!.*x)".repeat(100)})*`,
  "looks ahead inside one another": `${"(?=.*".repeat(90)}x${")".repeat(90)}.*`,
  "a look behind at each place": `(?:.(?<!${"a?".repeat(400)}c))*`,
  "a look behind that finds": `(?:.(?<=${".*".repeat(300)}))*`,
  "what is not given back, at each place": `(?:(?>(?:${"a|".repeat(400)}b)*))*c`,
};

/** Every pattern on every key. */
export const slowCases = Object.entries(patterns).flatMap(([what, pattern]) =>
  Object.entries(keys).map(([of, key]) => ({ what, pattern, of, key })),
);
