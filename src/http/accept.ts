/**
 * Which form of JSON a client wants, read from its Accept header.
 * @source spec/rest-api.md 1.3, 1.4
 */

/** `exact`: 64-bit integers as numbers. `strings`: as strings, where the field is one of the significant ones. */
export type JsonForm = "exact" | "strings";

const formParameter = "large-significand-format";

interface MediaRange {
  readonly type: string;
  /** Value of the form parameter, if it is there. */
  readonly form: string | undefined;
  /** Preference, 0 to 1; 0 refuses. */
  readonly quality: number;
}

function parseRange(text: string): MediaRange {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  let quality = 1;
  let form: string | undefined;
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=").map((part) => part.trim());
    if (name.toLowerCase() === "q") quality = Number(value);
    if (name.toLowerCase() === formParameter) form = value.replaceAll('"', "").toLowerCase();
  }
  return { type: type.toLowerCase(), form, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** Preference of the most exact range that takes the form; 0: none does. */
function qualityOf(form: JsonForm, ranges: readonly MediaRange[]): number {
  const wanted = form === "strings" ? "string" : undefined;
  const levels = [
    (range: MediaRange) => range.type === "application/json" && range.form === wanted,
    (range: MediaRange) => range.type === "application/*" && range.form === undefined,
    (range: MediaRange) => range.type === "*/*" && range.form === undefined,
  ];
  for (const takes of levels) {
    const range = ranges.find(takes);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/** The form to answer in; undefined when the header shuts JSON out. Exact numbers win a tie. */
export function acceptedForm(accept: string | null): JsonForm | undefined {
  if (accept === null || accept.trim() === "") return "exact";
  const ranges = accept.split(",").map(parseRange);
  const exact = qualityOf("exact", ranges);
  const strings = qualityOf("strings", ranges);
  if (strings > exact) return "strings";
  return exact > 0 ? "exact" : undefined;
}

/** Whether any range of the header asks for strings: maps of balances follow that, whichever range the answer takes. */
export function asksForStrings(accept: string | null): boolean {
  return (accept ?? "")
    .split(",")
    .map(parseRange)
    .some(({ form }) => form === "string");
}

/** Content-Type of a JSON answer. */
export const jsonContentType = {
  exact: "application/json",
  strings: `application/json; ${formParameter}=string`,
} as const satisfies Record<JsonForm, string>;
