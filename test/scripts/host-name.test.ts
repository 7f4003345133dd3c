import { expect, test } from "vitest";
import { isNameHere, isNameNearby } from "../../scripts/runner/host-name.ts";

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
])("the host '%s' is this machine's for itself: %s, for its neighbours: %s", (host, here, nearby) => {
  expect(isNameHere(host)).toBe(here);
  expect(isNameNearby(host, ["0.0.0.0", "own.example"])).toBe(nearby);
});
