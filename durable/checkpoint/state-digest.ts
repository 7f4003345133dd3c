import { carriedTables } from "./carried-tables.ts";
import { checkpointDigest, type Manifest } from "./manifest.ts";

/**
 * What stands for the state in a checkpoint, on whichever node: another one's checkpoint of the same block has the same, though its undo
 * records, the forms that its tip has had and the order of its lists are its own. Nodes must keep the same of what none needs (`store-state-hashes`).
 * @returns SHA-256, hex
 */
export function stateDigest({ parts, tables, finalizedHeight: _, ...head }: Manifest): string {
  const alike = new Set(
    carriedTables
      .filter(({ inCheckpoint }) => inCheckpoint === "all" || inCheckpoint === "ofItsBlocks")
      .map(({ name }) => name),
  );
  return checkpointDigest(
    JSON.stringify({
      ...head,
      tables: tables.filter(({ name }) => alike.has(name)),
      parts: parts.filter(({ table }) => alike.has(table)),
    }),
  );
}
