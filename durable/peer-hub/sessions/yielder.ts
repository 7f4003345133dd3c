/**
 * Yields to the event loop between messages of all peers. Bytes that have arrived already are read without waiting, so
 * a flood of small messages would block everything else in this process.
 */
import type { Timers } from "../connection.ts";

/** Budget between two yields: each message or chunk counts once, and once more per `BYTES` bytes. */
const MESSAGES = 32;
const BYTES = 16 * 1024;

export class Yielder {
  readonly #timers: Timers;
  #remaining = MESSAGES;
  #next: Promise<void> | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Called before a message is read or validated. Resolves at once, or after a turn of the event loop. */
  async yieldIfDue(sizeBytes: number): Promise<void> {
    if (this.#remaining <= 0) {
      this.#next ??= new Promise<void>((resolve) => this.#timers.after(0, resolve)).then(() => {
        this.#remaining = MESSAGES;
        this.#next = undefined;
      });
      await this.#next;
    }
    this.#remaining -= 1 + Math.floor(sizeBytes / BYTES);
  }
}
