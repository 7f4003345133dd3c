import { expect, test } from "vitest";
import { findMissingPeers } from "../../src/network/missing-peers.ts";
import { namedNetworks } from "../../src/network/named-networks.ts";

test("of the named networks all but the private one stand still without peers, and say so", () => {
  const standing = Object.entries(namedNetworks).filter(([, settings]) => findMissingPeers(settings) !== undefined);
  expect(standing.map(([name]) => name).sort()).toEqual(["mainnet", "stagenet", "testnet"]);
  expect(findMissingPeers(namedNetworks.mainnet)).toContain("connects to no peers");
});
