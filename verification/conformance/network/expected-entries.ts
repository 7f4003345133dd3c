/** Data entries that nodes should have. */
import { type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import type { NetworkNode } from "./network-node.ts";
import { readText } from "./read-chain.ts";

/** @param expected values by key @returns a message for each entry that a node has otherwise */
export async function entriesAgainst(
  nodes: readonly NetworkNode[],
  address: string,
  expected: ReadonlyMap<string, string>,
): Promise<string[]> {
  const found: string[] = [];
  for (const { name, url } of nodes)
    for (const [key, value] of expected) {
      const entry = parseJson(await readText(`${url}/addresses/data/${address}/${key}`)) as ParsedObject;
      if (String(entry["value"]) !== value) found.push(`${name} has ${key} as ${String(entry["value"])}, not ${value}`);
    }
  return found;
}
