/**
 * Blocks after our chain that are being downloaded: their order, requests and buffered bytes. A block is handed over
 * once all before it were.
 */
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { PeerMessage } from "../../../src/protocol/messages/message-table.ts";
import type { Peer } from "../peer.ts";
import type { CheckedBlock } from "./block-check.ts";
import type { SyncTarget } from "./score-observer.ts";
import type { SentSnapshots } from "./sent-snapshots.ts";

interface BlockSlot {
  readonly id: BlockId;
  /** Peer of the last request, until it has responded. */
  requestedFrom: Peer | undefined;
  /** Peers of all requests. */
  readonly requestedPeers: Set<Peer>;
  block: CheckedBlock | undefined;
  snapshots: SentSnapshots | undefined;
  /** Sender of the snapshots, known for as long as the extension exists. */
  snapshotsFrom: Peer | undefined;
}

/** Block with everything that the chain needs to apply it. */
export interface CompleteBlock extends CheckedBlock {
  /** Record of a snapshot file; undefined: the transactions are run. */
  readonly snapshots: Uint8Array | undefined;
}

/** Blocks that are handed over at once. */
export interface ExtensionChunk {
  /** Name of the blocks that the chain applies as one: a whole extension, or a stretch of a long one. */
  readonly name: string;
  readonly blocks: readonly CompleteBlock[];
  /** Whether it is the last chunk with this name. */
  readonly isLast: boolean;
}

/**
 * Size of the blocks that the chain applies as one when they replace others. On the tip each chunk is applied by
 * itself.
 */
const STRETCH_BYTES = 48 * 2 ** 20;

export class Extension {
  readonly #name: string;
  /** Origin of the extension, and the score of its chain. */
  readonly from: SyncTarget;
  /** In the order of the chain. */
  ids: readonly BlockId[];
  /** Possible parents of the first block. */
  readonly #known: readonly BlockId[];
  readonly #knownKeys: ReadonlySet<BytesKey>;
  readonly #slots: BlockSlot[];
  readonly #indexes: ReadonlyMap<BytesKey, number>;
  /** The newest of the known ids. */
  readonly #tip: BlockId | undefined;
  /** The blocks replace no others. */
  #isOnTip = false;
  #stretch = 1;
  /** Bytes of this stretch that were handed over. */
  #stretchBytes = 0;
  readonly #inFlight = new Map<Peer, number>();
  #handedOver = 0;
  #received = 0;
  #bufferedBytes = 0;

  /** The extension continues blocks of the same peer that the chain had not applied. */
  readonly isContinuation: boolean;

  constructor(options: {
    name: string;
    from: SyncTarget;
    ids: readonly BlockId[];
    known: readonly BlockId[];
    isContinuation?: boolean;
  }) {
    this.#name = options.name;
    this.isContinuation = options.isContinuation === true;
    this.#tip = options.known[0];
    this.from = options.from;
    this.ids = options.ids;
    this.#known = options.known;
    this.#knownKeys = new Set(options.known.map(bytesKey));
    const empty = { requestedFrom: undefined, block: undefined, snapshots: undefined, snapshotsFrom: undefined };
    this.#slots = options.ids.map((id) => ({ ...empty, id, requestedPeers: new Set() }));
    this.#indexes = new Map(options.ids.map((id, index) => [bytesKey(id), index]));
  }

