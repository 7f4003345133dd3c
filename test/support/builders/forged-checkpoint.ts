/** Checkpoint with changed content and valid digests. */
import {
  encodeManifest,
  type Manifest,
  type PartEntry,
  parseManifest,
} from "../../../durable/chain-state/checkpoint/manifest.ts";
import { packPart, unpackPart } from "../../../durable/chain-state/checkpoint/packed-part.ts";
import { CheckpointReader, CheckpointWriter } from "../../../local/checkpoint/checkpoint-file.ts";
import type { JsonCell } from "../../../src/tables/schema/cell.ts";

export type Rows = JsonCell[][];

export interface Forging {
  /** Changes the rows of a table at their start in its part, or replaces them; undefined omits the part. */
  readonly rows?: Readonly<Record<string, (rows: Rows) => Rows | undefined>>;
  readonly manifest?: (manifest: Manifest) => Manifest;
}

/** @param from file with one part for each of its tables */
export async function forge(
  from: string,
  to: string,
  { rows = {}, manifest = (same) => same }: Forging,
): Promise<void> {
  const reader = await CheckpointReader.open(from);
  const writer = await CheckpointWriter.open(to);
  const known = parseManifest(reader.manifest);
  const entries: PartEntry[] = [];
  for (const [number, entry] of known.parts.entries()) {
    const text = await unpackPart(await reader.part(number, entry.table), entry, number);
    const parsed = JSON.parse(text) as Rows;
    const made = rows[entry.table]?.(parsed) ?? parsed;
    if (made.length === 0) continue;
    const { entry: forged, packed } = await packPart(entry.table, made.length, JSON.stringify(made));
    entries.push(forged);
    await writer.add(packed);
  }
  const { parts, tables, ...head } = manifest({ ...known, parts: entries });
  await writer.end(encodeManifest(head, tables, parts));
  await reader.close();
}
