/** Response of a route, before it is written for one client. */
import type { JsonValue } from "../protocol/json.ts";

/** Validity of a response. */
export type Freshness =
  /** Valid only now: it depends on the pool, the clock or a random number. */
  | { readonly kind: "momentary" }
  /** Depends on the request only. */
  | { readonly kind: "constant" }
  /** Shows one state of the chain, which the tag names. `isTimed`: it depends on the clock, too, and is not cached */
  | { readonly kind: "state"; readonly tag: string; readonly isTimed?: boolean }
  /**
   * Never changes. A response found by height may change after all if a private chain is dropped and started again
   * under the same address; one found by id never does.
   */
  | { readonly kind: "final"; readonly tag: string; readonly foundBy: "id" | "height" };

export type RouteResponse =
  | { readonly kind: "json"; readonly value: JsonValue; readonly freshness: Freshness }
  /** Stored JSON text with exact numbers. */
  | { readonly kind: "jsonText"; readonly text: string; readonly freshness: Freshness }
  /** A list that may be too long to be buffered: items between `open` and `close`, separated by commas. */
  | {
      readonly kind: "jsonItems";
      readonly open: string;
      readonly items: AsyncIterable<JsonValue>;
      readonly close: string;
      readonly freshness: Freshness;
    }
  /** An object that may be too long to be buffered. */
  | {
      readonly kind: "jsonMembers";
      readonly members: AsyncIterable<readonly [name: string, value: bigint | string]>;
      /** Whether numbers become strings on request, whatever their names. */
      readonly isSignificant: boolean;
      readonly freshness: Freshness;
    }
  /** An empty body without a type: the reference's response if there is nothing to show. */
  | { readonly kind: "nothing"; readonly freshness: Freshness }
  | {
      readonly kind: "error";
      readonly status: number;
      readonly value: JsonValue;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "text"; readonly status: number; readonly text: string }
  /** A document other than the interface's JSON. */
  | {
      readonly kind: "file";
      readonly contentType: string;
      readonly bytes: Uint8Array | ReadableStream<Uint8Array>;
      /** Whether the URL will never have other content. */
      readonly isForever?: boolean;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "redirect"; readonly location: string };

export const momentary: Freshness = { kind: "momentary" };
export const constant: Freshness = { kind: "constant" };

export function json(value: JsonValue, freshness: Freshness): RouteResponse {
  return { kind: "json", value, freshness };
}

/** Response of the reference to some requests that a route cannot parse. */
export const badRequest: RouteResponse & { readonly kind: "text" } = {
  kind: "text",
  status: 400,
  text: "The request contains bad syntax or cannot be fulfilled.",
};

/**
 * The two text responses for requests that no route takes.
 * @source docs/protocol/rest-api.md 1.5
 */
export const notFound: RouteResponse = {
  kind: "text",
  status: 404,
  text: "The requested resource could not be found but may be available again in the future.",
};
export const methodNotAllowed: RouteResponse = {
  kind: "text",
  status: 405,
  text: "A request was made of a resource using a request method not supported by that resource;",
};
