/**
 * Maximum size of compiled sources. The compiler cannot be stopped, and needs up to 70 µs and 10 KB for a token: a
 * source of 1 MB would take a minute, or all the memory. The reference stops after a time.
 */

/** In typical sources 45,000 tokens are 160 KB. */
export const MAX_SCRIPT_TOKENS = 50_000;
/**
 * Operators, getters and elements of one expression without a comma or a keyword: the compiler's time is quadratic in
 * their number.
 */
export const MAX_EXPRESSION_TOKENS = 8_000;
/** The reference evaluates requests with 5,000 bindings, which are 20,000 tokens. */
export const MAX_EVALUATION_TOKENS = 25_000;
/** Expressions for evaluation are compiled several times until all their names are known: total number of tokens. */
const MAX_EVALUATION_WORK_TOKENS = 200_000;
const MAX_EVALUATION_ATTEMPTS = 20;

/** Source with more tokens than the limit. */
export class SourceTooLong extends Error {
  override readonly name = "SourceTooLong";
}

/** Tokens: comments, strings and bytes as a whole, words and numbers, signs. */
const tokens = /#[^\n]*|"(?:[^"\\]|\\[\s\S])*"?|base(?:16|58|64)'[^']*'|\w+|[^\s\w]/g;

/** Tokens of the source without comments and spaces. */
export function* sourceParts(source: string): Iterable<string> {
  for (const [token] of source.matchAll(tokens)) if (!token.startsWith("#")) yield token;
}

const ends = new Set([",", "let", "func", "strict", "if", "then", "else", "match", "case"]);

/** @throws SourceTooLong for an expression over the limit */
export function refuseLongExpressions(sources: Iterable<string>): void {
  for (const source of sources) {
    let length = 0;
    for (const token of sourceParts(source)) {
      length = ends.has(token) ? 0 : length + 1;
      if (length > MAX_EXPRESSION_TOKENS)
        throw new SourceTooLong(`an expression has more than ${MAX_EXPRESSION_TOKENS} tokens in a row`);
    }
  }
}

/**
 * @returns number of tokens of all sources, without comments; `FOLD<N>` is written out N times
 * @throws SourceTooLong over the limit
 */
export function refuseLongSources(sources: Iterable<string>, maxTokens: number): number {
  let tokens = 0;
  for (const source of sources) {
    let [first, second] = ["", ""];
    for (const part of sourceParts(source)) {
      tokens += first === "FOLD" && second === "<" && /^\d+$/.test(part) ? Number(part) : 1;
      [first, second] = [second, part];
      if (tokens > maxTokens) throw new SourceTooLong(`a source has more than ${maxTokens} tokens`);
    }
  }
  return tokens;
}

/** Maximum number of compilations of an expression with this number of tokens. */
export function evaluationAttempts(tokens: number): number {
  return Math.min(MAX_EVALUATION_ATTEMPTS, Math.floor(MAX_EVALUATION_WORK_TOKENS / tokens));
}
