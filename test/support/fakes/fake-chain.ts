/** Chain that accepts any fitting block, without rules: all blocks have the same weight. */

import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { PoolSubmission, SubmissionResult } from "../../../src/env.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { BlockFileReader, snapshotRecordSizes } from "../../../src/protocol/blocks/block-file.ts";
import { encodeBlock, parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { parseMicroBlock } from "../../../src/protocol/messages/micro-block.ts";
import { parseSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import type {
  ChainForPeers,
  ChainTip,
  ReceivedBlocks,
  Unfinished,
  ValidationResult,
  VerifiedEndorsement,
} from "../../../src/rpc/chain-for-peers.ts";
import type { VotingRound } from "../../../src/rules/finality/voting-round.ts";
import { chainId, firstTimestampMs, genesis } from "../builders/test-block.ts";

export const WEIGHT = 100n;

export class FakeChain implements ChainForPeers {
  blocks: Block[];
  /** Total id of the liquid block, if it has micro-blocks. */
  totalId: Uint8Array | undefined;
  readonly calls: string[] = [];
  readonly parts: { readonly name: string; readonly isLast: boolean; readonly sizeBytes: number }[] = [];
  readonly verified: string[] = [];
  /** Snapshots in each call: the texts of each block's. */
  readonly snapshots: (readonly (readonly string[])[] | undefined)[] = [];
  readonly submissions: PoolSubmission[][] = [];
  readonly microBlocks: Uint8Array[] = [];
  connectedPeers: number[] = [];
  /** Result for an extension, block or micro-block, which replaces the one that follows from the chain. */
  verdict:
    | ((
        what: "block" | "extension" | "microBlock",
        blocks: readonly Block[],
      ) => ValidationResult | Unfinished | undefined)
    | undefined;
  round: VotingRound | undefined;
  readonly endorsements: (readonly VerifiedEndorsement[])[] = [];
  /** Whether an endorsement is relayed; by default all are. */
  passesOn: (endorsement: VerifiedEndorsement) => boolean = () => true;
  results: ((submissions: PoolSubmission[]) => SubmissionResult[]) | undefined;
  /** Calls of the method return once its promise resolves. */
  readonly gates = new Map<keyof ChainForPeers, Promise<void>>();
  /** Methods whose calls fail. */
  readonly broken = new Set<keyof ChainForPeers>();
  #pending: { name: string; blocks: Block[] } = { name: "", blocks: [] };

  constructor(blocks: readonly Block[] = [genesis]) {
    this.blocks = [...blocks];
  }

  get tip(): Block {
    return this.blocks.at(-1) as Block;
  }

  get now(): ChainTip {
    const height = this.blocks.length;
    const tipTimestampMs = firstTimestampMs + height * 60_000;
    return { height, score: BigInt(height) * WEIGHT, tipId: this.totalId ?? this.tip.id, tipTimestampMs };
  }

  async chainTip(): Promise<ChainTip> {
    await this.#called("chainTip");
    return this.now;
  }

  async lastBlockIds(count: number): Promise<Uint8Array[]> {
    await this.#called("lastBlockIds");
    return this.blocks
      .map(({ id }) => id)
      .reverse()
      .slice(0, count);
  }

  async blockIdsAfter(ids: readonly Uint8Array[], count: number): Promise<Uint8Array[]> {
    await this.#called("blockIdsAfter");
    const first = ids.map((id) => this.#indexOf(id)).find((index) => index !== -1);
    return first === undefined ? [] : this.blocks.slice(first, first + count + 1).map(({ id }) => id);
  }

  async findBlock(id: Uint8Array): Promise<Uint8Array | undefined> {
    await this.#called("findBlock");
    const block = this.blocks[this.#indexOf(id)];
    return block && encodeBlock(block, chainId);
  }

  async findBlockSnapshot(id: Uint8Array): Promise<Uint8Array | undefined> {
    await this.#called("findBlockSnapshot");
    return this.#indexOf(id) === -1 ? undefined : id;
  }

  async findMicroBlockSnapshot(totalId: Uint8Array): Promise<Uint8Array | undefined> {
    await this.#called("findMicroBlockSnapshot");
    return this.totalId !== undefined && equalBytes(this.totalId, totalId) ? totalId : undefined;
  }

  async findHeaderError(head: Uint8Array): Promise<string | undefined> {
    await this.#called("findHeaderError");
    const { header } = parseBlock(head, chainId);
    return equalBytes(header.reference, this.now.tipId) ? undefined : "it does not fit";
  }

  async applyBlock({ blocks, verified, snapshots }: ReceivedBlocks): Promise<ValidationResult | Unfinished> {
    await this.#called("applyBlock");
    this.verified.push(verified);
    this.snapshots.push(snapshots && readSnapshots(snapshots));
    const [block] = readBlocks(blocks) as [Block];
    const verdict = this.verdict?.("block", [block]);
    if (verdict !== undefined) return verdict;
    if (this.#indexOf(block.id) !== -1) return { kind: "known" };
    if (!equalBytes(block.header.reference, this.now.tipId))
      return { kind: "refused", reason: "it does not fit", isInvalid: false };
    this.blocks.push(block);
    this.totalId = undefined;
    return { kind: "applied", tip: this.now };
  }

  async applyExtension({
    name,
    isLast,
    blocks,
    verified,
    snapshots,
  }: ReceivedBlocks & { readonly name: string; readonly isLast: boolean }): Promise<
    ValidationResult | "more" | Unfinished
  > {
    if (this.#pending.name !== name) this.#pending = { name, blocks: [] };
    const held = this.#pending.blocks;
    held.push(...readBlocks(blocks));
    this.parts.push({ name, isLast, sizeBytes: blocks.length + (snapshots?.length ?? 0) });
    this.verified.push(verified);
    this.snapshots.push(snapshots && readSnapshots(snapshots));
    await this.#called("applyExtension");
    if (!isLast) return "more";
    const verdict = this.verdict?.("extension", held);
    this.#pending = { name: "", blocks: [] };
    return verdict ?? this.#applyAll(held);
  }

  async applyMicroBlock(microBlock: Uint8Array, snapshots?: Uint8Array): Promise<ValidationResult> {
    await this.#called("applyMicroBlock");
    this.snapshots.push(snapshots && [parseSnapshotRecord(snapshots).map(textOf)]);
    const verdict = this.verdict?.("microBlock", []);
    if (verdict !== undefined && verdict !== "unfinished") return verdict;
    this.microBlocks.push(microBlock);
    const { reference, totalBlockId } = parseMicroBlock(microBlock, chainId);
    if (!equalBytes(reference, this.now.tipId)) return { kind: "refused", reason: "it does not fit", isInvalid: false };
    this.totalId = totalBlockId;
    return { kind: "applied", tip: this.now };
  }

  async submitTransactions(submissions: PoolSubmission[]): Promise<SubmissionResult[]> {
    this.submissions.push(submissions);
    await this.#called("submitTransactions");
    return this.results?.(submissions) ?? submissions.map(() => ({ accepted: true, isNew: true }));
  }

  async votingRound(): Promise<VotingRound | undefined> {
    await this.#called("votingRound");
    return this.round;
  }

  async applyEndorsements(endorsements: readonly VerifiedEndorsement[]): Promise<boolean[]> {
    this.endorsements.push(endorsements);
    await this.#called("applyEndorsements");
    return endorsements.map(this.passesOn);
  }

  async connected(peers: number): Promise<void> {
    this.connectedPeers.push(peers);
    await this.#called("connected");
  }

  /** Number of calls of a method. */
  count(method: keyof ChainForPeers): number {
    return this.calls.filter((call) => call === method).length;
  }

  #applyAll(blocks: readonly Block[]): ValidationResult {
    const fresh = blocks.filter(({ id }) => this.#indexOf(id) === -1);
    const [first] = fresh;
    if (first === undefined) return { kind: "known" };
    const common = this.#indexOf(first.header.reference);
    if (common === -1) return { kind: "refused", reason: "no common block", isInvalid: true };
    if (common + 1 + fresh.length <= this.blocks.length)
      return { kind: "refused", reason: "it weighs no more", isInvalid: false, isLighter: true };
    this.blocks = [...this.blocks.slice(0, common + 1), ...fresh];
    this.totalId = undefined;
    return { kind: "applied", tip: this.now };
  }

  #indexOf(id: Uint8Array): number {
    return this.blocks.findIndex((block) => equalBytes(block.id, id));
  }

  async #called(method: keyof ChainForPeers): Promise<void> {
    this.calls.push(method);
    await this.gates.get(method);
    if (this.broken.has(method)) throw new Error(`${method} was not to be reached`);
  }
}

function readBlocks(file: Uint8Array): Block[] {
  return new BlockFileReader().push(file).map(({ bytes }) => parseBlock(bytes, chainId));
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function readSnapshots(file: Uint8Array): string[][] {
  const records = new BlockFileReader(snapshotRecordSizes).push(file);
  return records.map(({ bytes }) => parseSnapshotRecord(bytes).map(textOf));
}
