/**
 * JSON form requested by a client's Accept header. A header that is not a list of media ranges counts as missing.
 * @source docs/protocol/rest-api.md 1.3, 1.4; akka-http: parser/AcceptHeader.scala, MediaTypeNegotiator.scala; Waves:
 *   api/http/CustomJson.scala
 */

/** `exact`: 64-bit integers as numbers. `strings`: as strings in the significant fields. */
export type JsonForm = "exact" | "strings";

const formParameter = "large-significand-format";
const stringForm = "string";
const charsetParameter = "charset";
const qualityParameter = "q";

/** Types are compared in lower case; parameters are case-sensitive. */
const jsonType = { main: "application", sub: "json" } as const;

interface MediaRange {
  readonly main: string;
  readonly sub: string;
  /** Parameters without `q`; the last one of each name counts. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Preference, 0 to 1; 0 refuses. */
  readonly quality: number;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const space = String.raw`[ \t]*`;
const typePattern = new RegExp(String.raw`(?:(\*)/\*|(${token})${space}/(${token})|(\*))${space}`, "y");
const parameterPattern = new RegExp(
  String.raw`;${space}(${token})${space}=${space}(?:(${token})|"((?:[^"\\]|\\.)*)")${space}`,
  "y",
);
const separatorPattern = new RegExp(`,${space}`, "y");
/** Numbers as Java parses them, except hexadecimal ones. */
const qualityPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/;

/** Ranges of a header, in their order; none if it is empty or invalid. */
function rangesOf(accept: string | null): readonly MediaRange[] {
  const text = (accept ?? "").trim();
  const ranges: MediaRange[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  do {
    const type = take(typePattern);
    if (type === null) return [];
    const parameters: [string, string][] = [];
    for (let found = take(parameterPattern); found !== null; found = take(parameterPattern))
      parameters.push([found[1] ?? "", found[2] ?? (found[3] ?? "").replace(/\\(.)/g, "$1")]);
    const range = rangeOf(type[2] ?? "*", type[3] ?? "*", new Map(parameters));
    if (range === undefined) return [];
    ranges.push(range);
  } while (take(separatorPattern) !== null);
  return at === text.length ? ranges : [];
}

/** @returns undefined for an invalid preference, and for `*` with a subtype */
function rangeOf(main: string, sub: string, parameters: Map<string, string>): MediaRange | undefined {
  const quality = qualityOf(parameters.get(qualityParameter));
  if (!(quality >= 0 && quality <= 1) || (main === "*" && sub !== "*")) return undefined;
  parameters.delete(qualityParameter);
  return { main: main.toLowerCase(), sub: sub.toLowerCase(), parameters, quality };
}

/** Preference of a range; a text that is not a number counts as missing. */
function qualityOf(text: string | undefined): number {
  if (text === "NaN" || text?.endsWith("Infinity")) return Number.NaN;
  return text === undefined || !qualityPattern.test(text) ? 1 : Math.fround(Number.parseFloat(text));
}

/** Whether the parameters are those of the form. */
function hasParametersOf(form: JsonForm, parameters: ReadonlyMap<string, string>): boolean {
  return form === "exact"
    ? parameters.size === 0
    : parameters.size === 1 && parameters.get(formParameter) === stringForm;
}

/** Drops `charset`: JSON has only one, so ranges may name any. */
function withoutCharset(parameters: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...parameters].filter(([name]) => name !== charsetParameter));
}

const isJson = ({ main, sub }: MediaRange): boolean => main === jsonType.main && sub === jsonType.sub;

/** Preference of the most specific range that accepts the form; 0 if none does. */
function preferenceFor(form: JsonForm, ranges: readonly MediaRange[]): number {
  const own = ranges.filter((range) => isJson(range) && hasParametersOf(form, withoutCharset(range.parameters)));
  if (own.length > 0) return Math.max(...own.map(({ quality }) => quality));
  const wider = (main: string) =>
    ranges.find((range) => range.main === main && range.sub === "*" && hasParametersOf(form, range.parameters));
  return (wider(jsonType.main) ?? wider("*"))?.quality ?? 0;
}

/** Form of the response; undefined if the header excludes JSON. Exact numbers win a tie. */
export function acceptedForm(accept: string | null): JsonForm | undefined {
  const ranges = rangesOf(accept);
  if (ranges.length === 0) return "exact";
  const exact = preferenceFor("exact", ranges);
  const strings = preferenceFor("strings", ranges);
  if (strings > exact) return "strings";
  return exact > 0 ? "exact" : undefined;
}

/** Whether any range requests JSON with strings: some numbers depend on it, whichever range the response has. */
export function requestsStrings(accept: string | null): boolean {
  return rangesOf(accept).some((range) => isJson(range) && hasParametersOf("strings", range.parameters));
}

/** Content-Type of a JSON response. */
export const jsonContentType = {
  exact: "application/json",
  strings: `application/json; ${formParameter}=${stringForm}`,
} as const satisfies Record<JsonForm, string>;
