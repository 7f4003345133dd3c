/** Strings, numbers and words, and the marks between them, each as it is written. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON text on many lines, two blanks a level, with every digit as it stands in the text: nothing becomes a double.
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
