/** Cuts the text of a JSON array after an item. Brackets and commas inside strings do not count. */
export class ItemCutter {
  readonly #maxItems: number;
  #text = "";
  #offset = 0;
  #depth = 0;
  #isInString = false;
  #items = 0;
  /** Offset after the last item to include. */
  #end: number | undefined;

  constructor(maxItems: number) {
    this.#maxItems = maxItems;
  }

  /** True when the array has more than `maxItems` items. */
  get isFull(): boolean {
    return this.#end !== undefined;
  }

  add(chunk: string): void {
    this.#text += chunk;
    for (; this.#offset < this.#text.length && !this.isFull; this.#offset++) {
      const mark = this.#text[this.#offset];
      if (this.#isInString) {
        if (mark === "\\") this.#offset++;
        else if (mark === '"') this.#isInString = false;
      } else if (mark === '"') this.#isInString = true;
      else if (mark === "[" || mark === "{") this.#depth++;
      else if (mark === "]" || mark === "}") this.#depth--;
      else if (mark === "," && this.#depth === 1 && ++this.#items === this.#maxItems) this.#end = this.#offset;
    }
  }

  /** JSON array of the included items. */
  text(): string {
    return this.#end === undefined ? this.#text : `${this.#text.slice(0, this.#end)}]`;
  }
}
