/** Chains of small blocks of one key, for tests of peers. */

import type { Digest } from "../../../src/crypto/identities.ts";
import { keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import type { Block, BlockId, FinalizationVoting } from "../../../src/protocol/blocks/block.ts";
import { buildBlock } from "../../../src/protocol/blocks/build-block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";

export const chainId = "R".charCodeAt(0);
export const keys = keyPairOfAccountSeed(new Uint8Array(32).fill(1));
/** Timestamp of the first block, ms since the epoch; the others follow a minute after each other. */
export const firstTimestampMs = 1_700_000_000_000;

const random = (sizeBytes: number): Uint8Array => new Uint8Array(sizeBytes).fill(3);

export interface TestBlockFields {
  /** Id of the parent. */
  readonly reference: BlockId;
  readonly height: number;
  /** Number of the branch: blocks of different branches differ. */
  readonly branch?: number;
  readonly transactions?: readonly Transaction[];
  /** Votes that make a block large. */
  readonly featureVotes?: readonly number[];
  readonly version?: 4 | 5;
  readonly stateHash?: Digest;
  readonly finalizationVoting?: FinalizationVoting | undefined;
}

export function testBlock(fields: TestBlockFields): Block {
  const { reference, height, branch = 0, transactions = [], featureVotes = [], version = 5, stateHash } = fields;
  const { finalizationVoting } = fields;
  return buildBlock({
    header: {
      version,
      timestamp: BigInt(firstTimestampMs + height * 60_000 + branch),
      reference,
      baseTarget: 100n,
      generationSignature: new Uint8Array(version === 5 ? 96 : 32),
      generator: keys.publicKey,
      featureVotes,
      rewardVote: -1n,
      stateHash,
      challengedHeader: undefined,
      finalizationVoting,
    },
    transactions,
    privateKey: keys.privateKey,
    chainId,
    random,
  });
}

export const genesis = testBlock({ reference: new Uint8Array(32) as Uint8Array as BlockId, height: 1 });

/** `count` blocks on top of others. */
export function extended(
  blocks: readonly Block[],
  count: number,
  branch = 0,
  featureVotes: readonly number[] = [],
): Block[] {
  const chain = [...blocks];
  for (let made = 0; made < count; made++) {
    const reference = (chain.at(-1) as Block).id;
    chain.push(testBlock({ reference, height: chain.length + 1, branch, featureVotes }));
  }
  return chain;
}
