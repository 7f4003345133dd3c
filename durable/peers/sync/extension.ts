/**
 * Blocks behind ours that are downloaded: in which order they stand, who was asked for which, and what of them is here. A block
 * is handed over once all before it were.
 */
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { PeerMessage } from "../../../src/protocol/messages/message-table.ts";
import type { Peer } from "../peer.ts";
import type { CheckedBlock } from "./block-check.ts";
import type { SyncWith } from "./score-observer.ts";
import type { SentSnapshots } from "./sent-snapshots.ts";

interface Place {
  readonly id: BlockId;
  /** Who was asked last, and has not answered. */
  askedOf: Peer | undefined;
  /** All who were asked. */
  readonly asked: Set<Peer>;
  block: CheckedBlock | undefined;
  snapshots: SentSnapshots | undefined;
  /** Who has sent them; known for as long as the extension is. */
  snapshotsFrom: Peer | undefined;
}

/** A block with all that the chain needs to apply it. */
export interface WholeBlock extends CheckedBlock {
  /** As in a snapshot file; undefined: its transactions are run. */
  readonly snapshots: Uint8Array | undefined;
}

/** What of an extension is handed over at once. */
export interface ExtensionPart {
  /** Of the blocks that the chain takes as one: all of an extension, or a stretch of a long one. */
  readonly name: string;
  readonly blocks: readonly WholeBlock[];
  /** Of those with the name. */
  readonly isLast: boolean;
}

/** So much the chain takes as one of blocks that take the place of others. On its tip each part stands for itself. */
const STRETCH_BYTES = 48 * 2 ** 20;

export class Extension {
  readonly #name: string;
  /** Who has named the blocks, and what its chain weighs. */
  readonly from: SyncWith;
  /** In their order. */
  ids: readonly BlockId[];
  /** Blocks that the first one may stand on. */
  readonly #known: readonly BlockId[];
  readonly #knownKeys: ReadonlySet<BytesKey>;
  readonly #places: Place[];
  readonly #indexes: ReadonlyMap<BytesKey, number>;
  /** The newest of these. */
  readonly #tip: BlockId | undefined;
  /** Nothing leaves the chain for these blocks. */
  #isOnTip = false;
  #stretch = 1;
  /** Bytes of this stretch that were taken. */
  #stretchBytes = 0;
  readonly #inFlight = new Map<Peer, number>();
  #taken = 0;
  #received = 0;
  #heldBytes = 0;

  /** It was named as what stands on blocks of the same peer that the chain had not taken. */
  readonly isBehind: boolean;

  constructor(facts: {
    name: string;
    from: SyncWith;
    ids: readonly BlockId[];
    known: readonly BlockId[];
    isBehind?: boolean;
  }) {
    this.#name = facts.name;
    this.isBehind = facts.isBehind === true;
    this.#tip = facts.known[0];
    this.from = facts.from;
    this.ids = facts.ids;
    this.#known = facts.known;
    this.#knownKeys = new Set(facts.known.map(bytesKey));
    const nothing = { askedOf: undefined, block: undefined, snapshots: undefined, snapshotsFrom: undefined };
    this.#places = facts.ids.map((id) => ({ ...nothing, id, asked: new Set() }));
    this.#indexes = new Map(facts.ids.map((id, index) => [bytesKey(id), index]));
  }

