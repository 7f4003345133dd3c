import { describe, expect, test } from "vitest";
import { devSettings } from "../../src/network/dev-settings.ts";
import { namedNetworks } from "../../src/network/named-networks.ts";
import { networkOfBinding } from "../../src/network/network-of-binding.ts";
import { NetworkSettingsError } from "../../src/network/settings-error.ts";

describe("a dev chain", () => {
  test("is what the binding says, of the private network", () => {
    expect(networkOfBinding("private", "on").isDevChain).toBe(true);
    for (const binding of [undefined, "", "off", "On", "true"])
      expect(networkOfBinding("private", binding)).toBe(namedNetworks.private);
  });

  test("begins with the network's genesis block", () => {
    const { blockchain } = devSettings(namedNetworks.private);
    expect({ ...blockchain.genesis, averageBlockDelayMs: 10_000 }).toEqual(namedNetworks.private.blockchain.genesis);
  });

  test.each(["mainnet", "testnet", "stagenet"] as const)("is not made of %s, whatever the name", (name) => {
    expect(() => networkOfBinding(name, "on")).toThrow(NetworkSettingsError);
    expect(() => devSettings({ ...namedNetworks[name], name: "mine" })).toThrow(NetworkSettingsError);
  });
});
