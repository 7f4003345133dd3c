/**
 * Frames that wait for a connection, in order. Gossip to a slow peer may be dropped: other peers send it too, and the
 * last score follows later. Responses and requests may not be dropped, so a peer with too many of them waiting is
 * disconnected.
 */
import { messageTable } from "../../../src/protocol/messages/message-table.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { SharedBytes } from "./shared-bytes.ts";

export const outboundLimits = {
  /** Gossip is dropped while more than this waits. */
  newsBytes: 256 * 1024,
  /** A peer is disconnected beyond this, except for a single frame, which may be larger. */
  bytes: 4 * 1024 * 1024,
  frames: 1_000,
  /** `drained` waits until there is less than this. */
  drainedBytes: 64 * 1024,
} as const;

export interface OutboundQueueOptions {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly timers: Timers;
  /** Maximum time to write a frame. */
  readonly writeTimeoutMs: number;
  /** Sum of the waiting bytes over all connections. */
  readonly shared: SharedBytes;
  /** Called when nothing can be sent any more. @param reason for the log */
  readonly failed: (reason: string) => void;
}

const gossipCodes: ReadonlySet<number | undefined> = new Set(
  [messageTable.score, messageTable.legacyTransaction, messageTable.microBlockInv, messageTable.transaction].map(
    ({ code }) => code,
  ),
);
/** Offset after the length and the magic number. */
const CODE_OFFSET = 8;

export class OutboundQueue {
  readonly #options: OutboundQueueOptions;
  readonly #frames: Uint8Array[] = [];
  #waitingBytes = 0;
  #isWriting = false;
  #isClosed = false;
  #cancelTimeout: Cancel | undefined;
  readonly #drained = new Set<() => void>();
  /** Last score that was dropped. It is sent when little waits, as no other may follow for a while. */
  #lateScore: Uint8Array | undefined;

  constructor(options: OutboundQueueOptions) {
    this.#options = options;
  }

  /** Bytes that the connection has not taken, including the frame that is being written. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  put(frame: Uint8Array): void {
    if (this.#isClosed) return;
    const code = frame[CODE_OFFSET];
    if (gossipCodes.has(code) && this.#waitingBytes > outboundLimits.newsBytes) {
      if (code === messageTable.score.code) this.#lateScore = frame;
      return;
    }
    if (code === messageTable.score.code) this.#lateScore = undefined;
    const isTooMuch =
      this.#waitingBytes + frame.length > outboundLimits.bytes || this.#frames.length >= outboundLimits.frames;
    if (this.#frames.length > 0 && isTooMuch) {
      this.#options.failed("the peer reads too slowly");
      return;
    }
    this.#frames.push(frame);
    this.#waitingBytes += frame.length;
    this.#options.shared.add(frame, this);
    if (!this.#isWriting) void this.#write();
  }

  /** Resolves when little waits, or the queue is closed. */
  drained(): Promise<void> {
    if (this.#isDrained) return Promise.resolve();
    return new Promise((resolve) => this.#drained.add(resolve));
  }

  /** Called by the sum over all connections: this peer has more than its share. */
  giveUp(): void {
    this.#options.failed("all peers together read too slowly, and this peer is the slowest");
  }

  /** Drops the waiting frames. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelTimeout?.();
    for (const frame of this.#frames) this.#options.shared.remove(frame, this);
    this.#frames.length = 0;
    this.#lateScore = undefined;
    this.#waitingBytes = 0;
    this.#notifyDrained();
  }

  get #isDrained(): boolean {
    return this.#isClosed || this.#waitingBytes < outboundLimits.drainedBytes;
  }

  #notifyDrained(): void {
    for (const resolve of this.#drained) resolve();
    this.#drained.clear();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    const { write, timers, writeTimeoutMs, shared, failed } = this.#options;
    try {
      for (let frame = this.#frames[0]; frame !== undefined; frame = this.#frames[0]) {
        this.#cancelTimeout = timers.after(writeTimeoutMs, () => failed("the write timed out"));
        await write(frame);
        this.#cancelTimeout();
        if (this.#isClosed) return;
        this.#frames.shift();
        this.#waitingBytes -= frame.length;
        shared.remove(frame, this);
        if (!this.#isDrained) continue;
        if (this.#lateScore !== undefined) this.put(this.#lateScore);
        this.#notifyDrained();
      }
    } catch (error) {
      this.#cancelTimeout?.();
      if (!this.#isClosed) failed(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isWriting = false;
    }
  }
}
