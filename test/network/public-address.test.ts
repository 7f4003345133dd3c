import { expect, test } from "vitest";
import { isPublicAddress } from "../../src/network/public-address.ts";
import { findIp } from "../../src/protocol/messages/peer-address-text.ts";

const isPublic = (text: string) => isPublicAddress(findIp(text) as Uint8Array);

test.each([
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.0.1",
  "100.128.0.1",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "198.17.0.1",
  "198.20.0.1",
  "223.255.255.255",
  "2606:4700::1111",
  "2001:200::1",
])("%s is everybody's", (text) => {
  expect(isPublic(text)).toBe(true);
});

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "127.0.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "192.0.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "fe80::1",
  "fc00::1",
  "ff02::1",
  "2001:db8::1",
  "2001::1",
  "2002:7f00:1::",
])("%s is of a house", (text) => {
  expect(isPublic(text)).toBe(false);
});
