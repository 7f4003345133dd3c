/** Header of the live network as a block row of a node of that network. */
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import { compareBytes, equalBytes } from "../../../src/crypto/bytes.ts";
import type { Address, Digest, PublicKey, Signature } from "../../../src/crypto/identities.ts";
import { Feature, featureActivationOf } from "../../../src/network/features.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { BlockHeader, BlockId } from "../../../src/protocol/blocks/block.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { blockId, encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { rewardBoost } from "../../../src/rules/consensus/reward-shares.ts";
import type { BlockRow } from "../../../src/tables/blocks.ts";
import type { RewardShare } from "../../../src/tables/reward-shares.ts";
import { RemoteNodeError } from "./remote-node.ts";
import type { HeaderResponse } from "./remote-responses.ts";

const DIGEST_BYTES = 32;

/**
 * Row with everything that the header contains. Values that only a node with all blocks knows are zero: the score, the
 * carry fee, and the amount of all WAVES.
 * @throws RemoteNodeError: the header does not give the block's id, or belongs to another chain
 */
export function remoteBlockRow(response: HeaderResponse, settings: BlockchainSettings): BlockRow {
  const { chainId, functionality } = settings;
  const { height, version } = response;
  const header: BlockHeader = {
    version,
    timestamp: response.timestamp,
    reference: response.reference as BlockId,
    baseTarget: response["nxt-consensus"]["base-target"],
    generationSignature: response["nxt-consensus"]["generation-signature"],
    generator: response.generatorPublicKey as PublicKey,
    featureVotes: response.features ?? [],
    rewardVote: response.desiredReward ?? -1n,
    transactionsRoot: response.transactionsRoot as Digest | undefined,
    stateHash: response.stateHash as Digest | undefined,
    challengedHeader: undefined,
    finalizationVoting: undefined,
  };
  const signature = response.signature as Signature;
  const id = blockId({ header, signature }, chainId);
  if (response.id !== undefined && !equalBytes(id, response.id))
    throw new RemoteNodeError(
      `the header at height ${height} gives the id ${encodeBase58(id)}, not ${encodeBase58(response.id)}: ` +
        "it has fields that this release does not know",
    );
  const features = featureActivationOf(functionality.preActivatedFeatures);
  const boosted = features.isActive(Feature.BlockReward, height) ? response.reward : undefined;
  const reward = boosted && boosted / rewardBoost(height, features, functionality);
  const isProtobuf = version >= BlockVersion.Protobuf;
  return {
    height,
    id,
    header: encodeBlock({ header, signature, id, transactions: [] }, chainId),
    timestamp: header.timestamp,
    generator: response.generator as Uint8Array as Address,
    sizeBytes: response.blocksize,
    transactionCount: response.transactionCount,
    totalFee: response.totalFee,
    reward,
    rewardVote: header.rewardVote,
    rewardShares: sharesOf(response.rewardShares),
    vrf: isProtobuf ? response.VRF : undefined,
    wavesAmount: 0n,
    hitSource: (isProtobuf ? response.VRF : undefined) ?? header.generationSignature,
    score: 0n,
    carryFee: 0n,
    stateHash: (header.stateHash ?? new Uint8Array(DIGEST_BYTES)) as Digest,
    finalizedHeight: 1,
  };
}

function sharesOf(shares: HeaderResponse["rewardShares"]): readonly RewardShare[] {
  return Object.entries(shares ?? {})
    .map(([address, amount]) => ({ address: decodeBase58(address) as Uint8Array as Address, amount }))
    .toSorted((left, right) => compareBytes(left.address, right.address));
}
