import { describe, expect, test } from "vitest";
import { devSettings } from "../../src/network/dev-settings.ts";
import { namedNetworks } from "../../src/network/named-networks.ts";
import { networkOfBinding } from "../../src/network/network-of-binding.ts";
import { NetworkSettingsError } from "../../src/network/settings-error.ts";
import { blockDelayMs } from "../../src/rules/consensus/block-delay.ts";
import { fairPosOfSettings } from "../../src/rules/consensus/pos-algorithm.ts";

describe("a dev chain", () => {
  test("is what the binding says, of the private network", () => {
    expect(networkOfBinding("private", "on").isDevChain).toBe(true);
    for (const binding of [undefined, "", "off", "On", "true"])
      expect(networkOfBinding("private", binding)).toBe(namedNetworks.private);
  });

  test("begins with the network's transactions, at its time", () => {
    const { genesis } = devSettings(namedNetworks.private).blockchain;
    const { transactions, blockTimestampMs } = namedNetworks.private.blockchain.genesis;
    expect(genesis).toMatchObject({ transactions, blockTimestampMs });
  });

  test("lets the smallest generator make a block at once", () => {
    const { genesis, functionality } = devSettings(namedNetworks.private).blockchain;
    const input = { hit: 1n, baseTarget: genesis.initialBaseTarget, generatingBalance: 100_000_000_000n };
    expect(blockDelayMs(fairPosOfSettings(functionality), input)).toBe(0n);
  });

  test.each(["mainnet", "testnet", "stagenet"] as const)("is not made of %s, whatever the name", (name) => {
    expect(() => networkOfBinding(name, "on")).toThrow(NetworkSettingsError);
    const { blockchain } = namedNetworks[name];
    const unsigned = { ...blockchain, genesis: { ...blockchain.genesis, signature: undefined } };
    for (const other of [blockchain, unsigned])
      expect(() => devSettings({ ...namedNetworks[name], name: "mine", blockchain: other })).toThrow(
        NetworkSettingsError,
      );
  });
});
