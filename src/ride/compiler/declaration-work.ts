/**
 * How long the compiler would estimate the declarations of a source. It does so before it gives a script away, cannot be
 * stopped, and has two estimators to choose from: the third one walks along all ways from one value to the next, and twice
 * for each function on the way that has no cost of its own; the first one takes the square of the number of declarations.
 */
import { SourceTooLong, sourceParts } from "./source-bound.ts";

/** Steps of up to 60 µs. */
const MAX_WALKED = 30_000;
/** For the first estimator, of those that are not inside of another one: it takes 3 s for 800 values. */
const MAX_OUTER = 700;
/** The same, over all of them: how many others the longest way leads over. */
const MAX_DEPTH = 60_000;

interface Known {
  readonly isValue: boolean;
  /** Values that it leads to, itself included if it is one. */
  readonly values: ReadonlySet<string>;
  /** What it takes to tell whether it is free: values behind each function that it calls. */
  readonly own: number;
  /** What it takes with all values that it uses. */
  readonly whole: number;
  readonly depth: number;
}

/** What names stand for, the innermost last. */
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
 * The number of the compiler's estimator that ends in time.
 * @param sources those that are imported first
 * @throws SourceTooLong none does
 */
export function quickestEstimator(sources: Iterable<string>): 1 | 3 {
  const known = new KnownNames();
  let walked = 0;
  let outer = 0;
  let depths = 0;
  for (const { name, isValue, isOuter, mentions, inner } of declarationsOf(sources)) {
    // Once it is too much, it need not be known how much.
    const declared = declaration(name, isValue, mentions, known, walked <= MAX_WALKED);
    for (const forgotten of inner) known.leave(forgotten);
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
    const found = known.get(mention);
    if (found === undefined) continue;
    depth = Math.max(depth, found.depth + 1);
    if (!isWalked || own > MAX_WALKED) continue;
    if (found.isValue) {
      used.add(mention);
      continue;
    }
    for (const value of found.values) {
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
  /** Of the script, not inside of another declaration. */
  readonly isOuter: boolean;
  /** Words behind the name. */
  readonly mentions: readonly string[];
  /** Names that are declared inside of it: nobody knows them any more. */
  readonly inner: readonly string[];
}

/** They look like a brace that is never closed, and a comment. */
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

/** In their order, those inside of another one before it: what they mention it mentions, too. @throws SourceTooLong */
function* declarationsOf(sources: Iterable<string>): Iterable<Declared> {
  for (const source of sources) {
    let nesting = 0;
    const open: OpenDeclaration[] = [];
    function* closed(least: number): Iterable<Declared> {
      for (let last = open.at(-1); last !== undefined && last.nesting >= least; last = open.at(-1)) {
        open.pop();
        const [name = "", ...mentions] = last.words;
        yield { name, isValue: last.isValue, isOuter: open.length === 0, mentions, inner: last.inner };
        open.at(-1)?.inner.push(name);
      }
    }
    for (const part of sourceParts(source.replace(directives, ""))) {
      if (opening.has(part)) nesting++;
      else if (closing.has(part)) {
        nesting--;
        yield* closed(nesting + 1);
      } else if (part === "let" || part === "func" || part === "strict") {
        yield* closed(nesting);
        if (open.length >= MAX_NESTED) throw new SourceTooLong("the declarations of a script nest too deep");
        open.push({ nesting, isValue: part !== "func", words: [], inner: [] });
      } else if (word.test(part)) for (const { words } of open) words.push(part);
    }
    yield* closed(Number.NEGATIVE_INFINITY);
  }
}
