/**
 * Parser of regular expressions in the reference's notation, which is Java's. Not supported: back references, comments
 * in patterns (flag x), and the rarer escapes `\G`, `\X`, `\N`.
 * @source java.util.regex.Pattern
 */

import { boundaryMatcherOf, isEndBeforeTerminator, isLineEnd, isLineStart, isStart } from "./boundary-matchers.ts";
import {
  anyCharacter,
  anyOf,
  between,
  both,
  classOfLetter,
  classOfName,
  exactly,
  inEitherCase,
  lineBreakCharacter,
  lineTerminator,
  negated,
} from "./character-tests.ts";
import { type CharacterTest, PatternError, type PatternNode } from "./pattern-node.ts";

/** Maximum nesting of groups and classes. */
const maxDepth = 100;
/** Maximum count of repetitions. */
const maxCount = 1000;

interface Flags {
  readonly anyCase: boolean;
  readonly unicodeCase: boolean;
  /** Whether `.` matches line terminators, too. */
  readonly dotAll: boolean;
  /** Whether `^` and `$` match at every line. */
  readonly multiline: boolean;
}
const flagNames: Readonly<Record<string, keyof Flags>> = {
  i: "anyCase",
  u: "unicodeCase",
  s: "dotAll",
  m: "multiline",
};
const noFlags: Flags = { anyCase: false, unicodeCase: false, dotAll: false, multiline: false };

/** @throws PatternError */
export function parsePattern(source: string): PatternNode {
  return new PatternParser(source).pattern();
}

class PatternParser {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;
  #flags = noFlags;

  constructor(source: string) {
    this.#characters = [...source];
  }

  pattern(): PatternNode {
    const pattern = this.#choice();
    if (this.#at < this.#characters.length) throw new PatternError("an unmatched parenthesis");
    return pattern;
  }

  #peek(text: string): boolean {
    for (let index = 0; index < text.length; index++)
      if (this.#characters[this.#at + index] !== text[index]) return false;
    return true;
  }

  #skip(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#at += text.length;
    return true;
  }