  /** New extension: the same ids, without their blocks, and further ids after them. */
  longer(name: string, ids: readonly BlockId[]): Extension {
    return new Extension({ name, from: this.from, ids: [...this.ids, ...ids], known: this.#known });
  }

  /** Peer that is responsible for the blocks. */
  get origin(): Peer {
    return this.from.peer;
  }

  /** Bytes of the buffered blocks and their snapshots. */
  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  get inFlight(): number {
    let sum = 0;
    for (const count of this.#inFlight.values()) sum += count;
    return sum;
  }

  inFlightOf(peer: Peer): number {
    return this.#inFlight.get(peer) ?? 0;
  }

  /** Peers with open requests. */
  get requestedPeers(): Iterable<Peer> {
    return this.#inFlight.keys();
  }

  /** All blocks have arrived, or were handed over. */
  get isComplete(): boolean {
    return this.#received === this.ids.length;
  }

  /** Number of blocks that have arrived, with their snapshots if needed. */
  get received(): number {
    return this.#received;
  }

  /** All blocks were handed over. */
  get isHandedOver(): boolean {
    return this.#handedOver === this.ids.length;
  }

  get missing(): number {
    return this.ids.length - this.#received;
  }

  /**
   * First block without an open request for itself or its snapshots. `isUrgent`: it is the next one to be handed over.
   */
  findNext(): { readonly index: number; readonly isUrgent: boolean } | undefined {
    for (let index = this.#handedOver; index < this.#slots.length; index++) {
      const slot = this.#slots[index] as BlockSlot;
      if (!isWhole(slot) && slot.requestedFrom === undefined) return { index, isUrgent: index === this.#handedOver };
    }
    return undefined;
  }

  /** Notes the request. @returns request to the peer: for the block, or for its snapshots if the block has arrived */
  request(index: number, peer: Peer): PeerMessage {
    const slot = this.#slots[index] as BlockSlot;
    slot.requestedFrom = peer;
    slot.requestedPeers.add(peer);
    this.#count(peer, 1);
    return { kind: slot.block === undefined ? "getBlock" : "getBlockSnapshot", value: slot.id };
  }

  /** Closes the peer's requests. Blocks that it sends all the same are accepted. */
  giveUpOn(peer: Peer): void {
    for (const slot of this.#slots) if (slot.requestedFrom === peer) slot.requestedFrom = undefined;
    this.#inFlight.delete(peer);
  }

  /** Finds a block that was requested from the peer; undefined: it was not. */
  findSlot(id: BlockId, peer: Peer): { readonly index: number; readonly isHere: boolean } | undefined {
    const index = this.#indexes.get(bytesKey(id));
    const slot = index === undefined ? undefined : this.#slots[index];
    if (index === undefined || slot === undefined || !slot.requestedPeers.has(peer)) return undefined;
    return { index, isHere: index < this.#handedOver || slot.block !== undefined };
  }

  /** Finds a block that waits for snapshots, and their number; undefined: none were requested from the peer. */
  findSnapshotSlot(id: BlockId, peer: Peer): { readonly index: number; readonly awaits: number } | undefined {
    const index = this.#indexes.get(bytesKey(id));
    const slot = index === undefined ? undefined : this.#slots[index];
    if (index === undefined || slot === undefined || isWhole(slot) || !slot.requestedPeers.has(peer)) return undefined;
    const awaits = slot.block?.awaits;
    return awaits === undefined ? undefined : { index, awaits };
  }

  /** Sender of a block's snapshots, which the chain may have by now. */
  snapshotsFrom(id: Uint8Array): Peer | undefined {
    const index = this.#indexes.get(bytesKey(id));
    return index === undefined ? undefined : this.#slots[index]?.snapshotsFrom;
  }

  /** Whether a block at the index may refer to this parent. */
  follows(index: number, reference: BlockId): boolean {
    const before = this.#slots[index - 1];
    if (before !== undefined) return equalBytes(before.id, reference);
    this.#isOnTip = this.#tip !== undefined && equalBytes(this.#tip, reference);
    return this.#knownKeys.has(bytesKey(reference));
  }

  addBlock(index: number, block: CheckedBlock): void {
    const slot = this.#slots[index] as BlockSlot;
    this.#clearRequest(slot);
    slot.block = block;
    this.#bufferedBytes += block.record.length;
    if (isWhole(slot)) this.#received += 1;
  }

  /** Adds the snapshots of a block that has arrived. */
  addSnapshots(index: number, snapshots: SentSnapshots): void {
    const slot = this.#slots[index] as BlockSlot;
    this.#clearRequest(slot);
    slot.snapshots = snapshots;
    slot.snapshotsFrom = snapshots.from;
    this.#bufferedBytes += snapshots.record?.length ?? 0;
    this.#received += 1;
  }

  /**
   * Drops the buffered block that would be handed over last, if others are needed before it.
   * @returns whether there was one
   */
  dropFarthest(): boolean {
    for (let index = this.#slots.length - 1; index > this.#handedOver; index--) {
      const slot = this.#slots[index] as BlockSlot;
      if (slot.block === undefined) continue;
      this.#letGo(slot);
      return true;
    }
    return false;
  }

  /** Whether all blocks except the last one have arrived or were handed over. */
  get isLastMissing(): boolean {
    const last = this.#slots.at(-1);
    return this.missing === 1 && this.#handedOver < this.ids.length && last !== undefined && !isWhole(last);
  }

  /** Removes the last block, which has not arrived: it is not expected any more. */
  dropLast(): void {
    const slot = this.#slots.pop();
    if (slot === undefined) return;
    this.#letGo(slot);
    this.ids = this.ids.slice(0, -1);
  }

  /** Whether there is a block that the chain could apply by itself. */
  get hasChunkOnTip(): boolean {
    const next = this.#slots[this.#handedOver];
    return this.#isOnTip && next !== undefined && isWhole(next);
  }

  /**
   * Removes and returns the next blocks; undefined: they are too few, and there are more to come.
   * @param isDue fewer blocks are enough on the tip
   */
  takeChunk(partBytes: number, isDue: boolean): ExtensionChunk | undefined {
    let sizeBytes = 0;
    let end = this.#handedOver;
    for (
      let slot = this.#slots[end];
      slot !== undefined && isWhole(slot) && sizeBytes < partBytes;
      slot = this.#slots[++end]
    )
      sizeBytes += bufferedBytesOf(slot);
    const isEnough = sizeBytes >= partBytes || end === this.ids.length || (isDue && this.#isOnTip);
    if (end === this.#handedOver || !isEnough) return undefined;
    const blocks: CompleteBlock[] = [];
    for (const slot of this.#slots.slice(this.#handedOver, end)) {
      blocks.push({ ...(slot.block as CheckedBlock), snapshots: slot.snapshots?.record });
      slot.block = undefined;
      slot.snapshots = undefined;
    }
    this.#handedOver = end;
    this.#bufferedBytes -= sizeBytes;
    return { ...this.#stretchOf(sizeBytes), blocks };
  }

  /** Stretch of a chunk of that size, and whether the chunk is its last one. */
  #stretchOf(sizeBytes: number): Omit<ExtensionChunk, "blocks"> {
    const name = `${this.#name}.${this.#stretch}`;
    this.#stretchBytes += sizeBytes;
    const isLast = this.isHandedOver || this.#isOnTip || this.#stretchBytes >= STRETCH_BYTES;
    if (isLast) {
      this.#isOnTip = true;
      this.#stretch += 1;
      this.#stretchBytes = 0;
    }
    return { name, isLast };
  }

  /** Drops the buffered data of a block; an open request for the rest is closed. */
  #letGo(slot: BlockSlot): void {
    this.#clearRequest(slot);
    if (isWhole(slot)) this.#received -= 1;
    this.#bufferedBytes -= bufferedBytesOf(slot);
    slot.block = undefined;
    slot.snapshots = undefined;
  }

  #clearRequest(slot: BlockSlot): void {
    if (slot.requestedFrom !== undefined) this.#count(slot.requestedFrom, -1);
    slot.requestedFrom = undefined;
  }

  #count(peer: Peer, by: number): void {
    const count = this.inFlightOf(peer) + by;
    if (count > 0) this.#inFlight.set(peer, count);
    else this.#inFlight.delete(peer);
  }
}

/** Whether everything that the chain needs has arrived. */
function isWhole({ block, snapshots }: BlockSlot): boolean {
  return block !== undefined && (block.awaits === undefined || snapshots !== undefined);
}

function bufferedBytesOf({ block, snapshots }: BlockSlot): number {
  return (block?.record.length ?? 0) + (snapshots?.record?.length ?? 0);
}
