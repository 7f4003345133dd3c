/**
 * The longest source that is compiled. The compiler cannot be stopped while it runs, and needs up to 70 µs and 10 KB for a
 * token: a source of 1 MB would take a minute, or all the memory there is. The reference stops after a time.
 */

/** Scripts of 160 KB, the largest that there may be, have 2 bytes a token at the least in what people write. */
export const MAX_SCRIPT_TOKENS = 80_000;
/** The reference has answers to questions of 5,000 bindings, which are 20,000 tokens. */
export const MAX_QUESTION_TOKENS = 25_000;
/**
 * Of a script, over all of its own declarations, how many others the longest way from one to the next leads over: the
 * compiler needs up to 30 µs for each, whatever the script's length. In what people write, some hundred declarations have
 * ways of ten or twenty.
 */
export const MAX_SCRIPT_DEPTH = 60_000;
/** Questions of clients are compiled several times until all their names are known: this many tokens in all. */
const MAX_QUESTION_WORK_TOKENS = 200_000;
const MAX_QUESTION_ATTEMPTS = 20;

/** A source has more tokens than are compiled. */
export class SourceTooLong extends Error {
  override readonly name = "SourceTooLong";
}

/** Comments, texts as a whole, words and numbers, signs. */
const parts = /#[^\n]*|"(?:[^"\\]|\\[\s\S])*"?|\w+|[^\s\w]/g;

/**
 * @returns how many tokens the sources have in all, comments left out
 * @throws SourceTooLong when they are more
 */
export function refuseLongSources(sources: Iterable<string>, maxTokens: number): number {
  let tokens = 0;
  for (const source of sources) {
    for (const [part] of source.matchAll(parts)) {
      if (part.startsWith("#")) continue;
      tokens++;
      if (tokens > maxTokens) throw new SourceTooLong(`a source has more than ${maxTokens} tokens`);
    }
  }
  return tokens;
}

/** How often a question of so many tokens is compiled at the most. */
export function questionAttempts(tokens: number): number {
  return Math.min(MAX_QUESTION_ATTEMPTS, Math.floor(MAX_QUESTION_WORK_TOKENS / tokens));
}

/** They look like a brace that is never closed, and a comment. */
const directives = /^[ \t]*\{-#.*#-\}[ \t]*$/gm;
const opening = new Set(["{", "(", "["]);
const closing = new Set(["}", ")", "]"]);

/**
 * @returns the sum of what `MAX_SCRIPT_DEPTH` bounds
 * @throws SourceTooLong when it is more
 */
export function refuseDeepSources(sources: Iterable<string>): number {
  const depths = new Map<string, number>();
  let sum = 0;
  for (const source of sources) {
    let nesting = 0;
    /** The declaration that is read, and how deep the deepest is that it names. */
    let name: string | undefined;
    let depth = 0;
    let isNamed = true;
    for (const [part] of source.replace(directives, "").matchAll(parts)) {
      if (opening.has(part)) nesting++;
      else if (closing.has(part)) nesting--;
      else if (nesting === 0 && (part === "let" || part === "func")) {
        if (name !== undefined) depths.set(name, depth + 1);
        name = undefined;
        depth = 0;
        isNamed = false;
        continue;
      }
      if (!isNamed && /^\w/.test(part)) {
        name = part;
        isNamed = true;
        continue;
      }
      const found = depths.get(part) ?? 0;
      if (found <= depth) continue;
      sum += found - depth;
      depth = found;
      if (sum > MAX_SCRIPT_DEPTH)
        throw new SourceTooLong("the declarations of a script lead too far from one to the next");
    }
    if (name !== undefined) depths.set(name, depth + 1);
  }
  return sum;
}
