/**
 * The longest source that is compiled. The compiler cannot be stopped while it runs, and needs up to 70 µs and 10 KB for a
 * token: a source of 1 MB would take a minute, or all the memory there is. The reference stops after a time.
 */

/** In what people write 160 KB are 45,000 tokens. */
export const MAX_SCRIPT_TOKENS = 50_000;
/** Operators, getters and elements of one expression without a comma or a keyword: the compiler takes the square of them. */
export const MAX_SENTENCE_TOKENS = 8_000;
/** The reference has answers to questions of 5,000 bindings, which are 20,000 tokens. */
export const MAX_QUESTION_TOKENS = 25_000;
/** Questions of clients are compiled several times until all their names are known: this many tokens in all. */
const MAX_QUESTION_WORK_TOKENS = 200_000;
const MAX_QUESTION_ATTEMPTS = 20;

/** A source has more tokens than are compiled. */
export class SourceTooLong extends Error {
  override readonly name = "SourceTooLong";
}

/** Comments, texts and bytes as a whole, words and numbers, signs. */
const parts = /#[^\n]*|"(?:[^"\\]|\\[\s\S])*"?|base(?:16|58|64)'[^']*'|\w+|[^\s\w]/g;

/** What the source consists of, comments and spaces left out. */
export function* sourceParts(source: string): Iterable<string> {
  for (const [part] of source.matchAll(parts)) if (!part.startsWith("#")) yield part;
}

const ends = new Set([",", "let", "func", "strict", "if", "then", "else", "match", "case"]);

/** @throws SourceTooLong a source has a longer sentence than is compiled */
export function refuseLongSentences(sources: Iterable<string>): void {
  for (const source of sources) {
    let length = 0;
    for (const part of sourceParts(source)) {
      length = ends.has(part) ? 0 : length + 1;
      if (length > MAX_SENTENCE_TOKENS)
        throw new SourceTooLong(`an expression has more than ${MAX_SENTENCE_TOKENS} tokens in a row`);
    }
  }
}

/**
 * @returns how many tokens the sources have in all, comments left out
 * @throws SourceTooLong when they are more
 */
export function refuseLongSources(sources: Iterable<string>, maxTokens: number): number {
  let tokens = 0;
  for (const source of sources) {
    for (const _ of sourceParts(source)) {
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
