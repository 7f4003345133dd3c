/**
 * Messages that are read and judged at the same time: parsed they take several times their bytes, so that large ones wait for one
 * another, in the order in which they came.
 */

/** Smaller ones need not wait. */
const SMALL_BYTES = 16 * 1024;

interface WaitingMessage {
  readonly by: object;
  readonly sizeBytes: number;
  readonly start: (isItsTurn: boolean) => void;
}

export class MessagesInHand {
  readonly #limitBytes: number;
  #sizeBytes = 0;
  #waiting: WaitingMessage[] = [];

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Of those that are not small. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Runs it once there is room: for any one message, where no other is in hand.
   * @param by whose message it is
   * @returns undefined where they have left before its turn
   */
  async run<Result>(by: object, sizeBytes: number, judge: () => Promise<Result>): Promise<Result | undefined> {
    if (sizeBytes <= SMALL_BYTES) return await judge();
    if (this.#waiting.length > 0 || !this.#hasRoom(sizeBytes)) {
      const isItsTurn = await new Promise<boolean>((start) => this.#waiting.push({ by, sizeBytes, start }));
      if (!isItsTurn) return undefined;
    } else this.#sizeBytes += sizeBytes;
    try {
      return await judge();
    } finally {
      this.#sizeBytes -= sizeBytes;
      this.#startNext();
    }
  }

  /** What waits of theirs is not run any more. */
  leave(by: object): void {
    const [theirs, others]: [WaitingMessage[], WaitingMessage[]] = [[], []];
    for (const message of this.#waiting) (message.by === by ? theirs : others).push(message);
    if (theirs.length === 0) return;
    this.#waiting = others;
    for (const { start } of theirs) start(false);
    this.#startNext();
  }

  #hasRoom(sizeBytes: number): boolean {
    return this.#sizeBytes === 0 || this.#sizeBytes + sizeBytes <= this.#limitBytes;
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#hasRoom(next.sizeBytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#sizeBytes += next.sizeBytes;
      next.start(true);
    }
  }
}
