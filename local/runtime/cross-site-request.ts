/** Recognition of requests from foreign web pages: a page's own host name can resolve to this machine. */
import { isIP } from "node:net";
import { isLoopback } from "./exposure.ts";

/** Whether a Host header names this machine for itself. */
function isNameHere(host: string): boolean {
  const name = nameOf(host);
  return isLoopback(name) || name.endsWith(".localhost");
}

/**
 * Whether a Host header is a name that other machines use for this one and no page can have: a name of its own, an
 * address, a single word as in containers, or a name below `internal` (`host.docker.internal`), which cannot be owned.
 * @source ICANN, 2024: `internal` is reserved for private use
 */
function isNameNearby(host: string, own: readonly string[]): boolean {
  const name = nameOf(host);
  const isWord = /^[^.:]+$/.test(name);
  return isNameHere(host) || isNameOf(host, own) || isWord || isIP(name) !== 0 || name.endsWith(".internal");
}

function isNameOf(host: string, own: readonly string[]): boolean {
  return own.some((each) => each.toLowerCase() === nameOf(host));
}

/** @param host a Host header @returns the host without the port, in lower case */
function nameOf(host: string): string {
  return host
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
}

/** Origins that the node accepts. */
export interface OriginPolicy {
  /** Whether other machines can reach the node. */
  readonly isExposed: boolean;
  /** Host names of this node. */
  readonly own: readonly string[];
}

/**
 * Whether a foreign web page may have sent a request: any page can send requests to a node that the reader's browser
 * reaches.
 * @param head the request's Host, Origin (which browsers send with every POST) and Sec-Fetch-Site headers
 */
export function isCrossSiteRequest(
  { host = "", origin, site }: Record<"host" | "origin" | "site", string | undefined>,
  { isExposed, own }: OriginPolicy,
): boolean {
  if (!(isExposed ? isNameNearby(host, own) : isNameHere(host))) return true;
  const [, originHost] = /^https?:\/\/(.+)$/.exec(origin ?? "") ?? [];
  if (originHost !== undefined) return !isOwnOrigin(originHost, host, own);
  return origin !== undefined || site === "cross-site";
}

/**
 * Whether a page belongs to this machine or to the node. Unlike a Host header, an Origin with an address proves
 * nothing: foreign pages may have one.
 * @param page host of the page, with its port
 */
function isOwnOrigin(page: string, host: string, own: readonly string[]): boolean {
  return isNameHere(page) || isNameOf(page, own) || page.toLowerCase() === host.toLowerCase();
}
