/** Blocks and micro-blocks signed with a test key, in every version. */
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import type { Block, BlockId } from "../../../src/protocol/blocks/block.ts";
import { buildBlock } from "../../../src/protocol/blocks/build-block.ts";
import { parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { fixtureBytes, recordsOf } from "../fixtures/recorded-blocks.ts";

export const { publicKey, privateKey } = keyPairOfAccountSeed(new Uint8Array(32).fill(1));
export const chainId = "R".charCodeAt(0);

const transfers = recordsOf(fixtureBytes("private-a/blocks.bin.gz"))
  .flatMap((bytes) => parseBlock(bytes, chainId).transactions)
  .filter(({ type }) => type === TransactionType.Transfer);

/** Recorded transfers that are valid in a block of the version. */
export function transfersFor(blockVersion: number): readonly Transaction[] {
  return transfers.filter(({ version }) => blockVersion === 5 || version < 3).slice(0, 6);
}

/** A key block without transactions. */
export function keyBlock(version: number): Block {
  return buildBlock({
    header: {
      version,
      timestamp: 1n,
      reference: new Uint8Array(64) as Uint8Array as BlockId,
      baseTarget: 100n,
      generationSignature: new Uint8Array(version < 5 ? 32 : 96),
      generator: publicKey,
      featureVotes: version < 3 ? [] : [7, 9],
      rewardVote: version < 4 ? -1n : 600_000_000n,
      stateHash: undefined,
      challengedHeader: undefined,
      finalizationVoting: undefined,
    },
    transactions: [],
    privateKey,
    chainId,
    random: secureRandomBytes,
  });
}
