/** The part of a request's URL that routes look at. */
import { withPlainLetters } from "./percent-text.ts";

export interface RequestUrl {
  /** Percent-encoded, but for letters and digits that need not be. */
  readonly path: string;
  readonly searchParams: SearchParams;
}

/** Parameters as they are read. */
export type SearchParams = Pick<URLSearchParams, "get" | "getAll" | "has">;

/** Where reading a URL changes nothing: no query, nothing encoded, no dot that may stand for a folder. */
const plainPath = /^\/[\w/:~-]*$/;
const noParams: SearchParams = new URLSearchParams();
/** Scheme and host of an earlier URL: mostly all that a node is asked have the same. */
let knownOrigin = "";

/**
 * undefined: it is no URL, for a Host header may hold anything.
 *
 * PERF: reading a URL takes as long as all else that is done to find a route.
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
