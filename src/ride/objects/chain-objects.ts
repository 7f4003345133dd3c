/**
 * Blocks, assets and balances as objects of scripts.
 * @source Waves: lang/v1/evaluator/ctx/impl/waves/Bindings.scala (buildBlockInfo, buildAssetInfo)
 */
import type { ScriptAssetInfo, ScriptBalance, ScriptBlockInfo } from "../evaluator/environment.ts";
import { Text } from "../values/text.ts";
import { List, Structure, tupleOf, unit, type Value } from "../values/value.ts";
import { addressObject } from "./recipients.ts";

const namesSince = 4;
const vrfSince = 4;
const rewardsSince = 7;

export function blockObject(block: ScriptBlockInfo, libraryVersion: number): Structure {
  const fields: [string, Value][] = [
    ["timestamp", block.timestampMs],
    ["height", BigInt(block.height)],
    ["baseTarget", block.baseTarget],
    ["generationSignature", block.generationSignature],
    ["generator", addressObject(block.generator)],
    ["generatorPublicKey", block.generatorPublicKey],
  ];
  if (libraryVersion >= vrfSince) fields.push(["vrf", block.vrf ?? unit]);
  if (libraryVersion >= rewardsSince) {
    const rewards = block.rewards.map(({ address, amount }) => tupleOf(addressObject(address), amount));
    fields.push(["rewards", new List(rewards)]);
  }
  return new Structure("BlockInfo", new Map(fields));
}

export function assetObject(asset: ScriptAssetInfo, libraryVersion: number): Structure {
  const fields: [string, Value][] = [
    ["id", asset.id],
    ["quantity", asset.quantity],
    ["decimals", BigInt(asset.decimals)],
    ["issuer", addressObject(asset.issuer)],
    ["issuerPublicKey", asset.issuerPublicKey],
    ["reissuable", asset.isReissuable],
    ["scripted", asset.isScripted],
  ];
  if (libraryVersion >= namesSince) {
    fields.push(["minSponsoredFee", asset.minSponsoredFee ?? unit]);
    fields.push(["name", new Text(asset.name)], ["description", new Text(asset.description)]);
  } else {
    fields.push(["sponsored", asset.minSponsoredFee !== undefined]);
  }
  return new Structure("Asset", new Map(fields));
}

export function balanceObject(balance: ScriptBalance): Structure {
  return new Structure(
    "BalanceDetails",
    new Map([
      ["available", balance.available],
      ["regular", balance.regular],
      ["generating", balance.generating],
      ["effective", balance.effective],
    ]),
  );
}
