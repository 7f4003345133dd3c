/**
 * PeerHub's requests to the chain (`ChainForPeers`). Every item received from a peer has a verdict as its result: only
 * errors of this node reject.
 */
import type { PoolSubmission, SubmissionResult } from "../../../src/env.ts";
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
  ChainTip,
  ReceivedBlocks,
  Unfinished,
  ValidationResult,
  VerifiedEndorsement,
} from "../../../src/rpc/chain-for-peers.ts";
import { fromPeers } from "../../../src/rules/blocks/from-peers.ts";
import { includeBySnapshots } from "../../../src/rules/blocks/include-by-snapshots.ts";
import { FlagReader } from "../../../src/rules/blocks/verified-signatures.ts";
import type { VotingRound } from "../../../src/rules/finality/voting-round.ts";
import { appendContextOf, type SharedAppendContext, withSnapshots } from "../chain/append-context.ts";
import { ExtensionBuffer } from "../chain/extension-buffer.ts";
import { ReceivedBranch } from "../chain/received-branch.ts";
import { ServedBlocks } from "../chain/served-blocks.ts";
import { verifyHead } from "../chain/verify-head.ts";
import { PartlyApplied } from "../chain/work-slice.ts";
import type { Node } from "../node.ts";
import type { PeerCount } from "./peer-count.ts";
import { peerViolationOf, type ReceivedKind } from "./peer-violation.ts";
import { SlicedValidator, type ValidationSlice } from "./sliced-validator.ts";

/** Total size of an extension's chunks. Deeper branches of larger blocks than any network has had are not followed. */
const MAX_EXTENSION_BYTES = 64 * 1024 * 1024;

export interface PeerCallsOptions {
  readonly node: Node;
  readonly count: PeerCount;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Work of one slice; by default `SLICE_WORK`. */
  readonly sliceWork?: number | undefined;
}

/** A received item after parsing. */
interface ParsedItem {
  /** @returns whether the item was new */
  readonly append: () => boolean;
  /** Responds to a wrong state hash; undefined for requested items. @returns whether the chain has changed */
  readonly challenge?: () => boolean;
}

export class PeerCalls implements ChainForPeers {
  readonly #options: PeerCallsOptions;
  readonly #served: ServedBlocks;
  readonly #buffer: ExtensionBuffer;
  readonly #validator: SlicedValidator;
  /** Name of the extension whose chunks are held. */
  #extension: string | undefined;
  /** Whether all of the extension's chunks are held and its validation has begun. */
  #isUnfinished = false;

  constructor(options: PeerCallsOptions) {
    this.#options = options;
    const { chain, store } = options.node;
    this.#served = new ServedBlocks(chain.stored, store);
    this.#buffer = new ExtensionBuffer(store.sql);
    this.#validator = new SlicedValidator(store.sql, options.sliceWork);
  }

