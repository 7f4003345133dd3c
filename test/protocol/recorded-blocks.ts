/** Records of the block and snapshot files of recorded chains. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { BlockFileReader, type RecordSizes } from "../../src/protocol/blocks/block-file.ts";
import { sharedBytes } from "../recorded-lines.ts";

const fixtures = join(import.meta.dirname, "..", "fixtures");

/** A gzipped file in `test/fixtures`, unpacked. */
export function fixtureBytes(path: string): Uint8Array {
  return new Uint8Array(gunzipSync(readFileSync(join(fixtures, path))));
}

/** A file of the conformance data, which is not in the repository; undefined without it. */
export function findSharedBytes(path: string): Uint8Array | undefined {
  const bytes = sharedBytes(path);
  return bytes === undefined ? undefined : new Uint8Array(bytes);
}

/** The records of a block file, or of a snapshot file. */
export function recordsOf(file: Uint8Array, sizes?: RecordSizes): Uint8Array[] {
  const reader = new BlockFileReader(sizes);
  const records = reader.push(file).map(({ bytes }) => bytes);
  reader.end();
  return records;
}
