/** Character classes by their names in patterns. @source java.util.regex.Pattern */
import { LRUCache } from "lru-cache";
import { type CharacterTest, PatternError } from "./pattern-node.ts";

const codeOf = (character: string): number => character.codePointAt(0) as number;

const nativeWork = 4;
const asciiCharacters = 0x80;

function characterTest(work: number, test: (codePoint: number) => boolean): CharacterTest {
  return Object.assign(test, { work });
}

/** Cache of compiled classes: V8 takes long to compile one, and a pattern may name it a thousand times. */
const nativeTests = new LRUCache<string, CharacterTest>({ max: 500 });

/**
 * Tests a character against a class that JavaScript knows, which takes a fixed time.
 * @throws SyntaxError for an unknown class
 */
function nativeTest(classText: string): CharacterTest {
  const cached = nativeTests.get(classText);
  if (cached !== undefined) return cached;
  const expression = new RegExp(`^${classText}$`, "u");
  const has = (codePoint: number): boolean => expression.test(String.fromCodePoint(codePoint));
  let ascii: readonly boolean[] | undefined;
  const test = characterTest(nativeWork, (codePoint) => {
    if (codePoint >= asciiCharacters) return has(codePoint);
    ascii ??= Array.from({ length: asciiCharacters }, (_, character) => has(character));
    return ascii[codePoint] as boolean;
  });
  nativeTests.set(classText, test);
  return test;
}

export const anyCharacter = characterTest(1, () => true);

export function negated(test: CharacterTest): CharacterTest {
  return characterTest(test.work, (codePoint) => !test(codePoint));
}

export function exactly(character: number): CharacterTest {
  return characterTest(1, (codePoint) => codePoint === character);
}

export function between(first: number, last: number): CharacterTest {
  return characterTest(1, (codePoint) => codePoint >= first && codePoint <= last);
}

export function anyOf(tests: readonly CharacterTest[]): CharacterTest {
  const work = tests.reduce((sum, test) => sum + test.work, 1);
  return characterTest(work, (codePoint) => tests.some((test) => test(codePoint)));
}

export function both(left: CharacterTest, right: CharacterTest): CharacterTest {
  return characterTest(left.work + right.work, (codePoint) => left(codePoint) && right(codePoint));
}

/** Cases of the last tested letter: a class tests it with each of its members. */
let casesOf = -1;
let lowerCase = -1;
let upperCase = -1;

/** Extends the test to both cases of a letter. @param isUnicode also for letters beyond ASCII */
export function inEitherCase(test: CharacterTest, isUnicode: boolean): CharacterTest {
  return characterTest(3 * test.work, (codePoint) => {
    if (test(codePoint)) return true;
    if (codePoint >= asciiCharacters && !isUnicode) return false;
    if (casesOf !== codePoint) {
      const character = String.fromCodePoint(codePoint);
      lowerCase = codeOf(character.toLowerCase());
      upperCase = codeOf(character.toUpperCase());
      casesOf = codePoint;
    }
    return test(lowerCase) || test(upperCase);
  });
}

export function isLineTerminator(codePoint: number | undefined): boolean {
  return codePoint === 0x0a || codePoint === 0x0d || codePoint === 0x85 || codePoint === 0x2028 || codePoint === 0x2029;
}
export const lineTerminator = characterTest(1, isLineTerminator);
export const lineBreakCharacter = characterTest(
  1,
  (codePoint) => isLineTerminator(codePoint) || codePoint === 0x0b || codePoint === 0x0c,
);

export const isWordCharacter = nativeTest("[\\p{L}\\p{Nd}_]");

const lowerCaseClasses: Readonly<Record<string, CharacterTest>> = {
  d: nativeTest("[0-9]"),
  w: nativeTest("[a-zA-Z_0-9]"),
  s: nativeTest("[ \\t\\n\\x0B\\f\\r]"),
  h: nativeTest("[ \\t\\xA0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000]"),
  v: nativeTest("[\\n\\x0B\\f\\r\\x85\\u2028\\u2029]"),
};

/** Class of `\d`, `\W` and similar; undefined for a letter without a class. */
export function classOfLetter(letter: string): CharacterTest | undefined {
  const known = lowerCaseClasses[letter];
  if (known !== undefined) return known;
  const opposite = lowerCaseClasses[letter.toLowerCase()];
  return opposite && negated(opposite);
}

const posixClasses: Readonly<Record<string, string>> = {
  Lower: "[a-z]",
  Upper: "[A-Z]",
  ASCII: "[\\x00-\\x7f]",
  Alpha: "[a-zA-Z]",
  Digit: "[0-9]",
  Alnum: "[a-zA-Z0-9]",
  Punct: "[!-\\/:-@\\[-`\\{-~]",
  Graph: "[!-~]",
  Print: "[ -~]",
  Blank: "[ \\t]",
  Cntrl: "[\\x00-\\x1f\\x7f]",
  XDigit: "[0-9a-fA-F]",
  Space: "[ \\t\\n\\x0B\\f\\r]",
};

/** Class of `\p{name}`. @throws PatternError for an unknown name */
export function classOfName(name: string): CharacterTest {
  const posix = Object.hasOwn(posixClasses, name) ? posixClasses[name] : undefined;
  if (posix !== undefined) return nativeTest(posix);
  if (!/^[A-Za-z_]+(=[A-Za-z_]+)?$/.test(name)) throw new PatternError(name);
  const bare = name.replace(/^Is/, "");
  for (const candidate of [bare, `Script=${bare}`]) {
    try {
      return nativeTest(`\\p{${candidate}}`);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  throw new PatternError(name);
}
