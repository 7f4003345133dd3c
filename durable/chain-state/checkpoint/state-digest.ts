import { carriedTables } from "./carried-tables.ts";
import { checkpointDigest, type Manifest } from "./manifest.ts";

/**
 * Digest of the state in a checkpoint, independent of the node: another node's checkpoint of the same block has the
 * same one, although its undo records, the forms of its tip and the order of its lists differ. The nodes must store the
 * same optional data (`store-state-hashes`).
 * @returns SHA-256, hex
 */
export function stateDigest({ parts, tables, finalizedHeight: _, ...head }: Manifest): string {
  const common = new Set(
    carriedTables
      .filter(({ inCheckpoint }) => inCheckpoint === "all" || inCheckpoint === "ofItsBlocks")
      .map(({ name }) => name),
  );
  return checkpointDigest(
    JSON.stringify({
      ...head,
      tables: tables.filter(({ name }) => common.has(name)),
      parts: parts.filter(({ table }) => common.has(table)),
    }),
  );
}
