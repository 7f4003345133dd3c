/** Subscriber keys by client address, and the IPv6 networks that may share one key. */
import { expect, test } from "vitest";
import { networksOf, subscriberOf } from "../../src/network/subscriber.ts";
import { findIp } from "../../src/protocol/messages/peer-address-text.ts";

const subscriberAt = (text: string) => subscriberOf(findIp(text) as Uint8Array);

test("an IPv4 address is its own network", () => {
  expect(networksOf(subscriberAt("198.51.100.1"))).toEqual(["198.51.100.1"]);
  expect(subscriberAt("::ffff:198.51.100.1")).toBe(subscriberAt("198.51.100.1"));
});

test("an IPv6 address is in its first 64, 56 and 48 bits", () => {
  const networks = networksOf(subscriberAt("2001:db8:1:203::1"));
  expect(networks).toHaveLength(3);
  const shared = (text: string) => networksOf(subscriberAt(text)).map((name) => networks.includes(name));
  expect(shared("2001:db8:1:203:ffff::7")).toEqual([true, true, true]);
  expect(shared("2001:db8:1:2ff::1")).toEqual([false, true, true]);
  expect(shared("2001:db8:1:303::1")).toEqual([false, false, true]);
  expect(shared("2001:db8:2:203::1")).toEqual([false, false, false]);
});

test("a host without an address is one network", () => {
  expect(networksOf("unknown")).toEqual(["unknown"]);
});
