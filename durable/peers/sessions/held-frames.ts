/**
 * What all connections together hold of frames: those that have not come whole, and those that wait to be read. Where it is too
 * much, the oldest of them is given up with its connection: those of honest peers come soon.
 */

export interface FrameHolder {
  giveUp(): void;
}

export class HeldFrames {
  readonly #limitBytes: number;
  #sizeBytes = 0;
  /** By when their frame was begun, or had come whole. */
  readonly #held = new Map<FrameHolder, number>();

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * What a connection holds now.
   * @param isNew of another frame than before, or of one that has come whole
   */
  hold(by: FrameHolder, sizeBytes: number, isNew: boolean): void {
    this.#sizeBytes += sizeBytes - (this.#held.get(by) ?? 0);
    if (isNew || sizeBytes === 0) this.#held.delete(by);
    if (sizeBytes > 0) this.#held.set(by, sizeBytes);
    for (const [oldest] of this.#held) {
      if (this.#sizeBytes <= this.#limitBytes) break;
      oldest.giveUp();
    }
  }

  release(by: FrameHolder): void {
    this.hold(by, 0, true);
  }
}
