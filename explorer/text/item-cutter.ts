/** Cuts the text of a JSON array behind an item. What stands in strings is no mark, whatever it looks like. */
export class ItemCutter {
  readonly #maxItems: number;
  #text = "";
  #offset = 0;
  #depth = 0;
  #isInString = false;
  #items = 0;
  /** Just behind the last item that is wanted. */
  #end: number | undefined;

  constructor(maxItems: number) {
    this.#maxItems = maxItems;
  }

  /** Whether there are more items than are wanted. */
  get isFull(): boolean {
    return this.#end !== undefined;
  }

  add(part: string): void {
    this.#text += part;
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

  /** An array of the items that are wanted. */
  text(): string {
    return this.#end === undefined ? this.#text : `${this.#text.slice(0, this.#end)}]`;
  }
}