  #next(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) throw new PatternError("an unexpected end");
    this.#at += 1;
    return character;
  }

  /** Text up to the end marker, which is skipped. */
  #upTo(end: string): string {
    let text = "";
    while (!this.#skip(end)) text += this.#next();
    return text;
  }

  #nested<Value>(read: () => Value): Value {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new PatternError("too deep");
    const value = read();
    this.#depth -= 1;
    return value;
  }

  /** Parses alternatives up to the end of the pattern or of the group; flags set inside end with it. */
  #choice(): PatternNode {
    return this.#nested(() => {
      const flags = this.#flags;
      const options = [this.#sequence()];
      while (this.#skip("|")) options.push(this.#sequence());
      this.#flags = flags;
      return options.length === 1 ? (options[0] as PatternNode) : { kind: "choice", options };
    });
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#characters.length && !this.#peek("|") && !this.#peek(")")) {
      if (this.#skip("\\Q")) parts.push(...this.#quoted());
      else parts.push(this.#atom());
      const last = parts.pop();
      if (last !== undefined) parts.push(this.#repeated(last));
    }
    return { kind: "sequence", parts };
  }

  #quoted(): readonly PatternNode[] {
    let text = "";
    while (this.#at < this.#characters.length && !this.#skip("\\E")) text += this.#next();
    return [...text].map((character) => this.#literal(character));
  }

  #literal(character: string): PatternNode {
    return { kind: "character", test: this.#inCase(exactly(character.codePointAt(0) as number)) };
  }

  #inCase(test: CharacterTest): CharacterTest {
    const { anyCase, unicodeCase } = this.#flags;
    return anyCase ? inEitherCase(test, unicodeCase) : test;
  }

  #repeated(body: PatternNode): PatternNode {
    const counts = this.#counts();
    if (counts === undefined) return body;
    const mode = this.#skip("?") ? "lazy" : this.#skip("+") ? "possessive" : "greedy";
    return { kind: "repeat", body, ...counts, mode };
  }

  #counts(): { readonly min: number; readonly max: number | undefined } | undefined {
    if (this.#skip("?")) return { min: 0, max: 1 };
    if (this.#skip("*")) return { min: 0, max: undefined };
    if (this.#skip("+")) return { min: 1, max: undefined };
    if (!this.#skip("{")) return undefined;
    const [, least, comma, most] = /^([0-9]{1,9})(,?)([0-9]{0,9})$/.exec(this.#upTo("}")) ?? [];
    if (least === undefined) throw new PatternError("an invalid count");
    const min = Number(least);
    const max = comma === "" ? min : most === "" ? undefined : Number(most);
    if (min > maxCount || (max ?? min) > maxCount || (max ?? min) < min) throw new PatternError("a count out of range");
    return { min, max };
  }

  #atom(): PatternNode {
    const character = this.#next();
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return { kind: "character", test: this.#class() };
      case ".":
        return { kind: "character", test: this.#flags.dotAll ? anyCharacter : negated(lineTerminator) };
      case "^":
        return { kind: "place", test: this.#flags.multiline ? isLineStart : isStart };
      case "$":
        return { kind: "place", test: this.#flags.multiline ? isLineEnd : isEndBeforeTerminator };
      case "\\":
        return this.#escaped();
      case "*":
      case "+":
      case "?":
      case "{":
        throw new PatternError("nothing to repeat");
      default:
        return this.#literal(character);
    }
  }

  #group(): PatternNode {
    if (!this.#skip("?")) return this.#closed(this.#choice());
    const look = looks.find(({ sign }) => this.#skip(sign));
    if (look !== undefined) {
      const { isBehind, isNegative } = look;
      return { kind: "look", body: this.#closed(this.#choice()), isLookbehind: isBehind, isNegative };
    }
    if (this.#skip(">")) return { kind: "atomic", body: this.#closed(this.#choice()) };
    if (this.#skip("<")) {
      if (!/^[a-zA-Z][a-zA-Z0-9]*$/.test(this.#upTo(">"))) throw new PatternError("an invalid name");
      return this.#closed(this.#choice());
    }
    return this.#flagGroup();
  }

  #closed(body: PatternNode): PatternNode {
    if (!this.#skip(")")) throw new PatternError("an unclosed group");
    return body;
  }

  /** `(?i)` is valid to the end of the surrounding group, `(?i-s:…)` for its content. */
  #flagGroup(): PatternNode {
    const before = this.#flags;
    const flags: { -readonly [Name in keyof Flags]: boolean } = { ...before };
    for (let isOn = true; ; ) {
      const character = this.#next();
      if (character === ")" || character === ":") {
        this.#flags = flags;
        if (character === ")") return { kind: "sequence", parts: [] };
        const body = this.#closed(this.#choice());
        this.#flags = before;
        return body;
      }
      const name = flagNames[character];
      if (name !== undefined) flags[name] = isOn;
      else if (character === "-" && isOn) isOn = false;
      else throw new PatternError("an invalid flag");
    }
  }

  #escaped(): PatternNode {
    const boundary = boundaryMatcherOf(this.#characters[this.#at] ?? "");
    if (boundary !== undefined) {
      this.#at += 1;
      return { kind: "place", test: boundary };
    }
    if (this.#skip("R")) return lineBreak;
    return { kind: "character", test: this.#escapedClass() };
  }

  /** Parses an escape after its backslash, in a class or outside. */
  #escapedClass(): CharacterTest {
    const letter = this.#next();
    const known = classOfLetter(letter);
    if (known !== undefined) return known;
    if (letter === "p" || letter === "P") {
      const test = this.#inCase(classOfName(this.#skip("{") ? this.#upTo("}") : this.#next()));
      return letter === "p" ? test : negated(test);
    }
    return this.#inCase(exactly(this.#escapedCharacter(letter)));
  }

  #escapedCharacter(letter: string): number {
    const control = controls[letter];
    if (control !== undefined) return control;
    switch (letter) {
      case "0":
        return this.#number(8, /^([0-3]?[0-7]{1,2})/);
      case "x":
        return this.#skip("{") ? this.#hexadecimal(this.#upTo("}")) : this.#number(16, /^([0-9a-fA-F]{2})/);
      case "u":
        return this.#number(16, /^([0-9a-fA-F]{4})/);
      case "c":
        return (this.#next().codePointAt(0) as number) ^ 64;
      default:
        if (/[a-zA-Z0-9]/.test(letter)) throw new PatternError("an invalid escape");
        return letter.codePointAt(0) as number;
    }
  }

  #number(base: number, form: RegExp): number {
    const [digits] = form.exec(this.#characters.slice(this.#at, this.#at + 4).join("")) ?? [];
    if (digits === undefined) throw new PatternError("digits are missing");
    this.#at += digits.length;
    return Number.parseInt(digits, base);
  }

  #hexadecimal(digits: string): number {
    const number = /^[0-9a-fA-F]{1,6}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    if (!(number <= 0x10ffff)) throw new PatternError("an invalid code point");
    return number;
  }

  /** Parses a class after its opening bracket, including the closing one. */
  #class(): CharacterTest {
    return this.#nested(() => {
      const isNegated = this.#skip("^");
      const test = this.#intersection();
      this.#at += 1;
      return isNegated ? negated(test) : test;
    });
  }

  #intersection(): CharacterTest {
    let left = this.#union(true);
    while (this.#skip("&&")) {
      left = both(left, this.#union(false));
    }
    return left;
  }

  /** Parses up to `&&` or the closing bracket; a bracket that comes first is a character. */
  #union(isFirst: boolean): CharacterTest {
    const tests: CharacterTest[] = [];
    while (!this.#peek("&&") && (!this.#peek("]") || (isFirst && tests.length === 0))) {
      tests.push(this.#skip("[") ? this.#class() : this.#rangeOrCharacter());
    }
    return anyOf(tests);
  }

  #rangeOrCharacter(): CharacterTest {
    const first = this.#characterOfClass();
    if (typeof first !== "number") return first;
    if (!this.#peek("-") || this.#peek("-]") || this.#peek("-[") || this.#peek("-&&"))
      return this.#inCase(exactly(first));
    this.#at += 1;
    const last = this.#characterOfClass();
    if (typeof last !== "number" || last < first) throw new PatternError("an invalid range");
    return this.#inCase(between(first, last));
  }

  #characterOfClass(): number | CharacterTest {
    const character = this.#next();
    if (character !== "\\") return character.codePointAt(0) as number;
    const letter = this.#characters[this.#at] ?? "";
    if (classOfLetter(letter) !== undefined || letter === "p" || letter === "P") return this.#escapedClass();
    this.#at += 1;
    return this.#escapedCharacter(letter);
  }
}

const looks = [
  { sign: "=", isBehind: false, isNegative: false },
  { sign: "!", isBehind: false, isNegative: true },
  { sign: "<=", isBehind: true, isNegative: false },
  { sign: "<!", isBehind: true, isNegative: true },
] as const;

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 };

/** `\R`: a line break of one or two characters. */
const lineBreak: PatternNode = {
  kind: "choice",
  options: [
    {
      kind: "sequence",
      parts: [
        { kind: "character", test: exactly(0x0d) },
        { kind: "character", test: exactly(0x0a) },
      ],
    },
    { kind: "character", test: lineBreakCharacter },
  ],
};
