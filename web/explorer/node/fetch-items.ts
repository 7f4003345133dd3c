import { parseJson } from "../../../src/protocol/parse-json.ts";
import { ItemCutter } from "../text/item-cutter.ts";
import { send } from "./node-request.ts";

export interface FirstItems<Item> {
  readonly items: readonly Item[];
  /** True when the list has no further items. */
  readonly isWhole: boolean;
}

/**
 * The first items of a list that may be very long. The rest of the response is not read.
 * @param path its response is an array
 * @throws NodeError
 */
export async function fetchItems<Item>(path: string, maxItems: number, signal: AbortSignal): Promise<FirstItems<Item>> {
  const response = await send(path, { signal });
  const cutter = new ItemCutter(maxItems);
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (let chunk = await reader?.read(); chunk !== undefined && !chunk.done; chunk = await reader?.read()) {
    cutter.add(decoder.decode(chunk.value, { stream: true }));
    if (!cutter.isFull) continue;
    await reader?.cancel();
    break;
  }
  return { items: parseJson(cutter.text()) as unknown as readonly Item[], isWhole: !cutter.isFull };
}
