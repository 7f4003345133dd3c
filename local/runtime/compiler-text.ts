/** Changes to the text of the reference compiler: minified JavaScript without template strings or classes. */

export interface TextChange {
  /** Text in the package, where it occurs once; line breaks are ignored. */
  readonly from: string;
  readonly to: string;
}

/** Applies a change. @throws Error when the text does not contain `from` exactly once */
export function changed(text: string, { from, to }: TextChange): string {
  // The package breaks its lines at arbitrary positions.
  const pattern = new RegExp([...from].map((character) => character.replace(/\W/, "\\$&")).join("\\n?"), "g");
  if (text.match(pattern)?.length !== 1) throw new Error("the compiler is another one than these changes are made for");
  return text.replace(pattern, () => to);
}

/** String literals, comments, words, arrows and signs; the token before a slash tells a division from a pattern. */
const part = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\/\/[^\n]*|[\w$]+|=>|[^\s\w$]/gy;
const pattern = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** Tokens before a slash that begins a regular expression and is no division. */
const beforePattern = /^(?:[(,=:[!&|?{};+\-*%<>~^]|=>|return|typeof|case)$|^$/;
/** Keywords whose parentheses decide how the code after them is read. */
const heads = new Set(["function", "for", "while"]);

/** The text with a statement added before the first one of each function body, and an expression in each loop round. */
export function withStatementInEach(text: string, expression: string): string {
  let result = "";
  let copied = 0;
  const insert = (at: number, added: string): void => {
    result += text.slice(copied, at) + added;
    copied = at;
  };
  /** Keyword and semicolons of each open bracket. */
  const open: { readonly head: string; semicolons: number }[] = [];
  let head = "";
  let before = "";
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const found = partAt(text, at, before);
    at += found.length;
    if (found.startsWith("//")) continue;
    if (heads.has(found) && before !== ".") head = found;
    if (found === "(") {
      open.push({ head, semicolons: 0 });
      if (head === "while") insert(at, `${expression},`);
      head = "";
    } else if (found === "[" || found === "{") {
      if (found === "{" && (before === "function()" || before === "=>")) insert(at, `${expression};`);
      open.push({ head: "", semicolons: 0 });
    } else if (found === ";") {
      const inner = open.at(-1);
      // The second semicolon of `for (;;)`.
      if (inner?.head === "for" && ++inner.semicolons === 2)
        insert(at, text.startsWith(")", skipSpace(text, at)) ? expression : `${expression},`);
    }
    const closed = found === ")" || found === "]" || found === "}" ? open.pop() : undefined;
    before = closed?.head === "function" ? "function()" : found;
  }
  return result + text.slice(copied);
}

function partAt(text: string, at: number, before: string): string {
  const form = text[at] === "/" && text[at + 1] !== "/" && beforePattern.test(before) ? pattern : part;
  form.lastIndex = at;
  const [found] = form.exec(text) ?? [];
  if (found === undefined || found === "`") throw new Error(`the compiler's text is not understood at ${at}`);
  return found;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && text.charCodeAt(next) <= 32) next++;
  return next;
}
