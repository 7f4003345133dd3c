import { expect, test } from "vitest";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { isKeyKnown, refuseKnownKey } from "../../../local/runtime/exposure.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";

const settingsKeyHash = privateNetwork.node.apiKeyHash;
const other = "H6nsiifwYKYEx6YzYD7woP1XCn72RVvx6tC1zjjLXqsu";

test.each(["0.0.0.0", "::", "192.168.1.5", "node.example", "127.example"])(
  "a node on %s is refused with the key that everybody knows",
  (host) => {
    for (const hashes of [
      { settingsKeyHash, ownKeyHash: undefined },
      { settingsKeyHash: other, ownKeyHash: settingsKeyHash },
    ]) {
      const start = () => refuseKnownKey({ host, ...hashes });
      expect(start).toThrow(UsageError);
      expect(start).toThrow("API_KEY_HASH");
    }
  },
);

test.each(["127.0.0.1", "127.1.2.3", "localhost", "::1"])("a node on %s may have it", (host) => {
  expect(() => refuseKnownKey({ host, settingsKeyHash, ownKeyHash: undefined })).not.toThrow();
});

test("a key of the settings, or one that the user gives, may be used anywhere", () => {
  const host = "0.0.0.0";
  expect(() => refuseKnownKey({ host, settingsKeyHash: other, ownKeyHash: undefined })).not.toThrow();
  expect(() => refuseKnownKey({ host, settingsKeyHash: "", ownKeyHash: undefined })).not.toThrow();
  expect(() => refuseKnownKey({ host, settingsKeyHash, ownKeyHash: other })).not.toThrow();
});

test.each([
  ["that of the settings", { settingsKeyHash, ownKeyHash: undefined }, true],
  ["that of the settings, given once more", { settingsKeyHash: other, ownKeyHash: settingsKeyHash }, true],
  ["one of the user's own", { settingsKeyHash, ownKeyHash: other }, false],
  ["none", { settingsKeyHash, ownKeyHash: "" }, false],
] as const)("the key is %s: whether everybody knows it", (_, exposure, expected) => {
  expect(isKeyKnown(exposure)).toBe(expected);
});
