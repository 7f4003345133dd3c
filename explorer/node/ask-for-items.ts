import { parseJson } from "../../src/protocol/parse-json.ts";
import { ItemCutter } from "../text/item-cutter.ts";
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
