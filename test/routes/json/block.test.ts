import { expect, test } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { genesisBlock, parseStoredHeader } from "../../../src/protocol/blocks/genesis-block.ts";
import { encodeBlock, parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { storedHeaderJson } from "../../../src/routes/json/block.ts";

function genesisJson(lightNodeHeight: number) {
  const { functionality } = privateNetwork.blockchain;
  const preActivatedFeatures = new Map([...functionality.preActivatedFeatures, [Feature.LightNode, lightNodeHeight]]);
  const settings = { ...privateNetwork.blockchain, functionality: { ...functionality, preActivatedFeatures } };
  const stored = {
    height: 1,
    header: encodeBlock(genesisBlock(settings), settings.chainId),
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
  // docs/protocol/rest-api.md 8, the first genesis block
  expect(genesisJson(0)["stateHash"]).toMatch(/^BvDbum4w/);
  expect(genesisJson(1)["stateHash"]).toBeUndefined();
});

test("a genesis block that was signed when the chain began keeps that signature", () => {
  const { genesis, ...rest } = privateNetwork.blockchain;
  const settings = { ...rest, genesis: { ...genesis, signature: undefined } };
  const bytes = encodeBlock(genesisBlock(settings), settings.chainId);
  expect(parseStoredHeader(bytes, 1, settings).signature).toEqual(parseBlock(bytes, settings.chainId).signature);
  expect(parseStoredHeader(bytes, 1, settings).id).toEqual(parseStoredHeader(bytes, 1, settings).id);
});
