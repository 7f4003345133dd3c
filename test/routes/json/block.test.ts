import { expect, test } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { storedHeaderJson } from "../../../src/routes/json/block.ts";

function genesisJson(lightNodeHeight: number) {
  const { functionality } = privateNetwork.blockchain;
  const preActivatedFeatures = new Map([...functionality.preActivatedFeatures, [Feature.LightNode, lightNodeHeight]]);
  const settings = { ...privateNetwork.blockchain, functionality: { ...functionality, preActivatedFeatures } };
  const stored = {
    height: 1,
    bytes: encodeBlock(genesisBlock(settings), settings.chainId),
    sizeBytes: 265,
    transactionCount: 1,
    totalFee: 0n,
    reward: undefined,
    boostHeight: undefined,
    rewardShares: [],
    vrf: undefined,
  };
  return storedHeaderJson(stored, settings).json;
}

test("the genesis block shows its state hash where feature 22 is in force before it", () => {
  // spec/rest-api.md 8, the first genesis block
  expect(genesisJson(0)["stateHash"]).toMatch(/^BvDbum4w/);
  expect(genesisJson(1)["stateHash"]).toBeUndefined();
});
