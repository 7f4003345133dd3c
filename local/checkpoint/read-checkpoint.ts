/** Sends a checkpoint to a node part by part, without the parts that the node already has. */
import { CheckpointRefused, checkpointDigest, parseManifest } from "../../durable/chain-state/checkpoint/manifest.ts";
import { stateDigest } from "../../durable/chain-state/checkpoint/state-digest.ts";
import { UsageError } from "../cli/usage-error.ts";
import type { CheckpointCalls } from "./checkpoint-calls.ts";
import { CheckpointReader } from "./checkpoint-file.ts";

/** Chunk of a manifest or a part in one request: requests have a megabyte at most, and base64 adds a third. */
const CHUNK_BYTES = 600_000;

export interface ReadResult {
  readonly height: number;
  /** Height of the first block included. */
  readonly firstHeight: number;
  readonly digest: string;
  /** See `stateDigest`. */
  readonly state: string;
  /** True if the node had begun with this checkpoint before. */
  readonly isKnown: boolean;
}

export interface ReadingProgress {
  /** Parts that the node has; `parts` is their total. */
  readonly done: number;
  readonly parts: number;
  /** Parts sent in this run. */
  readonly sent: number;
  readonly elapsedMs: number;
  /** Progress of the verification, after all parts. */
  readonly verification?: string;
}

/**
 * Sends the file to the node.
 * @param expectedDigest hex; undefined: any checkpoint
 * @throws UsageError the file is invalid, or the node refuses it; the message says why
 */
export async function readCheckpoint(
  call: CheckpointCalls,
  file: string,
  expectedDigest: string | undefined,
  report: (progress: ReadingProgress) => void,
): Promise<ReadResult> {
  try {
    return await readInto(call, file, expectedDigest, report);
  } catch (error) {
    if (error instanceof CheckpointRefused) throw new UsageError(`${file}: ${error.message}.`);
    throw error;
  }
}

async function readInto(
  call: CheckpointCalls,
  file: string,
  expectedDigest: string | undefined,
  report: (progress: ReadingProgress) => void,
): Promise<ReadResult> {
  const startedMs = performance.now();
  const reader = await CheckpointReader.open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    throw new CheckpointRefused(error.code === "ENOENT" ? "there is no such file" : error.message);
  });
  try {
    const manifest = parseManifest(reader.manifest);
    const { parts, height, firstHeight } = manifest;
    const state = stateDigest(manifest);
    const digest = checkpointDigest(reader.manifest);
    const summary = { height, firstHeight, digest, state };
    if (expectedDigest !== undefined && digest !== expectedDigest)
      throw new CheckpointRefused(`the checkpoint has the digest ${digest}, and ${expectedDigest} was expected`);
    if (parts.length !== reader.parts) throw new CheckpointRefused("the checkpoint lacks parts of its manifest");
    if ((await call({ call: "standing" })).begunFrom === digest) return { ...summary, isKnown: true };
    let missing: readonly number[] = [];
    for (const { chunk, isLast } of chunksOf(reader.manifest))
      missing = (await call({ call: "begin", manifest: chunk, isLast })).loading?.missing ?? [];
    const elapsed = () => performance.now() - startedMs;
    let sent = 0;
    const done = () => parts.length - missing.length + sent;
    for (const number of missing) {
      const packed = await reader.part(number, parts[number]?.table ?? "");
      for (const { chunk, isLast } of chunksOf(packed))
        await call({ call: "add", number, packed: Buffer.from(chunk).toString("base64"), isLast });
      sent += 1;
      report({ done: done(), parts: parts.length, sent, elapsedMs: elapsed() });
    }
    for (;;) {
      const { progress: verification } = await call({ call: "goOn" });
      if (verification === undefined) return { ...summary, isKnown: false };
      report({ done: done(), parts: parts.length, sent, elapsedMs: elapsed(), verification });
    }
  } finally {
    await reader.close();
  }
}

function* chunksOf<Whole extends string | Uint8Array>(
  whole: Whole,
): Iterable<{ readonly chunk: Whole; readonly isLast: boolean }> {
  for (let from = 0; from === 0 || from < whole.length; from += CHUNK_BYTES)
    yield { chunk: whole.slice(from, from + CHUNK_BYTES) as Whole, isLast: from + CHUNK_BYTES >= whole.length };
}
