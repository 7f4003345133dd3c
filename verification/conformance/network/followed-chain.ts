/**
 * Copy of a node's chain in this process: its blocks come over a P2P connection and are applied to the script's own
 * state. Transaction generators read that state, and it is one more validator of every block.
 */

import type { Chain } from "../../../durable/chain-state/chain/open-chain.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Block, BlockId, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { MessageContext } from "../../../src/protocol/messages/message-table.ts";
import { asItIs } from "../../../src/protocol/transactions/transaction-source.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { SimulatedNode } from "../../simulation/simulated-node.ts";
import type { NetworkNode } from "./network-node.ts";
import { headersOf, heightOf } from "./read-chain.ts";
import { ScriptPeer } from "./script-peer.ts";
import type { ShortNetwork } from "./short-network.ts";

/** Blocks that are not followed by default: the tip and its parent may still change. */
const unsettledBlocks = 2;
const responseTimeoutMs = 5_000;

export function contextOf({ settings: { blockchain } }: ShortNetwork): MessageContext {
  return {
    chainId: blockchain.chainId,
    source: { writtenScript: asItIs, ignoresChainId: false, isRecord: false },
  };
}

export class FollowedChain {
  readonly #network: ShortNetwork;
  readonly #node: SimulatedNode;
  readonly #unsettled: number;
  #peer: ScriptPeer | undefined;
  #peerAddress = "";

  /** @param unsettled number of last blocks that are not followed */
  constructor(network: ShortNetwork, unsettled = unsettledBlocks) {
    const { blockchain, node } = network.settings;
    this.#network = network;
    this.#unsettled = unsettled;
    // It neither makes nor endorses blocks.
    const judge = { ...node, walletAccounts: 0 };
    this.#node = new SimulatedNode({ blockchain, node: judge, startMs: Number(blockchain.genesis.blockTimestampMs) });
  }

  get chain(): Chain {
    return this.#node.chain;
  }

  get view(): StateView {
    return this.chain.view;
  }

  block(height: number): Block {
    return this.#node.chain.stored.findBlock(height) as Block;
  }

  /**
   * Fetches and applies the node's newer or different blocks.
   * @returns the validation error of a block, if any
   */
  async follow({ url, peerAddress }: Pick<NetworkNode, "url" | "peerAddress">): Promise<string | undefined> {
    const target = (await heightOf(url)) - this.#unsettled;
    const common = await this.#commonHeight(url, target);
    if (common >= target) return undefined;
    if (common < this.view.height) this.#node.chain.forks.revertTo(common);
    const peer = await this.#connected(peerAddress);
    for (const { height, id } of await headersOf(url, common + 1, target)) {
      const block = await this.#request(peer, decodeBase58(id) as Uint8Array as BlockId);
      // The chain may have changed since the header was read, or the node is slow: retried at the next call.
      if (block === undefined) return undefined;
      this.#node.nowMs = Date.now();
      try {
        this.#node.append(block);
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
        const isStillThere = (await headersOf(url, height, height))[0]?.id === id;
        return isStillThere ? `block ${id} at height ${height}: ${JSON.stringify(error.violation)}` : undefined;
      }
    }
    return undefined;
  }

  /** Appends a block made in this process, possibly before its timestamp. */
  append(block: Block): void {
    this.#node.nowMs = Math.max(Date.now(), Number(block.header.timestamp));
    this.#node.append(block);
  }

  /** Appends a micro-block made in this process. */
  appendMicroBlock(microBlock: MicroBlock): void {
    this.#node.node.appendMicroBlock(microBlock);
  }

  close(): void {
    this.#peer?.close();
  }

  /** The last height up to which both have the same blocks. */
  async #commonHeight(url: string, target: number): Promise<number> {
    const own = Math.min(this.view.height, target);
    const from = Math.max(1, own - 99);
    const headers = await headersOf(url, from, own);
    const same = headers.findLast(({ height, id }) => encodeBase58(this.block(height).id) === id);
    return same?.height ?? (from === 1 ? 1 : this.#commonHeight(url, from - 1));
  }

  async #connected(address: string): Promise<ScriptPeer> {
    if (this.#peer?.isOpen && this.#peerAddress === address) return this.#peer;
    this.#peer?.close();
    this.#peer = await ScriptPeer.connected(address, contextOf(this.#network), "follower");
    this.#peerAddress = address;
    return this.#peer;
  }

  async #request(peer: ScriptPeer, id: BlockId): Promise<Block | undefined> {
    const answer = peer.next(({ message }) => {
      if (message.kind !== "block" && message.kind !== "legacyBlock") return undefined;
      return equalBytes(message.value.id, id) ? message.value : undefined;
    }, responseTimeoutMs);
    peer.send({ kind: "getBlock", value: id });
    return answer;
  }
}
