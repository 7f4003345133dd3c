/**
 * Blocks of versions 1 to 4 as bytes: a separate binary form, signed as a whole, with the signature as id.
 * @source docs/protocol/consensus-and-finality.md 1.6; Waves: block/serialization/BlockSerializer.scala
 */

import type { PublicKey, Signature } from "../../crypto/identities.ts";
import { underField } from "../codec/byte-reader.ts";
import {
  bytes,
  bytesWithLength,
  type Codec,
  decode,
  encode,
  i16,
  i32,
  i64,
  list,
  sized,
  struct,
  u8,
  type ValueOf,
} from "../codec/codec.ts";
import { WireError } from "../errors.ts";
import { encodeForBlock } from "../transactions/encode-for-block.ts";
import type { Block, BlockHeader, BlockId, SplitBlock } from "./block.ts";
import { BlockVersion } from "./block-version.ts";

/** Sizes of the fixed fields, bytes. */
const signatureSize = 64;
const publicKeySize = 32;
const generationSignatureSize = 32;
/** Versions 1 and 2 write the count as a signed byte. */
const maxTransactionsOfByteCount = 127;

const transactionBytes = bytesWithLength(i32);
const head = {
  version: u8,
  timestamp: i64,
  reference: bytes<BlockId>(signatureSize),
  consensus: sized(i32, struct({ baseTarget: i64, generationSignature: bytes(generationSignatureSize) })),
};
const tail = { generator: bytes<PublicKey>(publicKeySize), signature: bytes<Signature>(signatureSize) };
const shortTransactions = sized(i32, list(u8, transactionBytes, maxTransactionsOfByteCount));
const longTransactions = sized(i32, list(i32, transactionBytes));
const featureVotes = list(i32, i16);

const plain = struct({ ...head, transactions: shortTransactions, ...tail });
const withFeatures = struct({ ...head, transactions: longTransactions, featureVotes, ...tail });
const withReward = struct({ ...head, transactions: longTransactions, featureVotes, rewardVote: i64, ...tail });

/** Fields of a legacy block, in the order of the longest form. */
type LegacyBlock = ValueOf<typeof withReward>;
const layouts: ReadonlyMap<number, Codec<LegacyBlock>> = new Map<number, Codec<LegacyBlock>>([
  [BlockVersion.Genesis, plain as Codec<LegacyBlock>],
  [BlockVersion.Plain, plain as Codec<LegacyBlock>],
  [BlockVersion.Ng, withFeatures as Codec<LegacyBlock>],
  [BlockVersion.Reward, withReward],
]);

/** Layout of a version. @throws WireError for other versions */
function layoutOf(version: number | undefined): Codec<LegacyBlock> {
  const layout = layouts.get(version ?? 0);
  if (layout === undefined) {
    throw new WireError({ field: "block.version", offset: 0, reason: `1 to 4 expected, got ${version ?? "no bytes"}` });
  }
  return layout;
}

/**
 * Parses a block of version 1 to 4 except its transactions; the input must be exactly one block.
 * @throws WireError
 */
export function splitLegacyBlock(input: Uint8Array): SplitBlock {
  const layout = layoutOf(input[0]);
  let parts: Partial<LegacyBlock> & Omit<LegacyBlock, "featureVotes" | "rewardVote">;
  try {
    parts = decode(layout, input);
  } catch (error) {
    throw underField("block", error);
  }
  const { consensus, transactions, signature, featureVotes: votes = [], rewardVote = -1n, ...rest } = parts;
  const header: BlockHeader = {
    version: rest.version,
    timestamp: rest.timestamp,
    reference: rest.reference,
    baseTarget: consensus.baseTarget,
    generationSignature: consensus.generationSignature,
    generator: rest.generator,
    featureVotes: votes,
    rewardVote,
    transactionsRoot: undefined,
    stateHash: undefined,
    challengedHeader: undefined,
    finalizationVoting: undefined,
  };
  return { head: { header, signature, id: signature as Uint8Array as BlockId }, transactions };
}

/** Encodes a block of version 1 to 4. */
export function joinLegacyBlock({ head: { header, signature }, transactions }: SplitBlock): Uint8Array {
  return encode(layoutOf(header.version), {
    ...header,
    consensus: { baseTarget: header.baseTarget, generationSignature: header.generationSignature },
    transactions,
    signature,
  });
}

/** Bytes that the generator signs: the block without its last field, the signature. */
export function legacySignedBytes({ header, transactions }: Pick<Block, "header" | "transactions">): Uint8Array {
  const unsigned = new Uint8Array(signatureSize) as Signature;
  const head = { header, signature: unsigned, id: unsigned as Uint8Array as BlockId };
  const block = { head, transactions: transactions.map((one) => encodeForBlock(one, header.version)) };
  return joinLegacyBlock(block).subarray(0, -signatureSize);
}
