/**
 * Headers and blocks as the REST API prints them, members in the reference's order.
 * @source docs/protocol/rest-api.md 3.1; Waves: block/serialization/BlockSerializer.scala,
 *   api/http/BlocksApiRoute.scala
 */

import { encodeBase58 } from "../../crypto/base58.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import type { JsonObject, RawJson } from "../json.ts";
import { byteStringText } from "../transactions/byte-string.ts";
import { wavesFeeOf } from "../transactions/raw-transaction-json.ts";
import type { BlockHeader, ChallengedHeader, FinalizationVoting, SignedHeader } from "./block.ts";
import { BlockVersion } from "./block-version.ts";

/** Data of a block that the REST API prints in addition to the header. Amounts are wavelets. */
export interface HeaderInfo {
  readonly height: number;
  /** Size of the whole block. */
  readonly sizeBytes: number;
  readonly transactionCount: number;
  /** Sum of the fees in WAVES. */
  readonly totalFee: bigint;
  /** Block reward; 0 before feature 14. */
  readonly reward: bigint;
  /** Addresses and their shares, in any order; none before feature 14. */
  readonly rewardShares: Iterable<readonly [address: string, share: bigint]>;
  /** Hit source of a version 5 block. */
  readonly vrf: Uint8Array | undefined;
  /** Address text of a key on this network. */
  readonly addressOf: (publicKey: PublicKey) => string;
}

/** Header as `/blocks/headers/…` prints it. */
export function headerJson({ header, signature, id }: SignedHeader, info: HeaderInfo): JsonObject {
  const isProtobuf = header.version >= BlockVersion.Protobuf;
  const { transactionsRoot, stateHash, challengedHeader, finalizationVoting } = header;
  return {
    version: header.version,
    timestamp: header.timestamp,
    reference: encodeBase58(header.reference),
    "nxt-consensus": {
      "base-target": header.baseTarget,
      "generation-signature": encodeBase58(header.generationSignature),
    },
    ...(isProtobuf && {
      transactionsRoot: encodeBase58(transactionsRoot ?? new Uint8Array(0)),
      id: encodeBase58(id),
    }),
    ...votesAndGeneratorJson(header, header.version, info),
    ...(stateHash && { stateHash: byteStringText(stateHash) }),
    ...(challengedHeader && { challengedHeader: challengedHeaderJson(challengedHeader, header.version, info) }),
    ...(finalizationVoting && { finalizationVoting: votingJson(finalizationVoting) }),
    signature: encodeBase58(signature),
    blocksize: info.sizeBytes,
    transactionCount: info.transactionCount,
    ...(!isProtobuf && { id: encodeBase58(id) }),
    height: info.height,
    totalFee: info.totalFee,
    reward: info.reward,
    rewardShares: rewardSharesJson(info.rewardShares),
    ...(info.vrf && { VRF: encodeBase58(info.vrf) }),
  };
}

/**
 * Block as `/blocks/…` prints it. Its `fee` is the sum of the fees paid in WAVES; `totalFee` includes the value of
 * sponsored fees.
 * @param header see `headerJson`
 * @param transactions as in a block: with `applicationStatus` from version 5 on, without the other additions
 */
export function blockJson(header: JsonObject, transactions: readonly RawJson[]): JsonObject {
  let fee = 0n;
  for (const transaction of transactions) fee += wavesFeeOf(transaction);
  return { ...header, fee, transactions };
}

/** Text after the header in the output of `blockJson`; no header contains it. */
const AFTER_HEADER = ',"fee":';

/** Extracts the header's JSON from that of its block. @param block text of the output of `blockJson` */
export function headerTextOf(block: string): string {
  return `${block.slice(0, block.indexOf(AFTER_HEADER))}}`;
}

/** Feature 25: voting in a header; members with default values are omitted. */
export function votingJson(voting: FinalizationVoting): JsonObject {
  const { endorserIndexes, aggregatedEndorsementSignature: signature, finalizedHeight, conflictEndorsements } = voting;
  return {
    ...(endorserIndexes.length > 0 && { endorserIndexes }),
    ...(signature && { aggregatedEndorsementSignature: encodeBase58(signature) }),
    ...(finalizedHeight !== 0 && { finalizedHeight }),
    ...(conflictEndorsements.length > 0 && {
      conflictEndorsements: conflictEndorsements.map((endorsement) => ({
        endorserIndex: endorsement.endorserIndex,
        finalizedBlockId: encodeBase58(endorsement.finalizedBlockId),
        finalizedHeight: endorsement.finalizedHeight,
        signature: encodeBase58(endorsement.signature),
      })),
    }),
  };
}

function challengedHeaderJson(header: ChallengedHeader, version: number, info: HeaderInfo): JsonObject {
  const { stateHash, finalizationVoting } = header;
  return {
    headerSignature: encodeBase58(header.headerSignature),
    ...votesAndGeneratorJson(header, version, info),
    ...(stateHash && { stateHash: byteStringText(stateHash) }),
    ...(finalizationVoting && { finalizationVoting: votingJson(finalizationVoting) }),
  };
}

function votesAndGeneratorJson(
  { featureVotes, rewardVote, generator }: Pick<BlockHeader, "featureVotes" | "rewardVote" | "generator">,
  version: number,
  { addressOf }: HeaderInfo,
): JsonObject {
  return {
    ...(version >= BlockVersion.Ng && { features: featureVotes }),
    ...(version >= BlockVersion.Reward && { desiredReward: rewardVote }),
    generator: addressOf(generator),
    generatorPublicKey: encodeBase58(generator),
  };
}

function rewardSharesJson(shares: HeaderInfo["rewardShares"]): JsonObject {
  const sorted = [...shares].toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return Object.fromEntries(sorted);
}
