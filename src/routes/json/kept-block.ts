/** Blocks and headers as they are kept once they are final. */

import { encodeBase58 } from "../../crypto/base58.ts";
import type { BlockId } from "../../protocol/blocks/block.ts";
import { jsonText } from "../../protocol/json.ts";
import type { FinalObject } from "../../read-model/final-objects.ts";
import type { IdentifiedJson } from "./block.ts";

/** Name under which a final block is kept. Its header is in it, and is not kept beside it. */
export function keptBlockName(key: { readonly id: BlockId } | { readonly height: number }): string {
  return "id" in key ? `block/id/${encodeBase58(key.id)}` : `block/height/${key.height}`;
}

export function keptBlock({ id, json }: IdentifiedJson): FinalObject {
  return { tag: id, text: jsonText(json) };
}
