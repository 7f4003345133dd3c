/** Readers of recorded chains. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const fixtures = join(import.meta.dirname, "fixtures");
/** Conformance data next to the project. */
const shared = join(import.meta.dirname, "..", "..", "shared", "fixtures");

/** Records of a gzipped file in `test/fixtures`, one JSON text a line. */
export function recordedLines<Record>(path: string): Record[] {
  return recordedTexts(path).map((line) => JSON.parse(line) as Record);
}

/** Lines of a gzipped file in `test/fixtures`. */
export function recordedTexts(path: string): string[] {
  const text = gunzipSync(readFileSync(join(fixtures, path))).toString();
  return text.split("\n").filter((line) => line !== "");
}

/** Text of a file in `test/fixtures`. */
export function fixtureText(path: string): string {
  return readFileSync(join(fixtures, path), "utf8");
}

/** Bytes of a file in `../shared/fixtures`, or undefined where that folder is absent. */
export function sharedBytes(path: string): Buffer | undefined {
  const file = join(shared, path);
  return existsSync(file) ? readFileSync(file) : undefined;
}