  async chainTip(): Promise<ChainTip> {
    return this.#options.node.chainTip();
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

  async findHeaderError(head: Uint8Array): Promise<string | undefined> {
    const { node, nowMs } = this.#options;
    const block = { ...splitBlock(head, this.#chainId).head, transactions: [] };
    try {
      verifyHead(node.chain, block, nowMs());
      return undefined;
    } catch (error) {
      const violation = peerViolationOf(error, { kind: "block", isUnderstood: true, isBySnapshots: false });
      if (violation === undefined) throw error;
      return violation.reason;
    }
  }

  applyBlock({ blocks, verified, snapshots }: ReceivedBlocks): Promise<ValidationResult | Unfinished> {
    const { node } = this.#options;
    const read = (slice: ValidationSlice) => {
      const split = splitBlock(onlyRecord(blocks), this.#chainId);
      const block = parseSplitBlock(split, this.#chainId, fromPeers);
      const flags = new FlagReader(verified);
      // Only blocks of extensions come with the transactions of their micro-blocks.
      const context = {
        ...appendContextOf(flags, block.transactions.length, this.#sharedContext(slice)),
        ownsTransactions: true,
      };
      if (snapshots === undefined)
        return {
          append: () => node.append(block, context),
          challenge: () => node.challengeBlock(block, slice.work),
        };
      const record = onlyRecord(snapshots, snapshotRecordSizes);
      return { append: () => node.append(block, withSnapshots(context, block, record)) };
    };
    const sent = { isBySnapshots: snapshots !== undefined };
    return this.#validator.run((slice) => this.#validate("block", () => read(slice), sent));
  }

  async applyExtension({
    name,
    isLast,
    ...part
  }: ReceivedBlocks & { readonly name: string; readonly isLast: boolean }): Promise<
    ValidationResult | "more" | Unfinished
  > {
    // Earlier writes are still being published; waiting here bounds the backlog.
    if (isLast) await this.#options.node.published();
    if (this.#extension !== name) this.#forgetExtension();
    this.#extension = name;
    if (!this.#isUnfinished) this.#buffer.add(part);
    if (this.#buffer.bytes > MAX_EXTENSION_BYTES) {
      this.#forgetExtension();
      return { kind: "refused", reason: `it has more than ${MAX_EXTENSION_BYTES} bytes`, isInvalid: false };
    }
    if (!isLast) return "more";
    let judgement: ValidationResult | Unfinished | undefined;
    try {
      judgement = await this.#validator.run((slice) => this.#applyBuffered(slice));
      return judgement;
    } finally {
      if (judgement === "unfinished") this.#isUnfinished = true;
      else if (this.#extension === name) this.#forgetExtension();
    }
  }

  /** Applies the held chunks; all have been read when it returns. */
  #applyBuffered(slice: ValidationSlice): Promise<ValidationResult> {
    const { node } = this.#options;
    const { chainId } = node.chain.view.settings;
    const parts = () => this.#buffer.all();
    const terms = this.#sharedContext(slice);
    const branch = new ReceivedBranch({ chunks: parts, chainId, shared: terms, forks: node.chain.forks });
    return this.#validate("extension", () => ({ append: () => node.appendBranchStream(branch, terms) }), branch);
  }

  #forgetExtension(): void {
    this.#buffer.clear();
    this.#extension = undefined;
    this.#isUnfinished = false;
  }

  #sharedContext(slice: ValidationSlice): SharedAppendContext {
    return { nowMs: this.#options.nowMs(), slicedValidation: slice };
  }

  applyMicroBlock(microBlock: Uint8Array, snapshots?: Uint8Array): Promise<ValidationResult | Unfinished> {
    const { node } = this.#options;
    const read = (slice: ValidationSlice) => {
      const parsed = this.#parseMicroBlock(microBlock);
      const append = () => {
        if (node.chain.stored.findLiquidForm(parsed.totalBlockId) !== undefined) return false;
        const place = snapshots && includeBySnapshots(parseSnapshotRecord(snapshots), parsed);
        node.appendMicroBlock(parsed, { slicedValidation: slice, ...(place && { include: place }) });
        return true;
      };
      return snapshots === undefined
        ? { append, challenge: () => node.challengeMicroBlock(parsed, slice.work) }
        : { append };
    };
    const sent = { isBySnapshots: snapshots !== undefined };
    return this.#validator.run((slice) => this.#validate("microBlock", () => read(slice), sent));
  }

  submitTransactions(offers: PoolSubmission[]): Promise<SubmissionResult[]> {
    return this.#options.node.poolCalls.submitFromPeers(offers);
  }

  async votingRound(): Promise<VotingRound | undefined> {
    return this.#options.node.votingRound();
  }

  async applyEndorsements(endorsements: readonly VerifiedEndorsement[]): Promise<boolean[]> {
    const { node } = this.#options;
    return endorsements.map(({ endorsement, verifiedBy }) =>
      node.endorse({ endorsement: parseEndorsement(endorsement), verifiedBy }),
    );
  }

  async connected(peers: number): Promise<void> {
    const { node, count } = this.#options;
    count.peers = peers;
    await node.schedule();
  }

  get #chainId(): number {
    return this.#options.node.chain.view.settings.chainId;
  }

  #parseMicroBlock(payload: Uint8Array): MicroBlock {
    const { legacyMicroBlock, microBlock } = messageTable;
    const { parse } = isLegacyMicroBlock(payload) ? legacyMicroBlock : microBlock;
    return parse(payload, { chainId: this.#chainId, source: fromPeers });
  }

  /**
   * @param read parses the received item
   * @param sent `isBySnapshots`: the item came with snapshots; `atHand`: block to which an error applies
   */
  async #validate(
    offer: ReceivedKind,
    read: () => ParsedItem,
    sent: { readonly isBySnapshots: boolean; readonly atHand?: Block | undefined },
  ): Promise<ValidationResult> {
    const { node } = this.#options;
    let offered: ParsedItem | undefined;
    try {
      offered = read();
      if (!offered.append()) return { kind: "known" };
    } catch (error) {
      const { isBySnapshots } = sent;
      if (error instanceof PartlyApplied) await node.goOn();
      const violation = peerViolationOf(error, { kind: offer, isUnderstood: offered !== undefined, isBySnapshots });
      if (violation === undefined) throw error;
      const { reason, isInvalid, isLighter, isOfSnapshots, isChallengeable } = violation;
      const { atHand } = sent;
      const names = violation.isPermanentForId && atHand !== undefined && hasValidBlockSignature(atHand, this.#chainId);
      if (isChallengeable && offered?.challenge?.() === true) await node.goOn();
      return {
        ...({ kind: "refused", reason, isInvalid } as const),
        ...(atHand !== undefined && (names || isOfSnapshots) && { blockId: atHand.id }),
        ...(isLighter && { isLighter }),
        ...(isOfSnapshots && { isOfSnapshots }),
      };
    }
    // The verdict holds even if the following work changes the tip.
    const tip = node.chainTip();
    await node.goOn();
    return { kind: "applied", tip };
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
