/**
 * What the peers' side asks of the chain (`ChainForPeers`), answered by the node. Whatever peers have sent, the answer is a
 * judgement: only faults of this node reject.
 */
import { equalBytes } from "../src/crypto/bytes.ts";
import type { OfferAnswer, PoolOffer } from "../src/env.ts";
import type { MicroBlock } from "../src/protocol/blocks/block.ts";
import { BlockFileReader } from "../src/protocol/blocks/block-file.ts";
import { hasValidBlockSignature } from "../src/protocol/blocks/block-signature.ts";
import { BlockVersion } from "../src/protocol/blocks/block-version.ts";
import { parseSplitBlock, splitBlock } from "../src/protocol/blocks/parse-block.ts";
import { WireError } from "../src/protocol/faults.ts";
import { messageTable } from "../src/protocol/messages/message-table.ts";
import { fromPeers } from "../src/rules/blocks/from-peers.ts";
import { FlagReader } from "../src/rules/blocks/verified-signatures.ts";
import { HeldParts } from "./chain/held-parts.ts";
import { OfferedBranch } from "./chain/offered-branch.ts";
import { offeredContext } from "./chain/offered-context.ts";
import { ServedBlocks } from "./chain/served-blocks.ts";
import type { Node } from "./node.ts";
import type { PeerCount } from "./peer-count.ts";
import { faultOfPeer, type Offer } from "./peer-judgement.ts";
import type { ChainForPeers, ChainStanding, Judgement, OfferedBlocks } from "./peers/chain-for-peers.ts";

/** Of the parts of an extension together. Deeper branches of larger blocks than any network has had are not followed. */
const MAX_EXTENSION_BYTES = 64 * 1024 * 1024;

export interface PeerCallFacts {
  readonly node: Node;
  readonly count: PeerCount;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
}

/** What a peer has sent, once it was read. */
interface ReadOffer {
  /** @returns whether it was new */
  readonly append: () => boolean;
  /** Answers a wrong state hash; undefined of what was asked for. @returns whether the chain is another one now */
  readonly challenge?: () => boolean;
}

export class PeerCalls implements ChainForPeers {
  readonly #facts: PeerCallFacts;
  readonly #served: ServedBlocks;
  readonly #held: HeldParts;
  /** Name of the extension whose parts are held. */
  #extension: string | undefined;

  constructor(facts: PeerCallFacts) {
    this.#facts = facts;
    const { chain, store } = facts.node;
    this.#served = new ServedBlocks(chain.stored, store);
    this.#held = new HeldParts(store.sql);
  }

  async standing(): Promise<ChainStanding> {
    return this.#facts.node.chainStanding();
  }

  async lastBlockIds(count: number): Promise<Uint8Array[]> {
    return this.#served.lastIds(count);
  }

  async blockIdsAfter(ids: readonly Uint8Array[], count: number): Promise<Uint8Array[]> {
    return this.#served.idsAfter(ids, count);
  }

  async findBlock(id: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#served.findBlock(id);
  }

  async findBlockSnapshot(id: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#served.findSnapshot(id);
  }

  async findMicroBlockSnapshot(totalId: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#served.findMicroBlockSnapshot(totalId);
  }

  applyBlock({ blocks, verified }: OfferedBlocks): Promise<Judgement> {
    const { node, nowMs } = this.#facts;
    return this.#judged("block", () => {
      const split = splitBlock(onlyRecord(blocks), this.#chainId);
      const block = parseSplitBlock(split, this.#chainId, fromPeers);
      return {
        append: () => node.append(block, offeredContext(new FlagReader(verified), block.transactions.length, nowMs())),
        challenge: () => node.challengeBlock(block),
      };
    });
  }

