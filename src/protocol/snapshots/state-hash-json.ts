/** The older state hash as the REST API prints it. @source docs/protocol/rest-api.md 3.14 */
import { encodeBase58 } from "../../crypto/base58.ts";
import { encodeHex } from "../../crypto/hex.ts";
import type { JsonObject } from "../json.ts";
import { finalityStateHashSections, stateHashSections } from "./legacy-state-hash.ts";

const hashSize = 32;
const sectionNames = [...stateHashSections, ...finalityStateHashSections];

export interface PrintedStateHash {
  readonly total: Uint8Array;
  /** Hashes of the sections in their order, 32 bytes each. */
  readonly sections: Uint8Array;
  /** State hash of feature 22. */
  readonly snapshotHash: Uint8Array;
  readonly blockId: Uint8Array;
  readonly baseTarget: bigint;
  readonly height: number;
}

/** JSON without the version of the node, which comes last. */
export function stateHashJson({ total, sections, snapshotHash, blockId, ...rest }: PrintedStateHash): JsonObject {
  const hashes = sectionNames
    .slice(0, sections.length / hashSize)
    .map((name, index) => [`${name}Hash`, encodeHex(sections.subarray(index * hashSize, (index + 1) * hashSize))]);
  return {
    stateHash: encodeHex(total),
    ...Object.fromEntries(hashes),
    snapshotHash: encodeBase58(snapshotHash),
    blockId: encodeBase58(blockId),
    baseTarget: rest.baseTarget,
    height: rest.height,
  };
}
