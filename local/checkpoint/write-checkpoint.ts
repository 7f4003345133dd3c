/** Fetches a checkpoint from a node part by part, and writes it to a file. */
import {
  type CheckpointHead,
  checkpointDigest,
  encodeManifest,
  type PartEntry,
  parseManifest,
} from "../../durable/chain-state/checkpoint/manifest.ts";
import { stateDigest } from "../../durable/chain-state/checkpoint/state-digest.ts";
import type { CheckpointPast, CheckpointPosition } from "../../src/env.ts";
import type { CheckpointCalls } from "./checkpoint-calls.ts";
import { CheckpointWriter } from "./checkpoint-file.ts";

export interface WriteResult {
  readonly height: number;
  /** Height of the first block included. */
  readonly firstHeight: number;
  readonly rows: number;
  readonly sizeBytes: number;
  readonly digest: string;
  /** See `stateDigest`. */
  readonly state: string;
}

export interface WritingProgress extends Omit<WriteResult, "digest" | "state" | "firstHeight"> {
  /** Tables written completely; `tables` is their total. */
  readonly tablesDone: number;
  readonly tables: number;
  readonly elapsedMs: number;
}

/**
 * Writes a checkpoint. The chain is paused meanwhile, and resumes even after an error.
 * @throws UsageError the node refuses
 */
export async function writeCheckpoint(
  call: CheckpointCalls,
  file: string,
  past: CheckpointPast,
  report: (progress: WritingProgress) => void,
): Promise<WriteResult> {
  const startedMs = performance.now();
  const { head: headText = "", tables = [] } = await call({ call: "beginExport", past });
  const writer = await CheckpointWriter.open(file);
  try {
    const head = JSON.parse(headText) as CheckpointHead;
    const parts: PartEntry[] = [];
    let rows = 0;
    for (let position: CheckpointPosition | undefined = { table: 0 }; position !== undefined; ) {
      const { part, next } = await call({ call: "exportPart", place: position });
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
      position = next;
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
