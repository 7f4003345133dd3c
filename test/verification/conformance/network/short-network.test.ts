import { expect, it } from "vitest";
import { parseNetwork, parseSettingsJson } from "../../../../src/network/parse-network.ts";
import { genesisBlock } from "../../../../src/protocol/blocks/genesis-block.ts";
import { jsonText } from "../../../../src/protocol/json.ts";
import { goSettings } from "../../../../verification/conformance/network/go-settings.ts";
import { makeShortNetwork } from "../../../../verification/conformance/network/short-network.ts";

it.each([
  ["a short network", {}],
  ["one whose blocks are endorsed", { isFinal: true }],
  ["a slow one that soon forgets ids", { backOffsetMs: 5_000, blockTimeFactor: 3 }],
])("%s is the same one in the form of the reference and in that of the Go node", (_, options) => {
  const network = makeShortNetwork(1, 1_700_000_000_000, options);
  const { blockchain } = network.settings;
  const go = parseNetwork(parseSettingsJson(jsonText(goSettings(network))), "go").blockchain;
  expect(go).toEqual(blockchain);
  expect(genesisBlock(go).id).toEqual(genesisBlock(blockchain).id);
});