  async applyExtension({
    name,
    isLast,
    ...part
  }: OfferedBlocks & { readonly name: string; readonly isLast: boolean }): Promise<Judgement | "more"> {
    // What was written before is on its way to readers; more than this of it does not pile up.
    if (isLast) await this.#facts.node.published();
    if (this.#extension !== name) this.#held.clear();
    this.#extension = name;
    this.#held.add(part);
    if (this.#held.bytes > MAX_EXTENSION_BYTES) {
      this.#forgetExtension();
      return { kind: "refused", reason: `it has more than ${MAX_EXTENSION_BYTES} bytes`, isInvalid: false };
    }
    if (!isLast) return "more";
    const judgement = this.#applyHeld();
    this.#forgetExtension();
    return judgement;
  }

  /** What is held is read by the time that it returns. */
  #applyHeld(): Promise<Judgement> {
    const { node, nowMs } = this.#facts;
    const { chainId } = node.chain.view.settings;
    const parts = () => this.#held.all();
    const branch = new OfferedBranch({ parts, chainId, nowMs: nowMs(), forks: node.chain.forks });
    return this.#judged("extension", () => ({ append: () => node.appendOffered(branch) }), branch);
  }

  #forgetExtension(): void {
    this.#held.clear();
    this.#extension = undefined;
  }

  applyMicroBlock(microBlock: Uint8Array): Promise<Judgement> {
    const { node } = this.#facts;
    return this.#judged("microBlock", () => {
      const parsed = this.#parseMicroBlock(microBlock);
      const append = () => {
        const isKnown = node.chain.stored.liquidForms().some(({ id }) => equalBytes(id, parsed.totalBlockId));
        if (isKnown) return false;
        node.appendMicroBlock(parsed);
        return true;
      };
      return { append, challenge: () => node.challengeMicroBlock(parsed) };
    });
  }

  offerTransactions(offers: PoolOffer[]): Promise<OfferAnswer[]> {
    return this.#facts.node.poolCalls.offerFromPeers(offers);
  }

  async connected(peers: number): Promise<void> {
    const { node, count } = this.#facts;
    count.peers = peers;
    await node.schedule();
  }

  get #chainId(): number {
    return this.#facts.node.chain.view.settings.chainId;
  }

  #parseMicroBlock(payload: Uint8Array): MicroBlock {
    const { legacyMicroBlock, microBlock } = messageTable;
    const { parse } = isLegacyMicroBlock(payload) ? legacyMicroBlock : microBlock;
    return parse(payload, { chainId: this.#chainId, source: fromPeers });
  }

  /**
   * @param read reads what was sent
   * @param branch of an extension
   */
  async #judged(offer: Offer, read: () => ReadOffer, branch?: OfferedBranch): Promise<Judgement> {
    const { node } = this.#facts;
    let offered: ReadOffer | undefined;
    try {
      offered = read();
      if (!offered.append()) return { kind: "known" };
    } catch (error) {
      const fault = faultOfPeer(error, offer, offered !== undefined);
      if (fault === undefined) throw error;
      const block = fault.holdsForId ? branch?.atHand : undefined;
      const names = block !== undefined && hasValidBlockSignature(block, this.#chainId);
      const { reason, isInvalid, isLighter, isChallengeable } = fault;
      if (isChallengeable && offered?.challenge?.() === true) await node.goOn();
      return {
        ...({ kind: "refused", reason, isInvalid } as const),
        ...(names && { blockId: block.id }),
        ...(isLighter && { isLighter }),
      };
    }
    // Whatever comes next, this is what has become of it.
    const standing = node.chainStanding();
    await node.goOn();
    return { kind: "applied", standing };
  }
}

/** A legacy micro-block begins with its version; a protobuf one with the tag of its first field. */
function isLegacyMicroBlock(payload: Uint8Array): boolean {
  return (payload[0] ?? 0) < BlockVersion.Protobuf;
}

/** @throws WireError */
function onlyRecord(blocks: Uint8Array): Uint8Array {
  const reader = new BlockFileReader();
  const [record, ...others] = reader.push(blocks);
  reader.end();
  if (record === undefined || others.length > 0)
    throw new WireError({
      field: "block",
      offset: 0,
      reason: `one block expected, got ${record === undefined ? 0 : 1 + others.length}`,
    });
  return record.bytes;
}
