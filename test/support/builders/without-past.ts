/** Checkpoint without its past, of a chain so short that every checkpoint has all of it. */
import { carriedTables } from "../../../durable/chain-state/checkpoint/carried-tables.ts";
import type { Forging } from "./forged-checkpoint.ts";

/** Leaves out the blocks below the height. */
export function withoutPast(firstHeight: number): Forging {
  const ofBlocks = carriedTables.filter(
    ({ inCheckpoint }) => inCheckpoint === "ofItsBlocks" || inCheckpoint === "ofForkableBlocks",
  );
  const trimmed = ofBlocks.map(({ name, columns }) => {
    const columnIndex = [...columns.keys()].indexOf("height");
    return [name, (rows: JsonRows) => rows.filter((row) => (row[columnIndex] as number) >= firstHeight)] as const;
  });
  return { rows: Object.fromEntries(trimmed), manifest: (known) => ({ ...known, firstHeight }) };
}

type JsonRows = Parameters<NonNullable<Forging["rows"]>[string]>[0];
