import { expect, test } from "vitest";
import { parsePeerAddress, parsePeerAddresses } from "../../src/network/peer-address.ts";

test.each([
  ["10.0.0.1:6863", "10.0.0.1:6863"],
  ["node.example", "node.example:6868"],
  ["[2001:db8::1]:80", "[2001:db8::1]:80"],
  ["wss://node.example/p2p", "wss://node.example/p2p"],
  ["ws://127.0.0.1:80/p2p", "ws://127.0.0.1/p2p"],
])("%s is the address %s", (text, address) => {
  expect(parsePeerAddress(text)).toBe(address);
});

test.each([
  "",
  "node.example:0",
  "node.example:65536",
  "node.example:http",
  "2001:db8::1",
  "a b:1",
  "http://a:1",
  "wss://",
])("%j is no place", (text) => {
  expect(parsePeerAddress(text)).toBeUndefined();
});

test("places stand with commas between them, and one word means none", () => {
  expect(parsePeerAddresses("a:1, b ,")).toEqual(["a:1", "b:6868"]);
  expect(parsePeerAddresses("")).toEqual([]);
  expect(parsePeerAddresses("none")).toBe("none");
  expect(parsePeerAddresses("a:1,b:")).toBeUndefined();
});
