/** Blocks and headers of the read model as the interface prints them. */
import { addressOfPublicKey, addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { Feature, featureActivationOf } from "../../network/features.ts";
import type { BlockchainSettings } from "../../network/settings.ts";
import type { SignedHeader } from "../../protocol/blocks/block.ts";
import { blockJson, headerJson } from "../../protocol/blocks/block-json.ts";
import { BlockVersion } from "../../protocol/blocks/block-version.ts";
import { parseStoredHeader } from "../../protocol/blocks/genesis-block.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { StoredHeader } from "../../read-model/block.ts";
import type { BlockTransaction } from "../../read-model/transaction.ts";
import { rewardBoost } from "../../rules/consensus/reward-shares.ts";
import { transactionInBlockJson } from "./transaction.ts";

/** A block or header with its unique id. */
export interface IdentifiedJson {
  readonly id: string;
  readonly height: number;
  readonly json: JsonObject;
}

export function storedHeaderJson(stored: StoredHeader, settings: BlockchainSettings): IdentifiedJson {
  return signedHeaderJson(parseStoredHeader(stored.header, stored.height, settings), stored, settings);
}

function signedHeaderJson(block: SignedHeader, stored: StoredHeader, settings: BlockchainSettings): IdentifiedJson {
  const { chainId } = settings;
  const json = headerJson(block, {
    height: stored.height,
    sizeBytes: stored.sizeBytes,
    transactionCount: stored.transactionCount,
    totalFee: stored.totalFee,
    reward: (stored.reward ?? 0n) * boostOf(stored, settings),
    rewardShares: stored.rewardShares.map(({ address, amount }) => [addressText(address), amount]),
    vrf: stored.vrf,
    addressOf: (publicKey) => addressText(addressOfPublicKey(publicKey, chainId)),
  });
  return { id: encodeBase58(block.id), height: stored.height, json };
}

function boostOf({ height, boostHeight }: StoredHeader, { functionality }: BlockchainSettings): bigint {
  if (boostHeight === undefined) return 1n;
  const features = featureActivationOf(new Map([[Feature.BoostBlockReward, boostHeight]]));
  return rewardBoost(height, features, functionality);
}

/** @param transactions transactions of the block, in order */
export function storedBlockJson(
  stored: StoredHeader,
  transactions: readonly BlockTransaction[],
  settings: BlockchainSettings,
): IdentifiedJson {
  const block = parseStoredHeader(stored.header, stored.height, settings);
  const header = signedHeaderJson(block, stored, settings);
  const isProtobuf = block.header.version >= BlockVersion.Protobuf;
  const list = transactions.map((transaction) => transactionInBlockJson(transaction, isProtobuf, settings.chainId));
  return { ...header, json: blockJson(header.json, list) };
}