  /** The same blocks, none of which is here, and others behind them. */
  longer(name: string, ids: readonly BlockId[]): Extension {
    return new Extension({ name, from: this.from, ids: [...this.ids, ...ids], known: this.#known });
  }

  /** Who answers for the blocks. */
  get origin(): Peer {
    return this.from.peer;
  }

  /** Bytes of the blocks that are here, and of their snapshots. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  get inFlight(): number {
    let sum = 0;
    for (const count of this.#inFlight.values()) sum += count;
    return sum;
  }

  inFlightOf(peer: Peer): number {
    return this.#inFlight.get(peer) ?? 0;
  }

  /** Who was asked for something and has not sent it. */
  get asked(): Iterable<Peer> {
    return this.#inFlight.keys();
  }

  /** All blocks are here, or were handed over. */
  get isComplete(): boolean {
    return this.#received === this.ids.length;
  }

  /** How many blocks have come, with their snapshots where they need any. */
  get received(): number {
    return this.#received;
  }

  /** All blocks were handed over. */
  get isTaken(): boolean {
    return this.#taken === this.ids.length;
  }

  get missing(): number {
    return this.ids.length - this.#received;
  }

  /** The first block that nobody is asked for, or for whose snapshots nobody is. `isUrgent`: it is the next one to be handed over. */
  findNext(): { readonly index: number; readonly isUrgent: boolean } | undefined {
    for (let index = this.#taken; index < this.#places.length; index++) {
      const place = this.#places[index] as Place;
      if (!isWhole(place) && place.askedOf === undefined) return { index, isUrgent: index === this.#taken };
    }
    return undefined;
  }

  /** @returns the question that the peer is expected to answer from now on: for the block, or for its snapshots if it is here */
  ask(index: number, peer: Peer): PeerMessage {
    const place = this.#places[index] as Place;
    place.askedOf = peer;
    place.asked.add(peer);
    this.#count(peer, 1);
    return { kind: place.block === undefined ? "getBlock" : "getBlockSnapshot", value: place.id };
  }

  /** The peer is not expected to answer any more. What it sends all the same is taken. */
  giveUpOn(peer: Peer): void {
    for (const place of this.#places) if (place.askedOf === peer) place.askedOf = undefined;
    this.#inFlight.delete(peer);
  }

  /** Where the block stands; undefined: the peer was never asked for it. */
  placeOf(id: BlockId, peer: Peer): { readonly index: number; readonly isHere: boolean } | undefined {
    const index = this.#indexes.get(bytesKey(id));
    const place = index === undefined ? undefined : this.#places[index];
    if (index === undefined || place === undefined || !place.asked.has(peer)) return undefined;
    return { index, isHere: index < this.#taken || place.block !== undefined };
  }

  /** Where a block stands whose snapshots are awaited, and how many; undefined: the peer was asked for none. */
  snapshotPlaceOf(id: BlockId, peer: Peer): { readonly index: number; readonly awaits: number } | undefined {
    const index = this.#indexes.get(bytesKey(id));
    const place = index === undefined ? undefined : this.#places[index];
    if (index === undefined || place === undefined || isWhole(place) || !place.asked.has(peer)) return undefined;
    const awaits = place.block?.awaits;
    return awaits === undefined ? undefined : { index, awaits };
  }

  /** Who has sent the snapshots of a block, which the chain may have by now. */
  snapshotsFrom(id: Uint8Array): Peer | undefined {
    const index = this.#indexes.get(bytesKey(id));
    return index === undefined ? undefined : this.#places[index]?.snapshotsFrom;
  }

  /** Whether a block there may name this one as the block before it. */
  follows(index: number, reference: BlockId): boolean {
    const before = this.#places[index - 1];
    if (before !== undefined) return equalBytes(before.id, reference);
    this.#isOnTip = this.#tip !== undefined && equalBytes(this.#tip, reference);
    return this.#knownKeys.has(bytesKey(reference));
  }

  hold(index: number, block: CheckedBlock): void {
    const place = this.#places[index] as Place;
    this.#answered(place);
    place.block = block;
    this.#heldBytes += block.record.length;
    if (isWhole(place)) this.#received += 1;
  }

  /** Of a block that is here. */
  holdSnapshots(index: number, snapshots: SentSnapshots): void {
    const place = this.#places[index] as Place;
    this.#answered(place);
    place.snapshots = snapshots;
    place.snapshotsFrom = snapshots.from;
    this.#heldBytes += snapshots.record?.length ?? 0;
    this.#received += 1;
  }

  /** Lets go of the block that is handed over last, if others are needed before it. @returns whether there was one */
  dropFarthest(): boolean {
    for (let index = this.#places.length - 1; index > this.#taken; index--) {
      const place = this.#places[index] as Place;
      if (place.block === undefined) continue;
      this.#letGo(place);
      return true;
    }
    return false;
  }

  /** Whether all blocks are here, or were handed over, but the last one. */
  get isLastMissing(): boolean {
    const last = this.#places.at(-1);
    return this.missing === 1 && this.#taken < this.ids.length && last !== undefined && !isWhole(last);
  }

  /** Ends before its last block, which is not here: nobody is expected to send it any more. */
  dropLast(): void {
    const place = this.#places.pop();
    if (place === undefined) return;
    this.#letGo(place);
    this.ids = this.ids.slice(0, -1);
  }

  /** There is something that the chain could take by itself. */
  get hasPartOnTip(): boolean {
    const next = this.#places[this.#taken];
    return this.#isOnTip && next !== undefined && isWhole(next);
  }

  /**
   * So much as there is of the next blocks; undefined: that is less, and there is more to come.
   * @param isDue on the tip it may be less
   */
  takePart(partBytes: number, isDue: boolean): ExtensionPart | undefined {
    let sizeBytes = 0;
    let end = this.#taken;
    for (
      let place = this.#places[end];
      place !== undefined && isWhole(place) && sizeBytes < partBytes;
      place = this.#places[++end]
    )
      sizeBytes += heldBytesOf(place);
    const isEnough = sizeBytes >= partBytes || end === this.ids.length || (isDue && this.#isOnTip);
    if (end === this.#taken || !isEnough) return undefined;
    const blocks: WholeBlock[] = [];
    for (const place of this.#places.slice(this.#taken, end)) {
      blocks.push({ ...(place.block as CheckedBlock), snapshots: place.snapshots?.record });
      place.block = undefined;
      place.snapshots = undefined;
    }
    this.#taken = end;
    this.#heldBytes -= sizeBytes;
    return { ...this.#place(sizeBytes), blocks };
  }

  /** To which stretch a part of that size belongs, and whether it is the last of it. */
  #place(sizeBytes: number): Omit<ExtensionPart, "blocks"> {
    const name = `${this.#name}.${this.#stretch}`;
    this.#stretchBytes += sizeBytes;
    const isLast = this.isTaken || this.#isOnTip || this.#stretchBytes >= STRETCH_BYTES;
    if (isLast) {
      this.#isOnTip = true;
      this.#stretch += 1;
      this.#stretchBytes = 0;
    }
    return { name, isLast };
  }

  /** Of what is here of a block; whoever is asked for the rest of it is not expected to answer any more. */
  #letGo(place: Place): void {
    this.#answered(place);
    if (isWhole(place)) this.#received -= 1;
    this.#heldBytes -= heldBytesOf(place);
    place.block = undefined;
    place.snapshots = undefined;
  }

  #answered(place: Place): void {
    if (place.askedOf !== undefined) this.#count(place.askedOf, -1);
    place.askedOf = undefined;
  }

  #count(peer: Peer, by: number): void {
    const count = this.inFlightOf(peer) + by;
    if (count > 0) this.#inFlight.set(peer, count);
    else this.#inFlight.delete(peer);
  }
}

/** Whether all of it is here that the chain needs. */
function isWhole({ block, snapshots }: Place): boolean {
  return block !== undefined && (block.awaits === undefined || snapshots !== undefined);
}

function heldBytesOf({ block, snapshots }: Place): number {
  return (block?.record.length ?? 0) + (snapshots?.record?.length ?? 0);
}
