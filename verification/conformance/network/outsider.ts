/**
 * A generator outside all nodes: it follows a chain in this process, makes a block when it is first in turn, and
 * extends it with micro-blocks that no node makes. Its key block may have transactions of its own, unlike those of a
 * node.
 */
import { setTimeout as pause } from "node:timers/promises";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import type { MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { buildMicroBlockInv } from "../../../src/protocol/messages/micro-block-inv.ts";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { BlockForger } from "../../chain-generator/block-forger.ts";
import type { GeneratedAccount } from "../../chain-generator/generated-accounts.ts";
import { type MicroBlockOptions, microBlockAfter } from "../../chain-generator/micro-block-after.ts";
import { waitForAgreement } from "./agreement.ts";
import { contextOf, FollowedChain } from "./followed-chain.ts";
import type { NetworkNode } from "./network-node.ts";
import type { ParentCondition } from "./parent-condition.ts";
import { readText } from "./read-chain.ts";
import { ScriptPeer } from "./script-peer.ts";
import type { ShortNetwork } from "./short-network.ts";

export interface OutsiderOptions {
  readonly network: ShortNetwork;
  readonly account: GeneratedAccount;
  /** The other generator, with its node. */
  readonly miner: { readonly node: NetworkNode; readonly account: GeneratedAccount };
  /** Nodes that are to accept its blocks. */
  readonly nodes: readonly NetworkNode[];
  /** Nodes that it sends its blocks to; by default all of them. */
  readonly recipients?: readonly NetworkNode[];
  /** Local address of its connections. */
  readonly localAddress: string;
}

/** Requested content of a block. */
export interface OutsiderBlockOptions {
  readonly microBlocks: readonly Omit<MicroBlockOptions, "key">[];
  /** Transactions of the key block itself; by default none. */
  readonly own?: readonly Transaction[];
}

/**
 * Block options for an attempt at this timestamp: transactions are made per attempt, except those that must come again.
 */
export type OutsiderBlockOptionsAt = (timestamp: bigint) => OutsiderBlockOptions;

export interface Extended {
  readonly height: number;
  readonly transactions: readonly Transaction[];
}

const forger = new BlockForger(secureRandomBytes);
const attempts = 10;
const pollMs = 50;
/** Lead over the miner's own block. */
const leadMs = 1_000;
const turnTimeoutMs = 120_000;
const requestTimeoutMs = 6_000;
const agreementMs = 120_000;

/**
 * @param parent condition on the key block's parent; by default none
 * @throws Error when the block came too late in every attempt, or a node has not accepted it
 */
export async function extendAsOutsider(
  options: OutsiderOptions,
  wishes: OutsiderBlockOptionsAt,
  parent?: ParentCondition,
): Promise<Extended> {
  const { network, nodes, recipients = nodes, localAddress, miner } = options;
  const followed = new FollowedChain(network, 0);
  const peers: ScriptPeer[] = [];
  let missing = "";
  try {
    for (const { peerAddress } of recipients)
      peers.push(await ScriptPeer.connected(peerAddress, contextOf(network), "outsider", localAddress));
    for (let attempt = 0; attempt < attempts; attempt++) {
      const extended = await extendOnce(options, followed, peers, { wishes, parent });
      await waitForAgreement(nodes, extended.height, agreementMs);
      const ids = await idsAt(miner.node.url, extended.height);
      const late = extended.transactions.filter(({ id }) => !ids.has(encodeBase58(id)));
      if (late.length === 0) return extended;
      missing = `${late.length} of ${extended.transactions.length} are not in block ${extended.height}`;
    }
  } finally {
    followed.close();
    for (const peer of peers) peer.close();
  }
  throw new Error(`no block has all of its transactions: ${missing}`);
}

async function extendOnce(
  { network, account, miner }: OutsiderOptions,
  followed: FollowedChain,
  peers: readonly ScriptPeer[],
  { wishes, parent }: { readonly wishes: OutsiderBlockOptionsAt; readonly parent: ParentCondition | undefined },
): Promise<Extended> {
  const timestamp = await nextTurn(followed, account, { miner, parent });
  const { chain } = followed;
  const { chainId } = network.settings.blockchain;
  // Made beforehand, so that the miner does not get ahead.
  const { own = [], microBlocks } = wishes(timestamp);
  const block = forger.valid(chain, { key: account, timestamp, transactions: own });
  followed.append(block);
  const made = microBlocks.map((wish) => {
    const microBlock = microBlockAfter(chain, { ...wish, key: account }, secureRandomBytes);
    followed.appendMicroBlock(microBlock);
    return { microBlock, inv: buildMicroBlockInv(microBlock, account, secureRandomBytes, chainId) };
  });
  await pause(Math.max(0, Number(timestamp) - Date.now()));
  const given = peers.map((peer) => giveAll(peer, made));
  for (const peer of peers) peer.send({ kind: "block", value: block });
  // Nodes keep an announcement until its base block arrives.
  for (const { inv } of made) for (const peer of peers) peer.send({ kind: "microBlockInv", value: inv });
  await Promise.all(given);
  const transactions = [...own, ...made.flatMap(({ microBlock }) => microBlock.transactions)];
  return { height: followed.view.height, transactions };
}

/** Serves micro-blocks to a node until it has requested all of them or the time is up. */
async function giveAll(peer: ScriptPeer, made: readonly { readonly microBlock: MicroBlock }[]): Promise<void> {
  const left = new Map(made.map(({ microBlock }) => [encodeBase58(microBlock.totalBlockId), microBlock]));
  if (left.size === 0) return;
  await peer.next(({ message }) => {
    if (message.kind !== "getMicroBlock") return undefined;
    const id = encodeBase58(message.value);
    const asked = left.get(id);
    if (asked !== undefined) peer.send({ kind: "microBlock", value: asked });
    left.delete(id);
    return left.size === 0 ? true : undefined;
  }, requestTimeoutMs);
}

/** Waits until the account may sign before the miner does. @returns the timestamp of its block */
async function nextTurn(
  followed: FollowedChain,
  account: GeneratedAccount,
  { miner, parent }: { readonly miner: OutsiderOptions["miner"]; readonly parent: ParentCondition | undefined },
): Promise<bigint> {
  const deadlineMs = Date.now() + turnTimeoutMs;
  while (Date.now() < deadlineMs) {
    const fault = await followed.follow(miner.node);
    if (fault !== undefined) throw new Error(fault);
    const turn = forger.earliestTimestamp(followed.view, account);
    const lastMs = Number(forger.earliestTimestamp(followed.view, miner.account)) - leadMs;
    const isFirst = Number(turn) < lastMs && Date.now() < lastMs;
    if (isFirst && (parent === undefined || (await parent.isMet(followed.chain)))) return turn;
    await pause(pollMs);
  }
  throw new Error(`the outsider had no turn within ${turnTimeoutMs / 1_000} s`);
}

async function idsAt(url: string, height: number): Promise<ReadonlySet<string>> {
  const { transactions } = parseJson(await readText(`${url}/blocks/at/${height}`)) as {
    transactions: readonly { readonly id: string }[];
  };
  return new Set(transactions.map(({ id }) => id));
}
