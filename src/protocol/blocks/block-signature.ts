/**
 * Signatures of blocks: the generator's own and, in a challenging block, that of the block it replaces.
 * @source docs/protocol/consensus-and-finality.md 1.6; docs/protocol/snapshots-and-state-hash.md 5.2, 5.4; Waves:
 *   block/Block.scala
 */
import { verify } from "../../crypto/curve25519.ts";
import { isWeakPublicKey } from "../../crypto/weak-public-keys.ts";
import type { Block, BlockHeader, ChallengedHeader, SignedHeader } from "./block.ts";
import { blockId, signedBytes } from "./parse-block.ts";

/**
 * Whether the block's generator signed it and, for a challenging block, whether the challenged block's generator signed
 * that one. Keys of small order, for which anyone can sign, are refused.
 */
export function hasValidBlockSignature(block: Block, chainId: number): boolean {
  const original = challengedBlock(block, chainId);
  return isSigned(block, chainId) && (original === undefined || isSigned(original, chainId));
}

/**
 * The block that a challenging block replaces, as its generator signed it; undefined if the block challenges none.
 * @source docs/protocol/snapshots-and-state-hash.md 5.2
 */
export function challengedBlock(block: Block, chainId: number): Block | undefined {
  const challenged = block.header.challengedHeader;
  if (challenged === undefined) return undefined;
  const header = originalHeader(block.header, challenged);
  const signature = challenged.headerSignature;
  return { header, signature, id: blockId({ header, signature }, chainId), transactions: block.transactions };
}

/** The fields of a challenged block that the challenging header stores: inverse of `challengedBlock`. */
export function challengedHeaderOf({ header, signature }: SignedHeader): ChallengedHeader {
  const { timestamp, baseTarget, generationSignature, featureVotes, generator } = header;
  const { rewardVote, stateHash, finalizationVoting } = header;
  return {
    ...{ timestamp, baseTarget, generationSignature, featureVotes, generator },
    ...{ rewardVote, stateHash, headerSignature: signature, finalizationVoting },
  };
}

function originalHeader(header: BlockHeader, challenged: ChallengedHeader): BlockHeader {
  const { headerSignature: _, ...replaced } = challenged;
  return { ...header, ...replaced, challengedHeader: undefined };
}

function isSigned(block: Block, chainId: number): boolean {
  const { generator } = block.header;
  return !isWeakPublicKey(generator) && verify(block.signature, signedBytes(block, chainId), generator);
}
