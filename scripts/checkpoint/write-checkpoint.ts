/** Fetches a checkpoint of a node part by part, and writes it into a file. */
import {
  type CheckpointHead,
  checkpointDigest,
  encodeManifest,
  type PartEntry,
  parseManifest,
} from "../../durable/checkpoint/manifest.ts";
import { stateDigest } from "../../durable/checkpoint/state-digest.ts";
import type { CheckpointPast, CheckpointPlace } from "../../src/env.ts";
import type { CheckpointCalls } from "./checkpoint-calls.ts";
import { CheckpointWriter } from "./checkpoint-file.ts";

export interface WrittenFacts {
  readonly height: number;
  /** Of the first block that it has. */
  readonly firstHeight: number;
  readonly rows: number;
  readonly sizeBytes: number;
  readonly digest: string;
  /** See `stateDigest`. */
  readonly state: string;
}

export interface WritingProgress extends Omit<WrittenFacts, "digest" | "state" | "firstHeight"> {
  /** Tables that are written whole, and how many there are. */
  readonly tablesDone: number;
  readonly tables: number;
  readonly elapsedMs: number;
}

/**
 * The chain stands still meanwhile, and goes on whatever becomes of it.
 * @throws UsageError the node refuses
 */
export async function writeCheckpoint(
  call: CheckpointCalls,
  file: string,
  past: CheckpointPast,
  report: (facts: WritingProgress) => void,
): Promise<WrittenFacts> {
  const startedMs = performance.now();
  const { head: headText = "", tables = [] } = await call({ call: "beginExport", past });
  const writer = await CheckpointWriter.open(file);
  try {
    const head = JSON.parse(headText) as CheckpointHead;
    const parts: PartEntry[] = [];
    let rows = 0;
    for (let place: CheckpointPlace | undefined = { table: 0 }; place !== undefined; ) {
      const { part, next } = await call({ call: "exportPart", place });
      if (part !== undefined) {
        const { packed, ...entry } = part;
        await writer.add(Buffer.from(packed, "base64"));
        parts.push(entry);
        rows += entry.rows;
      }
      const { sizeBytes } = writer;
      const tablesDone = next?.table ?? tables.length;
      const elapsedMs = performance.now() - startedMs;
      report({ height: head.height, rows, sizeBytes, tablesDone, tables: tables.length, elapsedMs });
      place = next;
    }
    const manifest = encodeManifest(
      head,
      tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
      parts,
    );
    await writer.end(manifest);
    const digests = { digest: checkpointDigest(manifest), state: stateDigest(parseManifest(manifest)) };
    const { height, firstHeight } = head;
    return { height, firstHeight, rows, sizeBytes: writer.sizeBytes, ...digests };
  } catch (error) {
    await writer.giveUp();
    throw error;
  } finally {
    await call({ call: "endExport" });
  }
}
