/**
 * What the peers' side asks of the chain (`ChainForPeers`), answered by the node. Whatever peers have sent, the answer is a
 * judgement: only faults of this node reject.
 */
import type { OfferAnswer, PoolOffer } from "../../../src/env.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { BlockFileReader, type RecordSizes, snapshotRecordSizes } from "../../../src/protocol/blocks/block-file.ts";
import { hasValidBlockSignature } from "../../../src/protocol/blocks/block-signature.ts";
import { parseSplitBlock, splitBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import { parseEndorsement } from "../../../src/protocol/messages/endorsement.ts";
import { messageTable } from "../../../src/protocol/messages/message-table.ts";
import { isLegacyMicroBlock } from "../../../src/protocol/messages/micro-block.ts";
import { parseSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import type {
  ChainForPeers,
  ChainStanding,
  Judgement,
  OfferedBlocks,
  Unfinished,
  VerifiedEndorsement,
} from "../../../src/rpc/chain-for-peers.ts";
import { fromPeers } from "../../../src/rules/blocks/from-peers.ts";
import { placeBySnapshots } from "../../../src/rules/blocks/include-by-snapshots.ts";
import { FlagReader } from "../../../src/rules/blocks/verified-signatures.ts";
import type { VotingRound } from "../../../src/rules/finality/voting-round.ts";
import { type OfferedTerms, offeredContext, withSnapshots } from "../chain/append-context.ts";
import { HeldParts } from "../chain/extension-buffer.ts";
import { OfferedBranch } from "../chain/received-branch.ts";
import { ServedBlocks } from "../chain/served-blocks.ts";
import { verifyHead } from "../chain/verify-head.ts";
import { PartLanded } from "../chain/work-slice.ts";
import type { Node } from "../node.ts";
import type { PeerCount } from "./peer-count.ts";
import { faultOfPeer, type Offer } from "./peer-violation.ts";
import { type JudgingCall, JudgingPortions } from "./sliced-validator.ts";

/** Of the parts of an extension together. Deeper branches of larger blocks than any network has had are not followed. */
const MAX_EXTENSION_BYTES = 64 * 1024 * 1024;

export interface PeerCallFacts {
  readonly node: Node;
  readonly count: PeerCount;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** By default `PORTION_WORK`. */
  readonly portionWork?: number | undefined;
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
  readonly #portions: JudgingPortions;
  /** Name of the extension whose parts are held. */
  #extension: string | undefined;
  /** All of its parts are held, and judged in part. */
  #isUnfinished = false;

  constructor(facts: PeerCallFacts) {
    this.#facts = facts;
    const { chain, store } = facts.node;
    this.#served = new ServedBlocks(chain.stored, store);
    this.#held = new HeldParts(store.sql);
    this.#portions = new JudgingPortions(store.sql, facts.portionWork);
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

  async refusalOfHead(head: Uint8Array): Promise<string | undefined> {
    const { node, nowMs } = this.#facts;
    const block = { ...splitBlock(head, this.#chainId).head, transactions: [] };
    try {
      verifyHead(node.chain, block, nowMs());
      return undefined;
    } catch (error) {
      const fault = faultOfPeer(error, { offer: "block", isUnderstood: true, isBySnapshots: false });
      if (fault === undefined) throw error;
      return fault.reason;
    }
  }

  applyBlock({ blocks, verified, snapshots }: OfferedBlocks): Promise<Judgement | Unfinished> {
    const { node } = this.#facts;
    const read = (portions: JudgingCall) => {
      const split = splitBlock(onlyRecord(blocks), this.#chainId);
      const block = parseSplitBlock(split, this.#chainId, fromPeers);
      const flags = new FlagReader(verified);
      // Only extensions bring blocks with what their micro-blocks had.
      const context = {
        ...offeredContext(flags, block.transactions.length, this.#terms(portions)),
        ownsTransactions: true,
      };
      if (snapshots === undefined)
        return {
          append: () => node.append(block, context),
          challenge: () => node.challengeBlock(block, portions.work),
        };
      const record = onlyRecord(snapshots, snapshotRecordSizes);
      return { append: () => node.append(block, withSnapshots(context, block, record)) };
    };
    const sent = { isBySnapshots: snapshots !== undefined };
    return this.#portions.run((portions) => this.#judged("block", () => read(portions), sent));
  }

  async applyExtension({
    name,
    isLast,
    ...part
  }: OfferedBlocks & { readonly name: string; readonly isLast: boolean }): Promise<Judgement | "more" | Unfinished> {
    // What was written before is on its way to readers; more than this of it does not pile up.
    if (isLast) await this.#facts.node.published();
    if (this.#extension !== name) this.#forgetExtension();
    this.#extension = name;
    if (!this.#isUnfinished) this.#held.add(part);
    if (this.#held.bytes > MAX_EXTENSION_BYTES) {
      this.#forgetExtension();
      return { kind: "refused", reason: `it has more than ${MAX_EXTENSION_BYTES} bytes`, isInvalid: false };
    }
    if (!isLast) return "more";
    let judgement: Judgement | Unfinished | undefined;
    try {
      judgement = await this.#portions.run((portions) => this.#applyHeld(portions));
      return judgement;
    } finally {
      if (judgement === "unfinished") this.#isUnfinished = true;
      else if (this.#extension === name) this.#forgetExtension();
    }
  }

  /** What is held is read by the time that it returns. */
  #applyHeld(portions: JudgingCall): Promise<Judgement> {
    const { node } = this.#facts;
    const { chainId } = node.chain.view.settings;
    const parts = () => this.#held.all();
    const terms = this.#terms(portions);
    const branch = new OfferedBranch({ parts, chainId, terms, forks: node.chain.forks });
    return this.#judged("extension", () => ({ append: () => node.appendOffered(branch, terms) }), branch);
  }

  #forgetExtension(): void {
    this.#held.clear();
    this.#extension = undefined;
    this.#isUnfinished = false;
  }

  #terms(portions: JudgingCall): OfferedTerms {
    return { nowMs: this.#facts.nowMs(), portions };
  }

  applyMicroBlock(microBlock: Uint8Array, snapshots?: Uint8Array): Promise<Judgement | Unfinished> {
    const { node } = this.#facts;
    const read = (portions: JudgingCall) => {
      const parsed = this.#parseMicroBlock(microBlock);
      const append = () => {
        if (node.chain.stored.findLiquidForm(parsed.totalBlockId) !== undefined) return false;
        const place = snapshots && placeBySnapshots(parseSnapshotRecord(snapshots), parsed);
        node.appendMicroBlock(parsed, { portions, ...(place && { place }) });
        return true;
      };
      return snapshots === undefined
        ? { append, challenge: () => node.challengeMicroBlock(parsed, portions.work) }
        : { append };
    };
    const sent = { isBySnapshots: snapshots !== undefined };
    return this.#portions.run((portions) => this.#judged("microBlock", () => read(portions), sent));
  }

  offerTransactions(offers: PoolOffer[]): Promise<OfferAnswer[]> {
    return this.#facts.node.poolCalls.offerFromPeers(offers);
  }

  async votingRound(): Promise<VotingRound | undefined> {
    return this.#facts.node.votingRound();
  }

  async applyEndorsements(endorsements: readonly VerifiedEndorsement[]): Promise<boolean[]> {
    const { node } = this.#facts;
    return endorsements.map(({ endorsement, verifiedBy }) =>
      node.endorse({ endorsement: parseEndorsement(endorsement), verifiedBy }),
    );
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
   * @param sent the branch of an extension; of anything else, whether snapshots came with it
   */
  async #judged(
    offer: Offer,
    read: () => ReadOffer,
    sent: { readonly isBySnapshots: boolean; readonly atHand?: Block | undefined },
  ): Promise<Judgement> {
    const { node } = this.#facts;
    let offered: ReadOffer | undefined;
    try {
      offered = read();
      if (!offered.append()) return { kind: "known" };
    } catch (error) {
      const { isBySnapshots } = sent;
      if (error instanceof PartLanded) await node.goOn();
      const fault = faultOfPeer(error, { offer, isUnderstood: offered !== undefined, isBySnapshots });
      if (fault === undefined) throw error;
      const { reason, isInvalid, isLighter, isOfSnapshots, isChallengeable } = fault;
      const { atHand } = sent;
      const names = fault.holdsForId && atHand !== undefined && hasValidBlockSignature(atHand, this.#chainId);
      if (isChallengeable && offered?.challenge?.() === true) await node.goOn();
      return {
        ...({ kind: "refused", reason, isInvalid } as const),
        ...(atHand !== undefined && (names || isOfSnapshots) && { blockId: atHand.id }),
        ...(isLighter && { isLighter }),
        ...(isOfSnapshots && { isOfSnapshots }),
      };
    }
    // Whatever comes next, this is what has become of it.
    const standing = node.chainStanding();
    await node.goOn();
    return { kind: "applied", standing };
  }
}

/** @throws WireError */
function onlyRecord(file: Uint8Array, sizes?: RecordSizes): Uint8Array {
  const reader = new BlockFileReader(sizes);
  const [record, ...others] = reader.push(file);
  reader.end();
  if (record === undefined || others.length > 0)
    throw new WireError({
      field: "block",
      offset: 0,
      reason: `one record expected, got ${record === undefined ? 0 : 1 + others.length}`,
    });
  return record.bytes;
}
