/** Strings, numbers, literals and the marks between them, as written. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON text indented by two spaces a level, with every digit kept: no number becomes a double.
 * @param text valid JSON
 */
export function indentJson(text: string): string {
  let indented = "";
  let depth = 0;
  let before = "";
  const line = (): string => `\n${"  ".repeat(depth)}`;
  for (const [token] of text.matchAll(tokens)) {
    const isClosing = token === "}" || token === "]";
    const isEmpty = isClosing && (before === "{" || before === "[");
    if (isClosing) depth--;
    if (before === "," || before === "{" || before === "[") indented += isEmpty ? "" : line();
    else if (isClosing) indented += line();
    indented += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth++;
    before = token;
  }
  return indented;
}
