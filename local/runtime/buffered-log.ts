/** What the runtime says, held back for as long as nobody knows whether a sentence will take its place. */
export class HeldLog {
  readonly #write: (text: string) => void;
  #held: string[] | undefined;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    if (this.#held === undefined) this.#write(text);
    else if (this.#held.length < MAX_HELD) this.#held.push(text);
  }

  /** Holds back what comes. */
  hold(): void {
    this.#held ??= [];
  }

  /** Forgets what was held, and goes on to hold. */
  drop(): void {
    this.#held = [];
  }

  /** Shows what was held, and from now on everything at once. */
  release(): void {
    for (const text of this.#held ?? []) this.#write(text);
    this.#held = undefined;
  }
}

/** What comes first says most. */
const MAX_HELD = 1_000;
