import { expect, test } from "vitest";
import {
  findHostAndPort,
  findIp,
  hostText,
  peerAddressText,
} from "../../../src/protocol/messages/peer-address-text.ts";

test.each<[string, string]>([
  ["1.2.3.4", "1.2.3.4"],
  ["255.255.255.255", "255.255.255.255"],
  ["::1", "0:0:0:0:0:0:0:1"],
  ["::", "0:0:0:0:0:0:0:0"],
  ["[2001:DB8::8:0]", "2001:db8:0:0:0:0:8:0"],
  ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"],
  ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["64:ff9b::1.2.3.4", "64:ff9b:0:0:0:0:102:304"],
])("%s is the address %s", (text, printed) => {
  const ip = findIp(text) ?? new Uint8Array(0);
  expect(hostText(ip)).toBe(printed);
  expect(findIp(printed)).toEqual(ip);
});

test.each([
  "localhost",
  "1.2.3",
  "1.2.3.256",
  "1.2.3.4.5",
  "1.2.3.-4",
  "",
  ":",
  ":::",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "1::2::3",
  "1:2:3:4::5:6:7:8",
  "12345::",
  "::1.2.3.4:5",
  "g::",
])("%j is no address", (text) => {
  expect(findIp(text)).toBeUndefined();
});

test("an address shows its port behind it", () => {
  expect(peerAddressText({ ip: new Uint8Array([1, 2, 3, 4]), port: 5 })).toBe("1.2.3.4:5");
  expect(peerAddressText({ ip: new Uint8Array(16), port: 5 })).toBe("[0:0:0:0:0:0:0:0]:5");
});

test.each<[string, { host: string; port: number } | undefined]>([
  ["1.2.3.4:5", { host: "1.2.3.4", port: 5 }],
  ["node.example:65535", { host: "node.example", port: 65_535 }],
  ["node.example", { host: "node.example", port: 6868 }],
  ["[::1]:5", { host: "[::1]", port: 5 }],
  ["[::1]", { host: "[::1]", port: 6868 }],
  ["node.example:65536", undefined],
  ["node.example:", undefined],
  ["::1", undefined],
  ["wss://node.example/p2p", undefined],
  ["", undefined],
])("%j names a host and a port, or nothing", (text, found) => {
  expect(findHostAndPort(text, 6868)).toEqual(found);
});
