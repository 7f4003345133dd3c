/**
 * Breaks between messages, of all peers together: what has come already is read without waiting for anything, so that a flood of small
 * messages would keep everything else that this process does from its turn.
 */
import type { Timers } from "../connection.ts";

/** Between two breaks: messages, and pieces of them, each of which counts once more for as many bytes. */
const MESSAGES = 32;
const BYTES = 16 * 1024;

export class Breaks {
  readonly #timers: Timers;
  #left = MESSAGES;
  #next: Promise<void> | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Before something that has come is read or judged. Resolves at once, or once all others had their turn. */
  async before(sizeBytes: number): Promise<void> {
    if (this.#left <= 0) {
      this.#next ??= new Promise<void>((resolve) => this.#timers.after(0, resolve)).then(() => {
        this.#left = MESSAGES;
        this.#next = undefined;
      });
      await this.#next;
    }
    this.#left -= 1 + Math.floor(sizeBytes / BYTES);
  }
}
