/**
 * Host and Origin headers that reveal a foreign page, on this machine alone and where other machines reach the node.
 */
import { expect, test } from "vitest";
import { isCrossSiteRequest } from "../../../local/runtime/cross-site-request.ts";

const here = { isExposed: false, own: ["127.0.0.1", "own.example"] };
const nearby = { isExposed: true, own: ["0.0.0.0", "own.example"] };
const head = (host: string, origin?: string, site?: string) => ({ host, origin, site });

test.each([
  ["localhost:6869", true, true],
  ["LOCALHOST", true, true],
  ["node.localhost:6869", true, true],
  ["127.0.0.1:6869", true, true],
  ["[::1]:6869", true, true],
  ["waves:6869", false, true],
  ["192.168.1.5:6869", false, true],
  ["[fd00::5]:6869", false, true],
  ["host.docker.internal:6869", false, true],
  ["Own.Example:6869", false, true],
  ["node.example", false, false],
  ["127.0.0.1.example:80", false, false],
  ["internal.example", false, false],
  ["not-own.example", false, false],
  ["sub.own.example", false, false],
  ["waves.", false, false],
  ["", false, false],
])("the host '%s' is this machine's for itself: %s, for its neighbours: %s", (host, isHere, isNearby) => {
  expect(isCrossSiteRequest(head(host), here)).toBe(!isHere);
  expect(isCrossSiteRequest(head(host), nearby)).toBe(!isNearby);
});

test.each([
  ["http://203.0.113.7", true],
  ["http://[2001:db8::7]:8080", true],
  ["http://192.168.1.6", true],
  ["http://192.168.1.5", true],
  ["http://192.168.1.5:3000", true],
  ["http://router", true],
  ["http://page.internal", true],
  ["https://page.example", true],
  ["null", true],
  ["http://192.168.1.5:6869", false],
  ["http://localhost:3000", false],
  ["http://127.0.0.1:3000", false],
  ["http://[::1]:3000", false],
  ["http://own.example:3000", false],
  [undefined, false],
])("a page at %s is foreign to a node that others reach at 192.168.1.5:6869: %s", (origin, isForeign) => {
  expect(isCrossSiteRequest(head("192.168.1.5:6869", origin), nearby)).toBe(isForeign);
});

test("a page at an address is foreign to a node of this machine alone", () => {
  expect(isCrossSiteRequest(head("localhost:6869", "http://203.0.113.7"), here)).toBe(true);
  expect(isCrossSiteRequest(head("localhost:6869", "http://127.0.0.1:3000"), here)).toBe(false);
  expect(isCrossSiteRequest(head("localhost:6869", undefined, "cross-site"), here)).toBe(true);
});
