/** Settings that are written as a reference configuration are read back as the same settings. */
import { describe, expect, test } from "vitest";
import { namedNetworks } from "../../src/network/named-networks.ts";
import { parseNetwork, parseSettingsJson } from "../../src/network/parse-network.ts";
import { referenceSettings } from "../../src/network/reference-settings.ts";
import type { NetworkSettings } from "../../src/network/settings.ts";
import { type JsonObject, jsonText } from "../../src/protocol/json.ts";
import { fixtureText } from "../support/fixtures/recorded-lines.ts";

const ofFile = (file: string) => parseNetwork(parseSettingsJson(fixtureText(file)), "a file");
const utx = {
  ...namedNetworks.private.node.utx,
  maxSize: 7,
  blacklistSenderAddresses: new Set(["3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF"]),
  allowSkipChecks: false,
};
const networks: Readonly<Record<string, NetworkSettings>> = {
  ...namedNetworks,
  "private-a": ofFile("private-a/network.json"),
  "of the Go node's form": ofFile("finality-a/network.json"),
  "with a pool of its own": { ...namedNetworks.private, node: { ...namedNetworks.private.node, utx } },
};

describe.each(Object.entries(networks))("the settings of the network %s", (_, network) => {
  const text = jsonText({ waves: referenceSettings(network) as JsonObject });

  test("are read back from their configuration, except the key's hash", () => {
    const json = parseSettingsJson(text) as { waves: { blockchain: { type: string } } };
    json.waves.blockchain.type = "CUSTOM";
    expect(parseNetwork(json, network.name)).toEqual({ ...network, node: { ...network.node, apiKeyHash: "" } });
  });

  test("name no secret", () => {
    expect(text).not.toMatch(/api-key-hash|"seed"/);
    if (network.node.apiKeyHash !== "") expect(text).not.toContain(network.node.apiKeyHash);
  });
});

test("a public network is named by its type", () => {
  expect(Object.values(namedNetworks).map((network) => referenceSettings(network).blockchain.type)).toEqual([
    "MAINNET",
    "TESTNET",
    "STAGENET",
    "CUSTOM",
  ]);
});
