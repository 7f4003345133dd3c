/** Names of this machine that no web page has: a page can make a name of its own point here. */
import { isIP } from "node:net";
import { isLoopback } from "./exposure.ts";

/** Whether a Host header names this machine for itself. */
function isNameHere(host: string): boolean {
  const name = nameOf(host);
  return isLoopback(name) || name.endsWith(".localhost");
}

/**
 * Whether a Host header is what other machines call this one, and no page's name: one of its own, an address, one word as
 * containers have it, or one below `internal` (`host.docker.internal`), which nobody can own.
 * @source ICANN, 2024: `internal` is kept for private use
 */
function isNameNearby(host: string, own: readonly string[]): boolean {
  const name = nameOf(host);
  const isWord = /^[^.:]+$/.test(name);
  return isNameHere(host) || isNameOf(host, own) || isWord || isIP(name) !== 0 || name.endsWith(".internal");
}

function isNameOf(host: string, own: readonly string[]): boolean {
  return own.some((each) => each.toLowerCase() === nameOf(host));
}

/** @param host a Host header @returns it without the port, in small letters */
function nameOf(host: string): string {
  return host
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
}

/** Whom the node serves. */
export interface PageRule {
  /** Other machines reach it, too. */
  readonly isExposed: boolean;
  /** Names of its own. */
  readonly own: readonly string[];
}

/**
 * Whether a web page from elsewhere may have sent a request: any page may ask the node that its reader's browser reaches.
 * @param head its Host, Origin (which browsers send with every POST) and Sec-Fetch-Site headers
 */
export function isFromForeignPage(
  { host = "", origin, site }: Record<"host" | "origin" | "site", string | undefined>,
  { isExposed, own }: PageRule,
): boolean {
  if (!(isExposed ? isNameNearby(host, own) : isNameHere(host))) return true;
  const [, originHost] = /^https?:\/\/(.+)$/.exec(origin ?? "") ?? [];
  if (originHost !== undefined) return !isOwnPage(originHost, host, own);
  return origin !== undefined || site === "cross-site";
}

/**
 * Whether a page is this machine's or the node's own. Unlike a Host header, an Origin may be any address: pages elsewhere have one.
 * @param page host of the page, with its port
 */
function isOwnPage(page: string, host: string, own: readonly string[]): boolean {
  return isNameHere(page) || isNameOf(page, own) || page.toLowerCase() === host.toLowerCase();
}
