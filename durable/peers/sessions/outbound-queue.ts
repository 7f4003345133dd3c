/**
 * Frames that wait for a connection, in their order. News of the network may be left out where a peer reads slowly: it learns of
 * them from others, and the last score it gets later. Answers and requests may not, so a peer that lets too many of them wait is given up.
 */
import { messageTable } from "../../../src/protocol/messages/message-table.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { SharedBytes } from "./shared-bytes.ts";

export const outboundLimits = {
  /** News are left out while so much waits. */
  newsBytes: 256 * 1024,
  /** A peer is given up where so much waits, save for one frame alone, which may be larger. */
  bytes: 4 * 1024 * 1024,
  frames: 1_000,
  /** `drained` waits for less than this. */
  drainedBytes: 64 * 1024,
} as const;

export interface OutboundQueueFacts {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly timers: Timers;
  /** Within which a frame has to be taken. */
  readonly writeTimeoutMs: number;
  /** What waits of all connections together. */
  readonly shared: SharedBytes;
  /** Nothing can be sent any more. @param reason why, a sentence */
  readonly failed: (reason: string) => void;
}

const newsCodes: ReadonlySet<number | undefined> = new Set(
  [messageTable.score, messageTable.legacyTransaction, messageTable.microBlockInv, messageTable.transaction].map(
    ({ code }) => code,
  ),
);
/** Behind the length and the magic number. */
const CODE_OFFSET = 8;

export class OutboundQueue {
  readonly #facts: OutboundQueueFacts;
  readonly #frames: Uint8Array[] = [];
  #waitingBytes = 0;
  #isWriting = false;
  #isClosed = false;
  #cancelTimeout: Cancel | undefined;
  readonly #drained = new Set<() => void>();
  /** The last one that was left out: it is sent when little waits, as no other may follow for a while. */
  #lateScore: Uint8Array | undefined;

  constructor(facts: OutboundQueueFacts) {
    this.#facts = facts;
  }

  /** What is not taken by the connection, the frame that is being written included. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  put(frame: Uint8Array): void {
    if (this.#isClosed) return;
    const code = frame[CODE_OFFSET];
    if (newsCodes.has(code) && this.#waitingBytes > outboundLimits.newsBytes) {
      if (code === messageTable.score.code) this.#lateScore = frame;
      return;
    }
    if (code === messageTable.score.code) this.#lateScore = undefined;
    const isTooMuch =
      this.#waitingBytes + frame.length > outboundLimits.bytes || this.#frames.length >= outboundLimits.frames;
    if (this.#frames.length > 0 && isTooMuch) {
      this.#facts.failed("it reads too slowly for what it is sent");
      return;
    }
    this.#frames.push(frame);
    this.#waitingBytes += frame.length;
    this.#facts.shared.add(frame, this);
    if (!this.#isWriting) void this.#write();
  }

  /** Resolves when little waits, or nothing is sent any more. */
  drained(): Promise<void> {
    if (this.#isDrained) return Promise.resolve();
    return new Promise((resolve) => this.#drained.add(resolve));
  }

  /** For the sum over all connections: it has more than its share. */
  giveUp(): void {
    this.#facts.failed("all peers together read too slowly, and it is the slowest");
  }

  /** What waits is dropped. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelTimeout?.();
    for (const frame of this.#frames) this.#facts.shared.remove(frame, this);
    this.#frames.length = 0;
    this.#lateScore = undefined;
    this.#waitingBytes = 0;
    this.#tellDrained();
  }

  get #isDrained(): boolean {
    return this.#isClosed || this.#waitingBytes < outboundLimits.drainedBytes;
  }

  #tellDrained(): void {
    for (const resolve of this.#drained) resolve();
    this.#drained.clear();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    const { write, timers, writeTimeoutMs, shared, failed } = this.#facts;
    try {
      for (let frame = this.#frames[0]; frame !== undefined; frame = this.#frames[0]) {
        this.#cancelTimeout = timers.after(writeTimeoutMs, () => failed("it has taken nothing for too long"));
        await write(frame);
        this.#cancelTimeout();
        if (this.#isClosed) return;
        this.#frames.shift();
        this.#waitingBytes -= frame.length;
        shared.remove(frame, this);
        if (!this.#isDrained) continue;
        if (this.#lateScore !== undefined) this.put(this.#lateScore);
        this.#tellDrained();
      }
    } catch (error) {
      this.#cancelTimeout?.();
      if (!this.#isClosed) failed(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isWriting = false;
    }
  }
}
