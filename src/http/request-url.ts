/** Parts of a request's URL that routes use. */
import { withPlainLetters } from "./percent-text.ts";

export interface RequestUrl {
  /** Percent-encoded, except letters and digits that need no encoding. */
  readonly path: string;
  readonly searchParams: SearchParams;
}

/** Read access to the parameters. */
export type SearchParams = Pick<URLSearchParams, "get" | "getAll" | "has">;

/** Paths that URL parsing would not change: no query, no escape, no dot segment. */
const plainPath = /^\/[\w/:~-]*$/;
const noParams: SearchParams = new URLSearchParams();
/** Origin of an earlier URL: usually all requests to a node have the same. */
let knownOrigin = "";

/**
 * Returns undefined for an invalid URL, since a Host header may hold anything. PERF: parsing a URL takes as long as the
 * rest of the routing.
 */
export function readRequestUrl(text: string): RequestUrl | undefined {
  const originEnd = text.indexOf("/", text.indexOf("//") + 2);
  const origin = text.slice(0, originEnd);
  const rest = text.slice(originEnd);
  if (origin === knownOrigin && plainPath.test(rest)) return { path: rest, searchParams: noParams };
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.origin === origin) knownOrigin = origin;
  return { path: withPlainLetters(url.pathname), searchParams: url.searchParams };
}
