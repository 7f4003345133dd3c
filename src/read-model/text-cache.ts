/** Texts in the memory of an isolate, bounded by their size; what was not asked for longest goes first. */
export class TextCache {
  readonly #limitBytes: number;
  /** In order of use, oldest first: a Map keeps the order of insertion. */
  readonly #texts = new Map<string, string>();
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  find(key: string): string | undefined {
    const text = this.#texts.get(key);
    if (text === undefined) return undefined;
    this.#texts.delete(key);
    this.#texts.set(key, text);
    return text;
  }

  /** A text that would fill more than an eighth of the cache is not kept. */
  keep(key: string, text: string): void {
    this.drop(key);
    const sizeBytes = sizeOf(key, text);
    if (sizeBytes > this.#limitBytes / 8) return;
    this.#texts.set(key, text);
    this.#sizeBytes += sizeBytes;
    for (const oldest of this.#texts.keys()) {
      if (this.#sizeBytes <= this.#limitBytes) return;
      this.drop(oldest);
    }
  }

  drop(key: string): void {
    const text = this.#texts.get(key);
    if (text === undefined) return;
    this.#texts.delete(key);
    this.#sizeBytes -= sizeOf(key, text);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }
}

/** At worst two bytes a character, and the entry itself. */
function sizeOf(key: string, text: string): number {
  return 2 * (key.length + text.length) + 100;
}
