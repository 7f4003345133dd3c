/** Peer settings in bindings, apart from the network settings. */
import { expect, test } from "vitest";
import { hasPeers } from "../../src/network/missing-peers.ts";
import { namedNetworks } from "../../src/network/named-networks.ts";
import { networkOfBinding, type PeerBindings } from "../../src/network/network-of-binding.ts";
import { NetworkSettingsError } from "../../src/network/settings-error.ts";

const peersOf = (name: string, bindings: PeerBindings) =>
  networkOfBinding(name, undefined, undefined, bindings).node.peers;
const speaks = (name: string, bindings: PeerBindings = {}, devChain?: string) =>
  hasPeers(networkOfBinding(name, devChain, undefined, bindings));

test("public networks have peers of their own, to which others are added, or which are left out", () => {
  expect(namedNetworks.mainnet.node.peers.knownPeers).toEqual(["peers.wavesnodes.com:6868"]);
  expect(peersOf("testnet", { PEERS: "a:1,peers-testnet.wavesnodes.com:6868" }).knownPeers).toEqual([
    "peers-testnet.wavesnodes.com:6868",
    "a:1",
  ]);
  expect(peersOf("stagenet", { PEERS: "none" }).knownPeers).toEqual([]);
});

test("a node speaks with others where it knows some, or listens, and is no dev chain", () => {
  expect(["mainnet", "testnet", "stagenet", "private"].map((name) => speaks(name))).toEqual([true, true, true, false]);
  expect(speaks("mainnet", { PEERS: "none" })).toBe(false);
  expect(speaks("private", { PEERS: "a:1" })).toBe(true);
  expect(speaks("private", { LISTENS: "127.0.0.1:6860" })).toBe(true);
  expect(speaks("private", { LISTENS: "", PEERS: "" })).toBe(false);
  expect(speaks("private", { LISTENS: "127.0.0.1:6860", PEERS: "a:1" }, "on")).toBe(false);
});

test("where the runner listens goes before what the settings say", () => {
  expect(peersOf("private", { LISTENS: "[::1]:6860" })).toMatchObject({ bindAddress: "[::1]", port: 6860 });
  expect(peersOf("private", { LISTENS: "" })).toMatchObject({ bindAddress: undefined, port: 0 });
});

test("a list of peers that is none is refused in a sentence", () => {
  expect(() => peersOf("private", { PEERS: "a:b" })).toThrow(NetworkSettingsError);
  expect(() => peersOf("private", { PEERS: "a:b" })).toThrow(
    'Setting PEERS is "a:b", expected host:port, several with commas, or none.',
  );
});
