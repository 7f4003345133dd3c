/** `waves.network` and `waves.synchronization` of a settings file. */
import { describe, expect, test } from "vitest";
import { namedNetworks } from "../../src/network/named-networks.ts";
import { parseNetwork } from "../../src/network/parse-network.ts";
import { defaultPeerSettings, defaultSynchronizationSettings } from "../../src/network/peer-settings.ts";

const nodeOf = (waves: object, type = "TESTNET") =>
  parseNetwork({ waves: { blockchain: { type }, ...waves } }, "test").node;

describe("a settings file", () => {
  test("that says nothing of peers has the reference's defaults, and the known peers of its network", () => {
    const { peers, synchronization } = nodeOf({});
    expect(peers).toEqual({ ...defaultPeerSettings, knownPeers: namedNetworks.testnet.node.peers.knownPeers });
    expect(synchronization).toEqual(defaultSynchronizationSettings);
    expect(nodeOf({ network: { "known-peers": [] } }, "MAINNET").peers.knownPeers).toEqual([]);
  });

  test("says by the reference's names how the node speaks with others", () => {
    const { peers, synchronization } = nodeOf({
      network: {
        file: "peers.dat",
        "bind-address": "0.0.0.0",
        port: 6860,
        "declared-address": "192.0.2.1:6860",
        "node-name": "Private node",
        nonce: "123456789012345678",
        "known-peers": ["192.0.2.2:6863", "node.example", "wss://edge.example/p2p"],
        "black-list-residence-time": "2 minutes",
        "max-inbound-connections": 30_000,
        "enable-peers-exchange": "no",
        upnp: { enable: false },
      },
      synchronization: { "max-rollback": 50, "micro-block-synchronizer": { "wait-response-timeout": "300ms" } },
    });
    expect(peers).toMatchObject({
      bindAddress: "0.0.0.0",
      port: 6860,
      declaredAddress: "192.0.2.1:6860",
      nodeName: "Private node",
      nonce: 123_456_789_012_345_678n,
      knownPeers: ["192.0.2.2:6863", "node.example:6868", "wss://edge.example/p2p"],
      blackListResidenceTimeMs: 120_000,
      // The memory of an isolate does not allow more.
      maxInboundConnections: 1_000,
      enablePeersExchange: false,
    });
    expect(synchronization.maxRollback).toBe(50);
    expect(synchronization.microBlockSynchronizer.waitResponseTimeoutMs).toBe(300);
  });

  test.each([
    [
      { network: { "known-peers": ["a:1", "b:x"] } },
      'waves.network.known-peers.1 is "b:x", expected host:port, or wss://host/p2p.',
    ],
    [{ network: { "known-peers": "a:1" } }, 'waves.network.known-peers is "a:1", expected a list of host:port.'],
    [{ network: { "declared-address": "wss://a/p2p" } }, 'declared-address is "wss://a/p2p", expected host:port.'],
    [{ network: { "node-name": "n".repeat(128) } }, "expected a text of 1 to 127 bytes."],
    [{ network: { port: 65_536 } }, "Setting waves.network.port is 65536, expected an integer from 0 to 65535."],
    [{ synchronization: { "max-rollback": 0 } }, "max-rollback is 0, expected an integer from 1 to 2147483647."],
  ])("is refused for %j in a sentence", (waves, sentence) => {
    expect(() => nodeOf(waves)).toThrow(sentence);
  });
});
