/** Blocks of generators that own nothing: well signed, but valid nowhere. */

import { keyPairOfAccountSeed } from "../../src/crypto/seed.ts";
import type { Block, BlockHeader, BlockId } from "../../src/protocol/blocks/block.ts";
import { BlockVersion } from "../../src/protocol/blocks/block-version.ts";
import { buildBlock } from "../../src/protocol/blocks/build-block.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import { chainId } from "./attacked-node.ts";

const PROOF_BYTES = 96;
const BASE_TARGET = 100n;

export interface PoorBlockOptions extends Partial<Pick<BlockHeader, "baseTarget" | "timestamp">> {
  readonly reference: BlockId;
  readonly transactions?: readonly Transaction[];
}

export function poorBlock(random: SeededRandom, options: PoorBlockOptions): Block {
  const { reference, transactions = [], baseTarget = BASE_TARGET, timestamp = BigInt(Date.now()) } = options;
  const { publicKey, privateKey } = keyPairOfAccountSeed(random.bytes(32));
  return buildBlock({
    header: {
      ...{ version: BlockVersion.Protobuf, timestamp, reference, baseTarget, generator: publicKey },
      ...{ generationSignature: random.bytes(PROOF_BYTES), featureVotes: [], rewardVote: -1n, stateHash: undefined },
      ...{ challengedHeader: undefined, finalizationVoting: undefined },
    },
    ...{ transactions, privateKey, chainId, random: (size: number) => random.bytes(size) },
  });
}
