/**
 * Responses to peers' requests: ids, blocks, micro-blocks and state snapshots. The requests of a peer are handled one
 * after the other, the chain gets a few at a time, and a request for missing data gets no response.
 * @source Waves: network/HistoryReplierL1.scala
 */

import type { Signature } from "../../../src/crypto/identities.ts";
import type { SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import { peerHubBytes } from "../../../src/platform/memory-budget.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import { encodeFrame } from "../../../src/protocol/messages/frame.ts";
import { frameOf, type MessageContext, type PeerMessage } from "../../../src/protocol/messages/message-table.ts";
import type { ChainForPeers } from "../../../src/rpc/chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import type { ErrorLog } from "../error-log.ts";
import type { Peer } from "../peer.ts";
import { FrameCache } from "./frame-cache.ts";
import { blockFrame, microBlockFrame, payloadFrame } from "./frames-of-bytes.ts";
import type { MicroBlockCache } from "./micro-block-cache.ts";
import { Semaphore } from "./semaphore.ts";
import { ServedBytes } from "./served-bytes.ts";

/**
 * Maximum of ids in the waiting requests of one peer. A light node requests a hundred blocks and their state snapshots
 * at once. Beyond it the peer is not read until some requests are done.
 */
const MOST_WAITING = 256;
const AT_ONCE = 4;
/** Delay after an unreachable chain, and between two looks at a host over its budget. */
const RETRY_MS = 1_000;
const SIGNATURE_BYTES = 64;

const requestKinds = [
  "getBlockIds",
  "getSignatures",
  "getBlock",
  "getMicroBlock",
  "getBlockSnapshot",
  "getMicroBlockSnapshot",
] as const;
const kinds: ReadonlySet<string> = new Set(requestKinds);

export type HistoryRequest = Extract<PeerMessage, { readonly kind: (typeof requestKinds)[number] }>;

export interface HistoryReplierOptions {
  readonly errorLog: ErrorLog;
  readonly settings: Pick<SynchronizationSettings, "maxRollback" | "historyReplier">;
  readonly chain: ChainForPeers;
  readonly microBlockCache: MicroBlockCache;
  readonly messages: MessageContext;
  readonly timers: Timers;
}

/** Requests of one peer. */
interface Waiting {
  readonly requests: HistoryRequest[];
  /** Number of ids in the requests. */
  ids: number;
  /** Continues reading from the peer. */
  readonly resume: (() => void)[];
}

export class HistoryReplier {
  readonly #options: HistoryReplierOptions;
  readonly #waiting = new Map<Peer, Waiting>();
  readonly #semaphore = new Semaphore(AT_ONCE);
  readonly #served: ServedBytes;
  readonly #blocks: FrameCache;
  readonly #snapshots: FrameCache;
  readonly #microSnapshots: FrameCache;

  constructor(options: HistoryReplierOptions) {
    this.#options = options;
    this.#served = new ServedBytes(() => options.timers.nowMs());
    const { maxBlockCacheSize, maxMicroBlockCacheSize } = options.settings.historyReplier;
    this.#blocks = new FrameCache({ maxCount: maxBlockCacheSize, maxBytes: peerHubBytes.cachedBlocks });
    this.#snapshots = new FrameCache({ maxCount: maxBlockCacheSize, maxBytes: peerHubBytes.cachedSnapshots });
    this.#microSnapshots = new FrameCache({
      maxCount: maxMicroBlockCacheSize,
      maxBytes: peerHubBytes.cachedMicroSnapshots,
    });
  }

  get cachedBlocks(): number {
    return this.#blocks.size;
  }

  /** @returns undefined, or a promise after which to read the peer's next message */
  received(peer: Peer, request: HistoryRequest): Promise<void> | undefined {
    let waiting = this.#waiting.get(peer);
    if (waiting === undefined) {
      waiting = { requests: [request], ids: idsIn(request), resume: [] };
      this.#waiting.set(peer, waiting);
      void this.#respondAll(peer, waiting);
    } else {
      waiting.requests.push(request);
      waiting.ids += idsIn(request);
    }
    const { ids, resume } = waiting;
    return ids < MOST_WAITING ? undefined : new Promise((resolve) => resume.push(resolve));
  }

  closed(peer: Peer): void {
    const waiting = this.#waiting.get(peer);
    this.#waiting.delete(peer);
    waiting?.requests.splice(0);
    for (const resume of waiting?.resume.splice(0) ?? []) resume();
  }

  async #respondAll(peer: Peer, waiting: Waiting): Promise<void> {
    const { requests, resume } = waiting;
    for (let request = requests.shift(); request !== undefined; request = requests.shift()) {
      waiting.ids -= idsIn(request);
      if (waiting.ids < MOST_WAITING) for (const read of resume.splice(0)) read();
      await peer.drained();
      while (this.#served.isOver(peer) && this.#waiting.get(peer) === waiting) await this.#pause();
      if (this.#waiting.get(peer) !== waiting) return;
      const frame = await this.#findResponse(request, true);
      this.#served.count(peer, idsIn(request), frame?.length ?? 0);
      if (frame !== undefined) peer.sendFrame(frame);
    }
    if (this.#waiting.get(peer) === waiting) this.#waiting.delete(peer);
  }

  /**
   * Never rejects.
   * @param mayFail retry once after an error: the reference blacklists a peer that does not respond
   */
  async #findResponse(request: HistoryRequest, mayFail: boolean): Promise<Uint8Array | undefined> {
    try {
      return await this.#response(request);
    } catch (error) {
      this.#options.errorLog.add(`a peer's request ${request.kind} got no response`, error);
    }
    if (!mayFail) return undefined;
    await this.#pause();
    return this.#findResponse(request, false);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#options.timers.after(RETRY_MS, resolve));
  }

  async #response(request: HistoryRequest): Promise<Uint8Array | undefined> {
    const { chain, microBlockCache } = this.#options;
    switch (request.kind) {
      case "getBlockIds":
        return this.#encode({ kind: "blockIds", value: await this.#idsAfter(request.value) });
      case "getSignatures":
        return this.#encode({ kind: "signatures", value: leadingSignatures(await this.#idsAfter(request.value)) });
      case "getBlock":
        return this.#fetchFrame(this.#blocks, request.value, () => chain.findBlock(request.value), blockFrame);
      case "getMicroBlock": {
        const payload = microBlockCache.find(request.value);
        return payload && microBlockFrame(payload);
      }
      case "getBlockSnapshot":
        return this.#fetchFrame(
          this.#snapshots,
          request.value,
          () => chain.findBlockSnapshot(request.value),
          (payload) => payloadFrame("blockSnapshot", payload),
        );
      case "getMicroBlockSnapshot":
        return this.#fetchFrame(
          this.#microSnapshots,
          request.value,
          () => chain.findMicroBlockSnapshot(request.value),
          (payload) => payloadFrame("microBlockSnapshot", payload),
        );
    }
  }

  #fetchFrame(
    cache: FrameCache,
    id: Uint8Array,
    find: () => Promise<Uint8Array | undefined>,
    frameFor: (payload: Uint8Array) => Uint8Array,
  ): Promise<Uint8Array | undefined> {
    return cache.get(id, async () => {
      const payload = await this.#semaphore.run(find);
      return payload && frameFor(payload);
    });
  }

  async #idsAfter(ids: readonly Uint8Array[]): Promise<BlockId[]> {
    const { chain, settings } = this.#options;
    return (await this.#semaphore.run(() => chain.blockIdsAfter(ids, settings.maxRollback))) as BlockId[];
  }

  #encode(message: PeerMessage): Uint8Array {
    return encodeFrame(frameOf(message, this.#options.messages));
  }
}

/** Whether the history replier handles the message. */
export function isHistoryRequest(message: PeerMessage): message is HistoryRequest {
  return kinds.has(message.kind);
}

/** Number of ids in a request; a request without ids counts as one. */
function idsIn({ kind, value }: HistoryRequest): number {
  return kind === "getBlockIds" || kind === "getSignatures" ? Math.max(1, value.length) : 1;
}

/** Ids that an older peer can read: those before the first one that is no signature. */
function leadingSignatures(ids: readonly BlockId[]): Signature[] {
  const end = ids.findIndex(({ length }) => length !== SIGNATURE_BYTES);
  return (end === -1 ? ids : ids.slice(0, end)) as readonly Uint8Array[] as Signature[];
}
