/** Classes of characters by the names that patterns have for them. @source java.util.regex.Pattern */
import { type CharacterTest, PatternError } from "./pattern-node.ts";

const codeOf = (character: string): number => character.codePointAt(0) as number;

/** One character against a class that JavaScript knows: such a match takes a fixed time. */
function nativeTest(classText: string): CharacterTest {
  const expression = new RegExp(`^${classText}$`, "u");
  return (codePoint) => expression.test(String.fromCodePoint(codePoint));
}

export function negated(test: CharacterTest): CharacterTest {
  return (codePoint) => !test(codePoint);
}

export function exactly(character: number): CharacterTest {
  return (codePoint) => codePoint === character;
}

export function between(first: number, last: number): CharacterTest {
  return (codePoint) => codePoint >= first && codePoint <= last;
}

/** The test, for either case of a letter. @param isUnicode for letters beyond ASCII, too */
export function inEitherCase(test: CharacterTest, isUnicode: boolean): CharacterTest {
  return (codePoint) => {
    if (test(codePoint)) return true;
    if (codePoint > 0x7f && !isUnicode) return false;
    const character = String.fromCodePoint(codePoint);
    return test(codeOf(character.toLowerCase())) || test(codeOf(character.toUpperCase()));
  };
}

export function isLineTerminator(codePoint: number | undefined): boolean {
  return codePoint === 0x0a || codePoint === 0x0d || codePoint === 0x85 || codePoint === 0x2028 || codePoint === 0x2029;
}

export const isWordCharacter = nativeTest("[\\p{L}\\p{Nd}_]");

const lowerCaseClasses: Readonly<Record<string, CharacterTest>> = {
  d: nativeTest("[0-9]"),
  w: nativeTest("[a-zA-Z_0-9]"),
  s: nativeTest("[ \\t\\n\\x0B\\f\\r]"),
  h: nativeTest("[ \\t\\xA0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000]"),
  v: nativeTest("[\\n\\x0B\\f\\r\\x85\\u2028\\u2029]"),
};

/** The class of `\d`, `\W` and the like; undefined for a letter that names none. */
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

/** The class of `\p{name}`. @throws PatternError for a name that is not known */
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
