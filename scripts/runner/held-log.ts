/** What the runtime says while it starts: shown when the start succeeds or nobody knows why it failed. */
export class HeldLog {
  readonly #write: (text: string) => void;
  #held: string[] | undefined = [];

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    if (this.#held === undefined) this.#write(text);
    else this.#held.push(text);
  }

  /** Shows what was held, and from now on everything at once. */
  release(): void {
    for (const text of this.#held ?? []) this.#write(text);
    this.#held = undefined;
  }
}
