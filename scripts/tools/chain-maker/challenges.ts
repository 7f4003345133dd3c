/**
 * Challenges in made chains: a block of the chain gets a wrong state hash and two transactions that hold only for its generator,
 * and another generator's block takes its place.
 */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { sign } from "../../../src/crypto/curve25519.ts";
import type { Address, KeyPair, PublicKey } from "../../../src/crypto/identities.ts";
import { keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { hasLightNodeFields } from "../../../src/rules/consensus/block-version.ts";
import { requiredGeneratingBalance } from "../../../src/rules/consensus/generating-balance.ts";
import { generatingBalanceAt } from "../../../src/rules/consensus/next-block.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";
import { challengingBlock, headerOf, openedBlock, turnOf, wrongBlock } from "./challenged-blocks.ts";
import type { MadeAccounts } from "./made-accounts.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Of the transfers that are elided. */
const fee = 500_000n;

export interface ChallengeFacts {
  readonly node: SimulatedNode;
  readonly accounts: MadeAccounts;
  readonly random: SeededRandom;
}

/**
 * Goes back to below the height, and puts a block there that challenges the one that was.
 * @returns whether there was one that can be challenged, and somebody to do it; if not, all is as it was
 */
export function challengeAt(height: number, { node, accounts, random }: ChallengeFacts): boolean {
  const { chain } = node;
  const { view } = chain;
  const { functionality } = view.settings;
  const block = chain.stored.findBlock(height);
  if (block === undefined || block.header.challengedHeader !== undefined) return false;
  if (!hasLightNodeFields({ height, features: view, functionality })) return false;
  const { generators } = accounts;
  const challenged = generators.find(({ publicKey }) => equalBytes(publicKey, block.header.generator));
  const others = generators.filter((generator) => generator !== challenged);
  if (challenged === undefined || others.length === 0) return false;
  const left = blocksFrom(node, height);
  chain.forks.revertTo(height - 1);
  const required = requiredGeneratingBalance(view.height, view);
  const challengers = others.filter(({ address }) => generatingBalanceAt(view, address) >= required);
  const [first] = challengers.sort((one, other) => {
    const [turn, otherTurn] = [one, other].map((key) => turnOf(view, key, challenged.publicKey)) as [bigint, bigint];
    return turn < otherTurn ? -1 : 1;
  });
  if (first === undefined) {
    for (const dropped of left) node.append(dropped);
    return false;
  }
  const original = wrongForm(node, block, challenged, random);
  const challenging = challengingBlock(chain, original, { key: first, rewardVote: block.header.rewardVote });
  const latest = [original, challenging].map(({ header }) => Number(header.timestamp));
  node.nowMs = Math.max(node.nowMs, ...latest);
  node.append(challenging);
  return true;
}

function blocksFrom({ chain, height }: SimulatedNode, from: number): readonly Block[] {
  return Array.from({ length: height - from + 1 }, (_, index) => chain.stored.findBlock(from + index) as Block);
}

/** The block with a wrong state hash, in which its generator gives away all that it has by then, to somebody who passes it on. */
function wrongForm(
  node: SimulatedNode,
  block: Block,
  key: KeyPair & { readonly address: Address },
  random: SeededRandom,
): Block {
  const { chain } = node;
  const { chainId } = chain.view.settings;
  const { timestamp, featureVotes, rewardVote } = block.header;
  const wish = { key, timestamp, featureVotes, rewardVote, transactions: block.transactions };
  const { run, overlay } = openedBlock(chain, headerOf(chain, wish), wish);
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
    return wrongBlock(chain, wish);
  }
  return wrongBlock(chain, { ...wish, transactions: [...block.transactions, ...extra] });
}

interface TransferWish {
  readonly key: KeyPair;
  readonly to: PublicKey;
  readonly amount: bigint;
  readonly timestamp: bigint;
  readonly random: SeededRandom;
}

function transferOf({ key, to, amount, timestamp, random }: TransferWish, chainId: number): Transaction {
  const fields = {
    type: TransactionType.Transfer,
    version: 3,
    chainId,
    sender: key.publicKey,
    recipient: { kind: "address", address: addressOfPublicKey(to, chainId) },
    asset: null,
    amount,
    feeAsset: null,
    fee,
    attachment: new Uint8Array(),
    timestamp,
  } as const;
  const { bodyBytes } = buildTransaction({ ...fields, proofs: [] });
  return buildTransaction({ ...fields, proofs: [sign(key.privateKey, bodyBytes, random.bytes(64))] });
}
