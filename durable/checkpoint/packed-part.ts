/** A part of a checkpoint as bytes: the text of its rows, compressed. */
import { concatBytes } from "../../src/crypto/bytes.ts";
import { CheckpointRefused, type PartEntry, textDigest } from "./manifest.ts";

/** @param text JSON array of `rowText` */
export async function packPart(
  table: string,
  rows: number,
  text: string,
): Promise<{ readonly entry: PartEntry; readonly packed: Uint8Array<ArrayBuffer> }> {
  const bytes = new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
  const packed = await passed(bytes, new CompressionStream("deflate-raw"), Number.POSITIVE_INFINITY);
  return { entry: { table, rows, bytes: bytes.length, digest: textDigest(bytes) }, packed };
}

/**
 * The text of a part's rows. Never more of it is held than the manifest says that there is.
 * @param number of the part, for what is said of it
 * @throws CheckpointRefused
 */
export async function unpackPart(packed: Uint8Array<ArrayBuffer>, entry: PartEntry, number: number): Promise<string> {
  const name = partName(number, entry);
  let bytes: Uint8Array;
  try {
    bytes = await passed(packed, new DecompressionStream("deflate-raw"), entry.bytes);
  } catch (cause) {
    throw new CheckpointRefused(`${name} is damaged: it cannot be unpacked`, { cause });
  }
  const digest = textDigest(bytes);
  if (digest !== entry.digest)
    throw new CheckpointRefused(`${name} is damaged: its digest is ${digest}, and ${entry.digest} is expected`);
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** For people. @param number from 0 on */
export function partName(number: number, { table }: Pick<PartEntry, "table">): string {
  return `part ${number + 1} of the checkpoint (table ${table})`;
}

async function passed(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(through as ReadableWritablePair<Uint8Array, Uint8Array>);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.length;
    if (size > maxBytes) throw new Error(`there are more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return concatBytes(...pieces);
}
