/** Names of this machine that no web page has: a page can make a name of its own point here. */
import { isIP } from "node:net";
import { isLoopback } from "./exposure.ts";

/** Whether a Host header names this machine for itself. */
export function isNameHere(host: string): boolean {
  const name = nameOf(host);
  return isLoopback(name) || name.endsWith(".localhost");
}

/**
 * Whether a Host header is what other machines call this one, and no page's name: one of its own, an address, one word as
 * containers have it, or one below `internal` (`host.docker.internal`), which nobody can own.
 * @source ICANN, 2024: `internal` is kept for private use
 */
export function isNameNearby(host: string, own: readonly string[]): boolean {
  const name = nameOf(host);
  const isWord = /^[^.:]+$/.test(name);
  const isOwn = own.some((each) => each.toLowerCase() === name);
  return isNameHere(host) || isOwn || isWord || isIP(name) !== 0 || name.endsWith(".internal");
}

/** @param host a Host header @returns it without the port, in small letters */
function nameOf(host: string): string {
  return host
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
}

/**
 * Whether a web page from elsewhere may have sent a request: any page may ask the node that its reader's browser reaches.
 * @param head its Host, Origin (which browsers send with every POST) and Sec-Fetch-Site headers
 * @param isOwn whether a host is a name that no page elsewhere has
 */
export function isFromForeignPage(
  { host = "", origin, site }: Record<"host" | "origin" | "site", string | undefined>,
  isOwn: (host: string) => boolean,
): boolean {
  if (!isOwn(host)) return true;
  const [, originHost] = /^https?:\/\/(.+)$/.exec(origin ?? "") ?? [];
  if (originHost !== undefined) return !isOwn(originHost);
  return origin !== undefined || site === "cross-site";
}
