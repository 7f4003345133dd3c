/**
 * What waits to be sent to all peers together: a frame that many peers get is there once. Where it is too much, those that have
 * waited longest without taking anything are given up.
 */

export interface Waiting {
  giveUp(): void;
}

export class SharedBytes {
  readonly #limitBytes: number;
  #sizeBytes = 0;
  readonly #holders = new Map<Uint8Array, number>();
  /** Frames of each, and nobody else; whoever has begun to wait first is first. */
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

  /** It was taken, or is dropped. */
  remove(frame: Uint8Array, by: Waiting): void {
    const holders = (this.#holders.get(frame) ?? 0) - 1;
    if (holders > 0) this.#holders.set(frame, holders);
    else {
      this.#holders.delete(frame);
      this.#sizeBytes -= frame.length;
    }
    const frames = (this.#waiting.get(by) ?? 0) - 1;
    // Whoever takes something goes to the end of the line.
    this.#waiting.delete(by);
    if (frames > 0) this.#waiting.set(by, frames);
  }
}
