import { expect, test } from "vitest";
import { findMissingPeers } from "../../src/network/missing-peers.ts";
import { namedNetworks } from "../../src/network/named-networks.ts";

test("of the named networks all but the private one stand still without peers, and say so", () => {
  const incomplete = Object.entries(namedNetworks).filter(
    ([, settings]) => findMissingPeers(settings, 0) !== undefined,
  );
  expect(incomplete.map(([name]) => name).sort()).toEqual(["mainnet", "stagenet", "testnet"]);
});

test.each([
  [0, "no peer is connected, and mainnet requires 3 to forge"],
  [1, "1 peer is connected, and mainnet requires 3 to forge"],
  [2, "2 peers are connected, and mainnet requires 3 to forge"],
  [3, undefined],
])("mainnet with %d peers", (connected, sentence) => {
  expect(findMissingPeers(namedNetworks.mainnet, connected)).toBe(sentence);
});
