/** A header of the network behind a fork, as the row that a node of that network has of it. */
import { decodeBase58, encodeBase58 } from "../../src/crypto/base58.ts";
import { compareBytes, equalBytes } from "../../src/crypto/bytes.ts";
import type { Address, Digest, PublicKey, Signature } from "../../src/crypto/identities.ts";
import { Feature, featureActivationOf } from "../../src/network/features.ts";
import type { BlockchainSettings } from "../../src/network/settings.ts";
import type { BlockHeader, BlockId } from "../../src/protocol/blocks/block.ts";
import { BlockVersion } from "../../src/protocol/blocks/block-version.ts";
import { blockId, encodeBlock } from "../../src/protocol/blocks/parse-block.ts";
import { rewardBoost } from "../../src/rules/consensus/reward-shares.ts";
import type { BlockRow } from "../../src/tables/blocks.ts";
import type { RewardShare } from "../../src/tables/reward-shares.ts";
import type { HeaderAnswer } from "./remote-answers.ts";
import { RemoteFault } from "./remote-node.ts";

const DIGEST_BYTES = 32;

/**
 * Everything that the header tells. What only a node knows that has all blocks is zero: the score, the fees that pass on, and
 * all WAVES that there are.
 * @throws RemoteFault: the header does not make the block's id, or the chain is another one
 */
export function remoteBlockRow(answer: HeaderAnswer, settings: BlockchainSettings): BlockRow {
  const { chainId, functionality } = settings;
  const { height, version } = answer;
  const header: BlockHeader = {
    version,
    timestamp: answer.timestamp,
    reference: answer.reference as BlockId,
    baseTarget: answer["nxt-consensus"]["base-target"],
    generationSignature: answer["nxt-consensus"]["generation-signature"],
    generator: answer.generatorPublicKey as PublicKey,
    featureVotes: answer.features ?? [],
    rewardVote: answer.desiredReward ?? -1n,
    transactionsRoot: answer.transactionsRoot as Digest | undefined,
    stateHash: answer.stateHash as Digest | undefined,
    challengedHeader: undefined,
    finalizationVoting: undefined,
  };
  const signature = answer.signature as Signature;
  const id = blockId({ header, signature }, chainId);
  if (answer.id !== undefined && !equalBytes(id, answer.id))
    throw new RemoteFault(
      `the header at height ${height} makes the id ${encodeBase58(id)}, not ${encodeBase58(answer.id)}: it holds what this release does not know`,
    );
  const features = featureActivationOf(functionality.preActivatedFeatures);
  const boosted = features.isActive(Feature.BlockReward, height) ? answer.reward : undefined;
  const reward = boosted && boosted / rewardBoost(height, features, functionality);
  const isProtobuf = version >= BlockVersion.Protobuf;
  return {
    height,
    id,
    header: encodeBlock({ header, signature, id, transactions: [] }, chainId),
    timestamp: header.timestamp,
    generator: answer.generator as Uint8Array as Address,
    sizeBytes: answer.blocksize,
    transactionCount: answer.transactionCount,
    totalFee: answer.totalFee,
    reward,
    rewardVote: header.rewardVote,
    rewardShares: sharesOf(answer.rewardShares),
    vrf: isProtobuf ? answer.VRF : undefined,
    wavesAmount: 0n,
    hitSource: (isProtobuf ? answer.VRF : undefined) ?? header.generationSignature,
    score: 0n,
    carryFee: 0n,
    stateHash: (header.stateHash ?? new Uint8Array(DIGEST_BYTES)) as Digest,
    finalizedHeight: 1,
  };
}

function sharesOf(shares: HeaderAnswer["rewardShares"]): readonly RewardShare[] {
  return Object.entries(shares ?? {})
    .map(([address, amount]) => ({ address: decodeBase58(address) as Uint8Array as Address, amount }))
    .toSorted((left, right) => compareBytes(left.address, right.address));
}
