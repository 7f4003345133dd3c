/** What a route answers, before it is written for one client. */
import type { JsonValue } from "../protocol/json.ts";

/** How long an answer holds. */
export type Freshness =
  /** About this moment: the pool, the clock, chance. */
  | { readonly kind: "momentary" }
  /** Follows from the request alone. */
  | { readonly kind: "constant" }
  /** Shows one state of the chain; the tag names it. `isTimed`: the clock had a part in it, too: then it is not kept */
  | { readonly kind: "state"; readonly tag: string; readonly isTimed?: boolean }
  /**
   * Can no more change. What is found by its id never will; what is found by its height might, when a private chain is
   * thrown away and begun anew under the same address.
   */
  | { readonly kind: "final"; readonly tag: string; readonly foundBy: "id" | "height" };

export type Reply =
  | { readonly kind: "json"; readonly value: JsonValue; readonly freshness: Freshness }
  /** JSON that was written before, with exact numbers. */
  | { readonly kind: "jsonText"; readonly text: string; readonly freshness: Freshness }
  /** A list that may be too long to be held at once: between `open` and `close`, separated by commas. */
  | {
      readonly kind: "jsonItems";
      readonly open: string;
      readonly items: AsyncIterable<JsonValue>;
      readonly close: string;
      readonly freshness: Freshness;
    }
  /** An object that may be too long to be held at once. */
  | {
      readonly kind: "jsonMembers";
      readonly members: AsyncIterable<readonly [name: string, value: bigint | string]>;
      /** Whether numbers are strings where the client wants it, whatever their names. */
      readonly isSignificant: boolean;
      readonly freshness: Freshness;
    }
  /** Nothing, not even a type: what the reference answers where there is nothing to show. */
  | { readonly kind: "nothing"; readonly freshness: Freshness }
  | {
      readonly kind: "error";
      readonly status: number;
      readonly value: JsonValue;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "text"; readonly status: number; readonly text: string }
  /** A document that is none of the interface's JSON. */
  | {
      readonly kind: "file";
      readonly contentType: string;
      readonly bytes: Uint8Array | ReadableStream<Uint8Array>;
      /** Nothing else will ever be found under the request's URL. */
      readonly isForever?: boolean;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "redirect"; readonly location: string };

export const momentary: Freshness = { kind: "momentary" };
export const constant: Freshness = { kind: "constant" };

export function json(value: JsonValue, freshness: Freshness): Reply {
  return { kind: "json", value, freshness };
}

/** What the reference says of some requests that their route cannot read. */
export const badRequest: Reply & { readonly kind: "text" } = {
  kind: "text",
  status: 400,
  text: "The request contains bad syntax or cannot be fulfilled.",
};

/**
 * The two texts that stand for requests no route takes.
 * @source docs/protocol/rest-api.md 1.5
 */
export const notFound: Reply = {
  kind: "text",
  status: 404,
  text: "The requested resource could not be found but may be available again in the future.",
};
export const methodNotAllowed: Reply = {
  kind: "text",
  status: 405,
  text: "A request was made of a resource using a request method not supported by that resource;",
};
