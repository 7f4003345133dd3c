/** What an endpoint is for and what it answers, as clients read it. */
import type { JsonValue } from "../protocol/json.ts";
import type { DocumentedError } from "./errors.ts";
import type { Schema } from "./schema.ts";
import type { Tag } from "./tags.ts";

export interface Description<Params> {
  readonly tag: Tag;
  /** A few words, as a heading. */
  readonly summary: string;
  /** What the summary leaves open. */
  readonly notes?: string;
  /** The JSON of the answer with status 200; or the text or the file, told in a sentence. */
  readonly answer: Schema | { readonly text: string } | { readonly file: string };
  /** Those of the catalogue that follow neither from the kinds of the values, nor from the body, nor from the lock. */
  readonly errors?: readonly DocumentedError[];
  /** An error that is a text, beside those of the catalogue with its status. */
  readonly textError?: { readonly status: number; readonly text: string };
  /** A status of which no error of the catalogue is, with JSON of its own. */
  readonly otherError?: { readonly status: number; readonly about: string; readonly answer: Schema };
  /** The first one of a method stands in the document, with the answer of a real node. */
  readonly examples?: readonly Example<Params>[];
}

/** Values of a request. */
export interface Example<Params> {
  /** Of a route that takes any; else it is clear. */
  readonly method?: "POST";
  readonly params?: { readonly [Name in keyof Params]: string };
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** JSON, or a text where the body is one. */
  readonly body?: JsonValue;
}

/** A row that is no endpoint of its own, but says what becomes of requests that no other row takes. */
export interface Unlisted {
  /** Why it is there. */
  readonly unlisted: string;
}

export function unlisted(reason: string): Unlisted {
  return { unlisted: reason };
}
