/**
 * Blocks of version 5: protobuf `waves.Block`. The header is signed, and its hash is the id.
 * @source docs/protocol/consensus-and-finality.md 1.6; Waves: protobuf/block/PBBlocks.scala; waves/block.proto
 */

import { blake2b256 } from "../../crypto/hash.ts";
import type { Digest, PublicKey, Signature } from "../../crypto/identities.ts";
import {
  decodeMessage,
  encodeMessage,
  type MessageOf,
  message,
  optional,
  packed,
  repeated,
  scalar,
} from "../codec/protobuf.ts";
import { RuleError } from "../errors.ts";
import { present, sizedBytes } from "../transactions/message-fields.ts";
import type { BlockHeader, BlockId, ChallengedHeader, SplitBlock } from "./block.ts";
import { BlockVersion } from "./block-version.ts";
import { messageOfVoting, votingMessageType, votingOfMessage } from "./finalization-voting.ts";

const publicKeySize = 32;
const signatureSize = 64;

const challengedHeaderMessageType = message("challengedHeader", {
  baseTarget: scalar(1, "int64"),
  generationSignature: scalar(2, "bytes"),
  featureVotes: packed(3, "uint32"),
  timestamp: scalar(4, "int64"),
  generator: scalar(5, "bytes"),
  rewardVote: scalar(6, "int64"),
  stateHash: scalar(7, "bytes"),
  headerSignature: scalar(8, "bytes"),
  finalizationVoting: optional(9, votingMessageType),
});

const headerMessageType = message("header", {
  chainId: scalar(1, "int32"),
  reference: scalar(2, "bytes"),
  baseTarget: scalar(3, "int64"),
  generationSignature: scalar(4, "bytes"),
  featureVotes: packed(5, "uint32"),
  timestamp: scalar(6, "int64"),
  version: scalar(7, "int32"),
  generator: scalar(8, "bytes"),
  rewardVote: scalar(9, "int64"),
  transactionsRoot: scalar(10, "bytes"),
  stateHash: scalar(11, "bytes"),
  challengedHeader: optional(12, challengedHeaderMessageType),
  finalizationVoting: optional(13, votingMessageType),
});

const blockMessageType = message("block", {
  header: optional(1, headerMessageType),
  signature: scalar(2, "bytes"),
  transactions: repeated(3, "bytes"),
});

/**
 * Parses a block of version 5 except its transactions. The id is computed from the header in its canonical form for
 * this network, as the network does: another order of fields, or meaningless ones, change nothing.
 * @throws WireError; RuleError blockVersionUnexpected
 */
export function splitProtobufBlock(bytes: Uint8Array, chainId: number): SplitBlock {
  const block = decodeMessage(blockMessageType, bytes);
  const header = headerOfMessage(present("block.header", block.header));
  const signature = sizedBytes<Signature>("block.signature", block.signature, signatureSize);
  return { head: { header, signature, id: headerId(headerBytes(header, chainId)) }, transactions: block.transactions };
}

/** Encodes a block of version 5: never longer than the received bytes, so that it fits into a message again. */
export function joinProtobufBlock(block: SplitBlock, chainId: number): Uint8Array {
  return join(block, chainId, shortVotes);
}

/** Size of the block in its canonical form, bytes. */
export function protobufBlockSize(block: SplitBlock, chainId: number): number {
  return join(block, chainId, canonicalVotes).length;
}

function join({ head, transactions }: SplitBlock, chainId: number, votesForm: VotesForm): Uint8Array {
  const header = messageOfHeader(head.header, chainId, votesForm);
  return encodeMessage(blockMessageType, { header, signature: head.signature, transactions });
}

/** The header in its canonical form: the bytes that the generator of a version 5 block signs. */
export function headerBytes(header: BlockHeader, chainId: number): Uint8Array {
  return encodeMessage(headerMessageType, messageOfHeader(header, chainId, canonicalVotes));
}

