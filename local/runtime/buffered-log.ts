/** Log output of the runtime, held back while it is open whether a message for the user replaces it. */
export class BufferedLog {
  readonly #write: (text: string) => void;
  #buffered: string[] | undefined;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    if (this.#buffered === undefined) this.#write(text);
    else if (this.#buffered.length < MAX_BUFFERED) this.#buffered.push(text);
  }

  /** Holds back the text that follows. */
  startBuffering(): void {
    this.#buffered ??= [];
  }

  /** Discards the text held so far, and continues to hold back. */
  drop(): void {
    this.#buffered = [];
  }

  /** Writes the text held so far, and later text at once. */
  release(): void {
    for (const text of this.#buffered ?? []) this.#write(text);
    this.#buffered = undefined;
  }
}

/** Texts held at most; the first ones tell most about a failure. */
const MAX_BUFFERED = 1_000;
