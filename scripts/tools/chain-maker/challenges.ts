/**
 * Challenges in made chains: a block of the chain gets a wrong state hash and two transactions that hold only for its generator,
 * and another generator's block takes its place.
 */
import type { Chain } from "../../../durable/chain/open-chain.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
import { keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import type { Block, BlockHeader } from "../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { hasLightNodeFields } from "../../../src/rules/consensus/block-version.ts";
import { requiredGeneratingBalance } from "../../../src/rules/consensus/generating-balance.ts";
import { generatingBalanceAt } from "../../../src/rules/consensus/next-block.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";
import { BlockMaker, wrongStateHash } from "./challenged-blocks.ts";
import type { MadeAccount, MadeAccounts } from "./made-accounts.ts";
import { fee, transferOf } from "./made-transfer.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** By turns: a hash, none at all, and bytes that are no hash. */
const wrongHashes = [wrongStateHash, undefined, new Uint8Array(5) as Digest];

export interface ChallengeFacts {
  readonly node: SimulatedNode;
  readonly accounts: MadeAccounts;
  readonly random: SeededRandom;
}

/**
 * Goes back to below the height, and puts a block there that challenges the one that was.
 * @returns whether there was one that can be challenged, and somebody to do it; if not, all is as it was
 */
export function challengeAt(height: number, facts: ChallengeFacts): boolean {
  const { node } = facts;
  const { chain } = node;
  const left = Array.from(
    { length: node.height - height + 1 },
    (_, index) => chain.stored.findBlock(height + index) as Block,
  );
  const [block] = left;
  if (block === undefined) return false;
  chain.forks.revertTo(height - 1);
  const challenging = challengeTo(block, facts);
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
 * @returns undefined where none can be challenged, or nobody can do it
 */
export function challengeTo(block: Block, { node, accounts, random }: ChallengeFacts): Block | undefined {
  const { chain } = node;
  const { view } = chain;
  const { functionality } = view.settings;
  if (!hasLightNodeFields({ height: view.height + 1, features: view, functionality })) return undefined;
  const { generators } = accounts;
  const challenged = generators.find(({ publicKey }) => equalBytes(publicKey, block.header.generator));
  if (challenged === undefined || block.header.challengedHeader !== undefined) return undefined;
  const maker = new BlockMaker((sizeBytes) => random.bytes(sizeBytes));
  const required = requiredGeneratingBalance(view.height, view);
  const [first] = generators
    .filter((account) => account !== challenged && generatingBalanceAt(view, account.address) >= required)
    .map((key) => ({ key, turn: maker.turnOf(view, key, challenged.publicKey) }))
    .sort((one, other) => Number(one.turn - other.turn));
  if (first === undefined) return undefined;
  const original = wrongForm(block, { maker, chain, key: challenged, random });
  return maker.challenging(chain, original, { key: first.key, rewardVote: block.header.rewardVote });
}

/** What of a block its wrong form has, too. */
export interface UnsignedBlock {
  readonly header: Pick<BlockHeader, "timestamp" | "featureVotes" | "rewardVote">;
  readonly transactions: readonly Transaction[];
}

/** The block with a wrong state hash, in which its generator gives away all that it has by then, to somebody who passes it on. */
export function wrongForm(
  block: UnsignedBlock,
  { maker, chain, key, random }: { maker: BlockMaker; chain: Chain; key: MadeAccount; random: SeededRandom },
): Block {
  const { chainId } = chain.view.settings;
  const { timestamp, featureVotes, rewardVote } = block.header;
  const stateHash = wrongHashes[chain.view.height % wrongHashes.length];
  const wish = { key, timestamp, featureVotes, rewardVote, stateHash, transactions: block.transactions };
  const { run, overlay } = maker.opened(chain, wish);
  const stranger = keyPairOfAccountSeed(random.bytes(32));
  // The share of its own fee comes back to the generator behind the transfer.
  const amount = overlay.balance(key.address, null) - overlay.leaseBalance(key.address).out - fee;
  const extra = [
    transferOf({ key, to: stranger.publicKey, amount, timestamp, random }, chainId),
    transferOf({ key: stranger, to: key.publicKey, amount: amount / 2n, timestamp, random }, chainId),
  ];
  try {
    for (const transaction of extra) run.add(transaction);
  } catch (error) {
    // Its generator has a script that says no, or nothing to give.
    if (!(error instanceof RuleError)) throw error;
    return maker.wrong(chain, wish);
  }
  return maker.wrong(chain, { ...wish, transactions: [...block.transactions, ...extra] });
}