/** Id of a version 5 block. @param bytes see `headerBytes` */
export function headerId(bytes: Uint8Array): BlockId {
  return blake2b256(bytes) as Uint8Array as BlockId;
}

/** Digest; undefined if empty. */
function presentDigest(bytes: Uint8Array): Digest | undefined {
  return bytes.length === 0 ? undefined : (bytes as Digest);
}

/** The schema has 32-bit numbers for chain ids, which are signed bytes. */
const signedByte = (byte: number): number => (byte << 24) >> 24;
const absent = new Uint8Array(0);
// Votes are signed 16-bit numbers, which the schema declares as unsigned 32-bit ones; further bits are dropped.
const votesOfMessage = (votes: readonly number[]): readonly number[] => votes.map((vote) => (vote << 16) >> 16);
type VotesForm = (votes: readonly number[]) => readonly number[];
const canonicalVotes: VotesForm = (votes) => votes.map((vote) => vote >>> 0);
/** Negative votes take three bytes instead of five, and are parsed to the same value. */
const shortVotes: VotesForm = (votes) => votes.map((vote) => vote & 0xffff);

/** The chain id in the header is ignored: the signature covers that of this network. */
function headerOfMessage(header: MessageOf<typeof headerMessageType>): BlockHeader {
  const version = signedByte(header.version);
  if (version !== BlockVersion.Protobuf) {
    throw new RuleError({ code: "blockVersionUnexpected", expected: BlockVersion.Protobuf, got: version });
  }
  const { challengedHeader, finalizationVoting } = header;
  return {
    version,
    timestamp: header.timestamp,
    reference: header.reference as BlockId,
    baseTarget: header.baseTarget,
    generationSignature: header.generationSignature,
    generator: sizedBytes<PublicKey>("block.header.generator", header.generator, publicKeySize),
    featureVotes: votesOfMessage(header.featureVotes),
    rewardVote: header.rewardVote,
    transactionsRoot: presentDigest(header.transactionsRoot),
    stateHash: presentDigest(header.stateHash),
    challengedHeader: challengedHeader && challengedHeaderOfMessage(challengedHeader),
    finalizationVoting: finalizationVoting && votingOfMessage(finalizationVoting),
  };
}

function challengedHeaderOfMessage(header: MessageOf<typeof challengedHeaderMessageType>): ChallengedHeader {
  const field = "block.header.challengedHeader";
  return {
    timestamp: header.timestamp,
    baseTarget: header.baseTarget,
    generationSignature: header.generationSignature,
    featureVotes: votesOfMessage(header.featureVotes),
    generator: sizedBytes<PublicKey>(`${field}.generator`, header.generator, publicKeySize),
    rewardVote: header.rewardVote,
    stateHash: presentDigest(header.stateHash),
    headerSignature: sizedBytes<Signature>(`${field}.headerSignature`, header.headerSignature, signatureSize),
    finalizationVoting: header.finalizationVoting && votingOfMessage(header.finalizationVoting),
  };
}

function messageOfHeader(
  header: BlockHeader,
  chainId: number,
  votesForm: VotesForm,
): MessageOf<typeof headerMessageType> {
  const { challengedHeader, finalizationVoting } = header;
  return {
    ...header,
    chainId: signedByte(chainId),
    featureVotes: votesForm(header.featureVotes),
    transactionsRoot: header.transactionsRoot ?? absent,
    stateHash: header.stateHash ?? absent,
    challengedHeader: challengedHeader && {
      ...challengedHeader,
      featureVotes: votesForm(challengedHeader.featureVotes),
      stateHash: challengedHeader.stateHash ?? absent,
      finalizationVoting: challengedHeader.finalizationVoting && messageOfVoting(challengedHeader.finalizationVoting),
    },
    finalizationVoting: finalizationVoting && messageOfVoting(finalizationVoting),
  };
}
