/**
 * A generator that is on no node: it follows a chain in this process, makes a block when its turn comes first, and extends it by
 * micro-blocks that no node makes. The key block may have transactions of its own, as none of a node has.
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
  /** Who else makes blocks. */
  readonly miner: { readonly node: NetworkNode; readonly account: GeneratedAccount };
  /** Who is to see what it makes. */
  readonly nodes: readonly NetworkNode[];
  /** To whom it sends what it makes; by default all of them. */
  readonly recipients?: readonly NetworkNode[];
  /** Of its connections. */
  readonly localAddress: string;
}

/** What of a block is wished for. */
export interface OutsiderBlockOptions {
  readonly microBlocks: readonly Omit<MicroBlockOptions, "key">[];
  /** Transactions of the key block itself. By default it has none. */
  readonly own?: readonly Transaction[];
}

/** Anew at each attempt, but for what is to come again. */
export type OutsiderBlockOptionsAt = (timestamp: bigint) => OutsiderBlockOptions;

export interface Extended {
  readonly height: number;
  readonly transactions: readonly Transaction[];
}

const forger = new BlockForger(secureRandomBytes);
const attempts = 10;
const pollMs = 50;
/** The block must have come before the miner makes its own. */
const leadMs = 1_000;
const turnTimeoutMs = 120_000;
const requestTimeoutMs = 6_000;
const agreementMs = 120_000;

/**
 * @param parent of the key block; by default any
 * @throws Error when the block came too late each time, or some node has not taken it
 */
export async function extendAsOutsider(
  facts: OutsiderOptions,
  wishes: OutsiderBlockOptionsAt,
  parent?: ParentCondition,
): Promise<Extended> {
  const { network, nodes, recipients = nodes, localAddress, miner } = facts;
  const followed = new FollowedChain(network, 0);
  const peers: ScriptPeer[] = [];
  let missing = "";
  try {
    for (const { peerAddress } of recipients)
      peers.push(await ScriptPeer.connected(peerAddress, contextOf(network), "outsider", localAddress));
    for (let attempt = 0; attempt < attempts; attempt++) {
      const extended = await extendOnce(facts, followed, peers, { wishes, parent });
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
  // Made beforehand: the miner does not wait.
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
  // An announcement is kept until what it names as its base is there.
  for (const { inv } of made) for (const peer of peers) peer.send({ kind: "microBlockInv", value: inv });
  await Promise.all(given);
  const transactions = [...own, ...made.flatMap(({ microBlock }) => microBlock.transactions)];
  return { height: followed.view.height, transactions };
}

/** Gives a node the micro-blocks that it asks for, until it has asked for all or has had its time. */
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

/** Waits until the account is to sign before the miner does. @returns the timestamp of its block */
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
