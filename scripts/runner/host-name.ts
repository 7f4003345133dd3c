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
