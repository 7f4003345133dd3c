/** Token of a line of Ride source, for highlighting. */
export interface RideToken {
  readonly kind: "comment" | "text" | "bytes" | "number" | "keyword" | "annotation" | "type" | "call" | "plain";
  readonly text: string;
}

/** The first alternative that matches decides the kind. */
const pattern =
  /(?<comment>#.*$|\{-#.*#-\})|(?<text>"(?:[^"\\]|\\.)*")|(?<bytes>base(?:16|58|64)'[^']*')|(?<annotation>@\w+(?:\(\w+\))?)|(?<number>\b\d[\d_]*\b)|(?<keyword>\b(?:let|strict|func|if|then|else|match|case|true|false|FOLD|unit|nil)\b)|(?<type>\b[A-Z]\w*)|(?<call>\b[a-z]\w*(?=\s?\())/g;

/** Tokens of a line. Joined, they are the line. */
export function rideTokens(line: string): readonly RideToken[] {
  const tokens: RideToken[] = [];
  let offset = 0;
  for (const match of line.matchAll(pattern)) {
    if (match.index > offset) tokens.push({ kind: "plain", text: line.slice(offset, match.index) });
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ["plain"];
    tokens.push({ kind: kind as RideToken["kind"], text: match[0] });
    offset = match.index + match[0].length;
  }
  if (offset < line.length) tokens.push({ kind: "plain", text: line.slice(offset) });
  return tokens;
}
