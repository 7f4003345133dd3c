/** All addresses of a subscriber count as one host, and so do all requests without an address. */
import { expect, test } from "vitest";
import { clientHost } from "../../src/http/client-host.ts";

const hostAt = (address?: string) =>
  clientHost(new Headers(address === undefined ? {} : { "CF-Connecting-IP": address }));

test("a host is an address, of IPv6 its first 64 bits", () => {
  expect(hostAt("198.51.100.1")).not.toBe(hostAt("198.51.100.2"));
  expect(hostAt("2001:db8:1:2::1")).toBe(hostAt("2001:db8:1:2:ffff::7"));
  expect(hostAt("2001:db8:1:2::1")).not.toBe(hostAt("2001:db8:1:3::1"));
  expect(hostAt("no address")).toBe(hostAt());
  expect(hostAt("198.51.100.1")).not.toBe(hostAt());
});
