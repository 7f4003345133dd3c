/**
 * Challenges in generated chains: a block of the chain gets a wrong state hash and two transactions that are valid only
 * for its generator, and another generator's block replaces it.
 */
import type { Chain } from "../../durable/chain-state/chain/open-chain.ts";
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { Digest } from "../../src/crypto/identities.ts";
import { keyPairOfAccountSeed } from "../../src/crypto/seed.ts";
import type { Block, BlockHeader } from "../../src/protocol/blocks/block.ts";
import { RuleError } from "../../src/protocol/errors.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { hasLightNodeFields } from "../../src/rules/consensus/block-version.ts";
import { requiredGeneratingBalance } from "../../src/rules/consensus/generating-balance.ts";
import { generatingBalanceAt } from "../../src/rules/consensus/next-block.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";
import { BlockForger, wrongStateHash } from "./block-forger.ts";
import type { GeneratedAccount, GeneratedAccounts } from "./generated-accounts.ts";
import { fee, makeTransfer } from "./make-transfer.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Wrong state hashes, used in turn: a hash, none, and bytes that are no hash. */
const wrongHashes = [wrongStateHash, undefined, new Uint8Array(5) as Digest];

export interface ChallengeOptions {
  readonly node: SimulatedNode;
  readonly accounts: GeneratedAccounts;
  readonly random: SeededRandom;
}

/**
 * Rolls back below the height, and appends a block that challenges the removed one.
 * @returns false when there is no block to challenge or no challenger; the chain is then unchanged
 */
export function challengeAt(height: number, options: ChallengeOptions): boolean {
  const { node } = options;
  const { chain } = node;
  const left = Array.from(
    { length: node.height - height + 1 },
    (_, index) => chain.stored.findBlock(height + index) as Block,
  );
  const [block] = left;
  if (block === undefined) return false;
  chain.forks.revertTo(height - 1);
  const challenging = challengeTo(block, options);
  if (challenging === undefined) {
    for (const dropped of left) node.append(dropped);
    return false;
  }
  const original = challenging.header.challengedHeader?.timestamp ?? 0n;
  node.nowMs = Math.max(node.nowMs, Number(original), Number(challenging.header.timestamp));
  node.append(challenging);
  return true;
}

/**
 * A block that challenges the given one, as if its generator had given it a wrong state hash.
 * @param block the tip is its parent
 * @returns undefined when it cannot be challenged, or there is no challenger
 */
export function challengeTo(block: Block, { node, accounts, random }: ChallengeOptions): Block | undefined {
  const { chain } = node;
  const { view } = chain;
  const { functionality } = view.settings;
  if (!hasLightNodeFields({ height: view.height + 1, features: view, functionality })) return undefined;
  const { generators } = accounts;
  const challenged = generators.find(({ publicKey }) => equalBytes(publicKey, block.header.generator));
  if (challenged === undefined || block.header.challengedHeader !== undefined) return undefined;
  const forger = new BlockForger((sizeBytes) => random.bytes(sizeBytes));
  const required = requiredGeneratingBalance(view.height, view);
  const [first] = generators
    .filter((account) => account !== challenged && generatingBalanceAt(view, account.address) >= required)
    .map((key) => ({ key, turn: forger.earliestTimestamp(view, key, challenged.publicKey) }))
    .sort((one, other) => Number(one.turn - other.turn));
  if (first === undefined) return undefined;
  const original = wrongForm(block, { forger, chain, key: challenged, random });
  return forger.challenging(chain, original, { key: first.key, rewardVote: block.header.rewardVote });
}

/** Members of a block that its wrong form shares. */
export interface UnsignedBlock {
  readonly header: Pick<BlockHeader, "timestamp" | "featureVotes" | "rewardVote">;
  readonly transactions: readonly Transaction[];
}

/**
 * The block with a wrong state hash, in which its generator sends its whole balance to an account that passes it on.
 */
export function wrongForm(
  block: UnsignedBlock,
  { forger, chain, key, random }: { forger: BlockForger; chain: Chain; key: GeneratedAccount; random: SeededRandom },
): Block {
  const { chainId } = chain.view.settings;
  const { timestamp, featureVotes, rewardVote } = block.header;
  const stateHash = wrongHashes[chain.view.height % wrongHashes.length];
  const options = { key, timestamp, featureVotes, rewardVote, stateHash, transactions: block.transactions };
  const { run, overlay } = forger.opened(chain, options);
  const stranger = keyPairOfAccountSeed(random.bytes(32));
  // The generator gets the share of its own fee after the transfer.
  const amount = overlay.balance(key.address, null) - overlay.leaseBalance(key.address).out - fee;
  const extra = [
    makeTransfer({ key, to: stranger.publicKey, amount, timestamp, random }, chainId),
    makeTransfer({ key: stranger, to: key.publicKey, amount: amount / 2n, timestamp, random }, chainId),
  ];
  try {
    for (const transaction of extra) run.add(transaction);
  } catch (error) {
    // The generator's script refuses, or its balance is zero.
    if (!(error instanceof RuleError)) throw error;
    return forger.wrong(chain, options);
  }
  return forger.wrong(chain, { ...options, transactions: [...block.transactions, ...extra] });
}
