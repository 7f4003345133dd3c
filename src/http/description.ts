/** Description of an endpoint and its responses for clients. */
import type { JsonValue } from "../protocol/json.ts";
import type { DocumentedError } from "./errors.ts";
import type { Schema } from "./schema.ts";
import type { Tag } from "./tags.ts";

export interface Description<Params> {
  readonly tag: Tag;
  /** A few words, as a heading. */
  readonly summary: string;
  /** Details that are not in the summary. */
  readonly notes?: string;
  /** Schema of a response with status 200; or a description of the text or the file. */
  readonly response: Schema | { readonly text: string } | { readonly file: string };
  /** Errors of the catalogue besides those of the parameters, the body and the API key. */
  readonly errors?: readonly DocumentedError[];
  /** An error with a text body, besides those of the catalogue with its status. */
  readonly textError?: { readonly status: number; readonly text: string };
  /** A status without an error of the catalogue, with a JSON body of its own. */
  readonly otherError?: { readonly status: number; readonly about: string; readonly response: Schema };
  /** Examples. The document shows the first one of each method, with the response of a real node. */
  readonly examples?: readonly Example<Params>[];
}

/** Values of a request. */
export interface Example<Params> {
  /** Method, for a route that accepts any; otherwise it is known. */
  readonly method?: "POST";
  readonly params?: { readonly [Name in keyof Params]: string };
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** JSON, or a text if the body is text. */
  readonly body?: JsonValue;
}

/** A route that is not an endpoint, but handles requests that no other route takes. */
export interface Unlisted {
  /** Reason for the route. */
  readonly unlisted: string;
}

export function unlisted(reason: string): Unlisted {
  return { unlisted: reason };
}
