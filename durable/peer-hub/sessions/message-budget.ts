/**
 * Limit of the messages that are parsed and validated at the same time. Parsed they take several times their bytes, so
 * large ones wait for one another, in order of arrival.
 */

/** Smaller messages need not wait. */
const SMALL_BYTES = 16 * 1024;

interface WaitingMessage {
  readonly by: object;
  readonly sizeBytes: number;
  readonly start: (isItsTurn: boolean) => void;
}

export class MessageBudget {
  readonly #limitBytes: number;
  #sizeBytes = 0;
  #waiting: WaitingMessage[] = [];

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Bytes of the messages in progress, without the small ones. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Runs `judge` once there is room. A message of any size has room while no other is in progress.
   * @param by sender of the message
   * @returns undefined if the sender was removed before its turn
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

  /** Cancels the sender's waiting messages. */
  cancel(by: object): void {
    const [ownMessages, others]: [WaitingMessage[], WaitingMessage[]] = [[], []];
    for (const message of this.#waiting) (message.by === by ? ownMessages : others).push(message);
    if (ownMessages.length === 0) return;
    this.#waiting = others;
    for (const { start } of ownMessages) start(false);
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
