/**
 * Bound on the time that the compiler needs to estimate the declarations of a source. It does so before it returns a
 * script, cannot be stopped, and has two estimators to choose from. The third one follows all paths from value to
 * value, twice for each function on the path without a cost of its own. The first one is quadratic in the number of
 * declarations.
 */
import { SourceTooLong, sourceParts } from "./source-bound.ts";

/** Limit for the third estimator, in steps of up to 60 µs. */
const MAX_WALKED = 30_000;
/** Limit for the first estimator: outer declarations. It takes 3 s for 800 values. */
const MAX_OUTER = 700;
/** Limit for the first estimator: sum of their depths, the declarations on the longest path from each. */
const MAX_DEPTH = 60_000;

interface Known {
  readonly isValue: boolean;
  /** Values that it uses, including itself if it is one. */
  readonly values: ReadonlySet<string>;
  /** Work to find out whether it is free: the values of each function that it calls. */
  readonly own: number;
  /** Work including all values that it uses. */
  readonly whole: number;
  readonly depth: number;
}

/** Declarations by name, the innermost last. */
class KnownNames {
  readonly #names = new Map<string, Known[]>();

  get(name: string): Known | undefined {
    return this.#names.get(name)?.at(-1);
  }

  enter(name: string, known: Known): void {
    const hidden = this.#names.get(name);
    if (hidden === undefined) this.#names.set(name, [known]);
    else hidden.push(known);
  }

  leave(name: string): void {
    this.#names.get(name)?.pop();
  }
}

/**
 * Number of the compiler's estimator that ends in time.
 * @param sources imported ones first
 * @throws SourceTooLong neither does
 */
export function quickestEstimator(sources: Iterable<string>): 1 | 3 {
  const known = new KnownNames();
  let walked = 0;
  let outer = 0;
  let depths = 0;
  for (const { name, isValue, isOuter, mentions, inner } of declarationsOf(sources)) {
    // Beyond the limit the exact number does not matter.
    const declared = declaration(name, isValue, mentions, known, walked <= MAX_WALKED);
    for (const innerName of inner) known.leave(innerName);
    known.enter(name, declared);
    walked += declared.whole + declared.values.size;
    if (!isOuter) continue;
    depths += declared.depth;
    outer++;
  }
  if (walked <= MAX_WALKED) return 3;
  if (outer > MAX_OUTER || depths > MAX_DEPTH)
    throw new SourceTooLong("the declarations of a script lead too far from one to the next");
  return 1;
}

function declaration(
  name: string,
  isValue: boolean,
  mentions: readonly string[],
  known: KnownNames,
  isWalked: boolean,
): Known {
  const used = new Set<string>();
  let [own, depth] = [1, 0];
  for (const mention of mentions) {
    const declared = known.get(mention);
    if (declared === undefined) continue;
    depth = Math.max(depth, declared.depth + 1);
    if (!isWalked || own > MAX_WALKED) continue;
    if (declared.isValue) {
      used.add(mention);
      continue;
    }
    for (const value of declared.values) {
      used.add(value);
      own += known.get(value)?.own ?? 0;
    }
  }
  let whole = own;
  for (const value of used) whole += known.get(value)?.whole ?? 0;
  return { isValue, values: isValue ? new Set([name]) : used, own, whole, depth };
}

interface Declared {
  readonly name: string;
  readonly isValue: boolean;
  /** Whether it is outside of other declarations. */
  readonly isOuter: boolean;
  /** Words after the name. */
  readonly mentions: readonly string[];
  /** Names of nested declarations, whose scope ends with it. */
  readonly inner: readonly string[];
}

/** Directives, which would otherwise look like an open brace and a comment. */
const directives = /^[ \t]*\{-#.*#-\}[ \t]*$/gm;
const opening = new Set(["{", "(", "["]);
const closing = new Set(["}", ")", "]"]);
const word = /^\w/;

/** Deeper than people nest declarations. */
const MAX_NESTED = 100;

interface OpenDeclaration {
  readonly nesting: number;
  readonly isValue: boolean;
  readonly words: string[];
  readonly inner: string[];
}

/** Declarations in order, nested ones first: their mentions count for the outer ones, too. @throws SourceTooLong */
function* declarationsOf(sources: Iterable<string>): Iterable<Declared> {
  for (const source of sources) {
    let nesting = 0;
    const open: OpenDeclaration[] = [];
    function* closed(minNesting: number): Iterable<Declared> {
      for (let last = open.at(-1); last !== undefined && last.nesting >= minNesting; last = open.at(-1)) {
        open.pop();
        const [name = "", ...mentions] = last.words;
        yield { name, isValue: last.isValue, isOuter: open.length === 0, mentions, inner: last.inner };
        open.at(-1)?.inner.push(name);
      }
    }
    for (const token of sourceParts(source.replace(directives, ""))) {
      if (opening.has(token)) nesting++;
      else if (closing.has(token)) {
        nesting--;
        yield* closed(nesting + 1);
      } else if (token === "let" || token === "func" || token === "strict") {
        yield* closed(nesting);
        if (open.length >= MAX_NESTED) throw new SourceTooLong("the declarations of a script nest too deep");
        open.push({ nesting, isValue: token !== "func", words: [], inner: [] });
      } else if (word.test(token)) for (const { words } of open) words.push(token);
    }
    yield* closed(Number.NEGATIVE_INFINITY);
  }
}
