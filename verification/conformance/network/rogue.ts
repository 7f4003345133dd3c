/**
 * A generator that signs blocks and micro-blocks with wrong state hashes: it follows a chain in this process and sends
 * its blocks over connections from an address of its own, which gets blacklisted.
 */
import { setTimeout as pause } from "node:timers/promises";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { buildMicroBlock, liquidBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import type { PeerMessage } from "../../../src/protocol/messages/message-table.ts";
import { buildMicroBlockInv } from "../../../src/protocol/messages/micro-block-inv.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { BlockForger, wrongStateHash } from "../../chain-generator/block-forger.ts";
import { type UnsignedBlock, wrongForm } from "../../chain-generator/challenges.ts";
import type { GeneratedAccount } from "../../chain-generator/generated-accounts.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { contextOf, FollowedChain } from "./followed-chain.ts";
import type { NetworkNode } from "./network-node.ts";
import type { ParentCondition } from "./parent-condition.ts";
import { headersOf, heightOf } from "./read-chain.ts";
import { ScriptPeer } from "./script-peer.ts";
import type { ShortNetwork } from "./short-network.ts";

export interface RogueOptions {
  readonly network: ShortNetwork;
  readonly account: GeneratedAccount;
  /** The only node that makes blocks, and so the one to challenge. */
  readonly challenger: { readonly node: NetworkNode; readonly account: GeneratedAccount };
  /** Nodes that are to see its blocks. */
  readonly nodes: readonly NetworkNode[];
  /** Local address of its connections; each rogue needs another one. */
  readonly localAddress: string;
  readonly random: SeededRandom;
  /** Condition on the parent of its block; by default none. */
  readonly parent?: ParentCondition;
  /** Transactions of the key block in addition to those that are valid only for its generator; by default none. */
  readonly own?: (timestamp: bigint) => readonly Transaction[];
}

/** The wrong block, or the block with a wrong micro-block, to be challenged. */
export interface Wrong {
  /** Height of the block. */
  readonly height: number;
  /** Ids of the transactions that are valid only for the block's generator. */
  readonly transactionIds: readonly string[];
  /** Other transactions of the key block. */
  readonly own: readonly Transaction[];
}

const forger = new BlockForger(secureRandomBytes);
const pollMs = 50;
/** Lead over the challenger's own block. */
const leadMs = 400;
const waitTimeoutMs = 180_000;
const acceptanceTimeoutMs = 5_000;

/** Sends a block with a wrong state hash when it is its turn and the challenger can come before it. */
export async function sendWrongBlock(options: RogueOptions): Promise<Wrong> {
  return asRogue(options, async (followed, timestamp, peers) => {
    const { account: key, random } = options;
    const own = options.own?.(timestamp) ?? [];
    const block = wrongForm(unvoted(timestamp, own), { forger, chain: followed.chain, key, random });
    for (const peer of peers) peer.send({ kind: "block", value: block });
    return { own, others: block.transactions.slice(own.length) };
  });
}

/** Sends a valid block, and extends it with a micro-block that has a wrong state hash. */
export async function sendWrongMicroBlock(options: RogueOptions): Promise<Wrong> {
  const { account, network, challenger } = options;
  return asRogue(options, async (followed, timestamp, peers) => {
    const { chain } = followed;
    const { transactions } = wrongForm(unvoted(timestamp), { forger, chain, key: account, random: options.random });
    const own = options.own?.(timestamp) ?? [];
    const base = forger.valid(chain, { key: account, timestamp, transactions: own });
    const extension = { transactions, stateHash: wrongStateHash, finalizationVoting: undefined };
    const { chainId } = network.settings.blockchain;
    const { privateKey } = account;
    const liquid = liquidBlock(base);
    const { microBlock } = buildMicroBlock({ liquid, extension, privateKey, chainId, random: secureRandomBytes });
    for (const peer of peers) peer.send({ kind: "block", value: base });
    const deadlineMs = Date.now() + acceptanceTimeoutMs;
    while (!(await isTip(challenger.node, base)) && Date.now() < deadlineMs) await pause(pollMs);
    const inv = buildMicroBlockInv(microBlock, account, secureRandomBytes, chainId);
    await Promise.all(peers.map((peer) => announce(peer, { kind: "microBlockInv", value: inv }, microBlock)));
    return { own, others: transactions };
  });
}

async function asRogue(
  { network, account, challenger, nodes, localAddress, parent }: RogueOptions,
  act: (
    followed: FollowedChain,
    timestamp: bigint,
    peers: readonly ScriptPeer[],
  ) => Promise<{ readonly own: readonly Transaction[]; readonly others: readonly Transaction[] }>,
): Promise<Wrong> {
  const followed = new FollowedChain(network, 0);
  const peers: ScriptPeer[] = [];
  try {
    for (const { peerAddress } of nodes)
      peers.push(await ScriptPeer.connected(peerAddress, contextOf(network), "rogue", localAddress));
    const deadlineMs = Date.now() + waitTimeoutMs;
    while (Date.now() < deadlineMs) {
      const fault = await followed.follow(challenger.node);
      if (fault !== undefined) throw new Error(fault);
      const { view } = followed;
      const timestamp = findWrongBlockTimestamp(followed, account, challenger.account);
      if (timestamp !== undefined && (parent === undefined || (await parent.isMet(followed.chain)))) {
        await pause(Math.max(0, Number(timestamp) - Date.now()));
        if ((await heightOf(challenger.node.url)) === view.height) {
          const height = view.height + 1;
          const { own, others } = await act(followed, timestamp, peers);
          return { height, own, transactionIds: others.map(({ id }) => encodeBase58(id)) };
        }
      }
      await pause(pollMs);
    }
    throw new Error(`the rogue had no chance within ${waitTimeoutMs / 1_000} s`);
  } finally {
    followed.close();
    for (const peer of peers) peer.close();
  }
}

/** A timestamp at which the account may sign and the challenger may challenge, before the challenger's own turn. */
function findWrongBlockTimestamp(
  { view }: FollowedChain,
  account: GeneratedAccount,
  challenger: GeneratedAccount,
): bigint | undefined {
  const own = forger.earliestTimestamp(view, account);
  const challenge = forger.earliestTimestamp(view, challenger, account.publicKey) + 1n;
  const timestamp = own > challenge ? own : challenge;
  const lastMs = Number(forger.earliestTimestamp(view, challenger)) - leadMs;
  return Number(timestamp) < lastMs && Date.now() < lastMs ? timestamp : undefined;
}

const unvoted = (timestamp: bigint, transactions: readonly Transaction[] = []): UnsignedBlock => ({
  header: { timestamp, featureVotes: [], rewardVote: -1n },
  transactions,
});

async function isTip({ url }: NetworkNode, { id }: Block): Promise<boolean> {
  const height = await heightOf(url);
  return (await headersOf(url, height, height))[0]?.id === encodeBase58(id);
}

/** Announces the micro-block to a node, and serves it on request. */
async function announce(peer: ScriptPeer, announcement: PeerMessage, microBlock: MicroBlock): Promise<void> {
  const asked = peer.next(
    ({ message }) =>
      message.kind === "getMicroBlock" && equalBytes(message.value, microBlock.totalBlockId) ? true : undefined,
    acceptanceTimeoutMs,
  );
  peer.send(announcement);
  if ((await asked) === true) peer.send({ kind: "microBlock", value: microBlock });
  // The last messages are still on their way; closing the connection now would lose them.
  await pause(pollMs);
}
