/** Blocks and headers as stored once they are final. */

import { encodeBase58 } from "../../crypto/base58.ts";
import type { BlockId } from "../../protocol/blocks/block.ts";
import { jsonText } from "../../protocol/json.ts";
import type { FinalObject } from "../../read-model/final-objects.ts";
import type { IdentifiedJson } from "./block.ts";

/** Key of a final block. Its header is part of it, and is not stored separately. */
export function finalBlockName(key: { readonly id: BlockId } | { readonly height: number }): string {
  return "id" in key ? `block/id/${encodeBase58(key.id)}` : `block/height/${key.height}`;
}

export function finalBlock({ id, json }: IdentifiedJson): FinalObject {
  return { tag: id, text: jsonText(json) };
}
