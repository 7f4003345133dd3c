/** Part of a checkpoint as bytes: the text of its rows, compressed. */
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { CheckpointRefused, type PartEntry, textDigest } from "./manifest.ts";

/** @param text JSON array of `rowText` */
export async function packPart(
  table: string,
  rows: number,
  text: string,
): Promise<{ readonly entry: PartEntry; readonly packed: Uint8Array<ArrayBuffer> }> {
  const bytes = new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
  const packed = await transformed(bytes, new CompressionStream("deflate-raw"), Number.POSITIVE_INFINITY);
  return { entry: { table, rows, bytes: bytes.length, digest: textDigest(bytes) }, packed };
}

/**
 * Unpacks the text of a part's rows. It never holds more of it than the manifest allows.
 * @param number of the part, for error messages
 * @throws CheckpointRefused
 */
export async function unpackPart(packed: Uint8Array<ArrayBuffer>, entry: PartEntry, number: number): Promise<string> {
  const name = partName(number, entry);
  let bytes: Uint8Array;
  try {
    bytes = await transformed(packed, new DecompressionStream("deflate-raw"), entry.bytes);
  } catch (cause) {
    throw new CheckpointRefused(`${name} is damaged: it cannot be unpacked`, { cause });
  }
  const digest = textDigest(bytes);
  if (digest !== entry.digest)
    throw new CheckpointRefused(`${name} is damaged: its digest is ${digest}, not ${entry.digest}`);
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Name of a part in messages. @param number from 0 */
export function partName(number: number, { table }: Pick<PartEntry, "table">): string {
  return `part ${number + 1} of the checkpoint (table ${table})`;
}

async function transformed(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(through as ReadableWritablePair<Uint8Array, Uint8Array>);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`there are more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return concatBytes(...chunks);
}
