import { parseJson } from "../../src/protocol/parse-json.ts";
import { send } from "./ask.ts";

export interface FirstItems<Item> {
  readonly items: readonly Item[];
  /** Whether there is nothing behind them. */
  readonly isWhole: boolean;
}

/**
 * The first items of a list that may be too long to be read: the rest of the answer is not waited for.
 * @param path whose answer is an array
 * @throws NodeError
 */
export async function askForItems<Item>(
  path: string,
  maxItems: number,
  signal: AbortSignal,
): Promise<FirstItems<Item>> {
  const response = await send(path, { signal });
  const cutter = new ItemCutter(maxItems);
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    cutter.add(decoder.decode(part.value, { stream: true }));
    if (!cutter.isFull) continue;
    await reader?.cancel();
    break;
  }
  return { items: parseJson(cutter.text()) as unknown as readonly Item[], isWhole: !cutter.isFull };
}

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
