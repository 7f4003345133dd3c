/**
 * Budget for received frames of all connections: incomplete ones and those waiting to be read. Beyond the limit the
 * connection with the oldest frame is closed, since frames of honest peers complete soon.
 */

export interface FrameHolder {
  giveUp(): void;
}

export class FrameBudget {
  readonly #limitBytes: number;
  #sizeBytes = 0;
  /** Bytes by connection, in the order in which the frames were started or completed. */
  readonly #reserved = new Map<FrameHolder, number>();

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Sets the bytes that a connection holds.
   * @param isNew another frame than before, or one that is complete now
   */
  reserve(by: FrameHolder, sizeBytes: number, isNew: boolean): void {
    this.#sizeBytes += sizeBytes - (this.#reserved.get(by) ?? 0);
    if (isNew || sizeBytes === 0) this.#reserved.delete(by);
    if (sizeBytes > 0) this.#reserved.set(by, sizeBytes);
    for (const [oldest] of this.#reserved) {
      if (this.#sizeBytes <= this.#limitBytes) break;
      oldest.giveUp();
    }
  }

  release(by: FrameHolder): void {
    this.reserve(by, 0, true);
  }
}
