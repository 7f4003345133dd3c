/**
 * Bytes that wait to be sent to all peers: a frame to many peers counts once. Beyond the limit the peers that have
 * taken nothing for the longest time are disconnected.
 */

export interface Waiting {
  giveUp(): void;
}

export class SharedBytes {
  readonly #limitBytes: number;
  #sizeBytes = 0;
  readonly #holders = new Map<Uint8Array, number>();
  /** Number of waiting frames by peer; the one that has waited longest is first. */
  readonly #waiting = new Map<Waiting, number>();

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  add(frame: Uint8Array, by: Waiting): void {
    const holders = this.#holders.get(frame) ?? 0;
    this.#holders.set(frame, holders + 1);
    if (holders === 0) this.#sizeBytes += frame.length;
    this.#waiting.set(by, (this.#waiting.get(by) ?? 0) + 1);
    for (const [longest] of this.#waiting) {
      if (this.#sizeBytes <= this.#limitBytes) break;
      longest.giveUp();
    }
  }

  /** Removes a frame that was written or dropped. */
  remove(frame: Uint8Array, by: Waiting): void {
    const holders = (this.#holders.get(frame) ?? 0) - 1;
    if (holders > 0) this.#holders.set(frame, holders);
    else {
      this.#holders.delete(frame);
      this.#sizeBytes -= frame.length;
    }
    const frames = (this.#waiting.get(by) ?? 0) - 1;
    // A peer that takes a frame goes to the end of the line.
    this.#waiting.delete(by);
    if (frames > 0) this.#waiting.set(by, frames);
  }
}
