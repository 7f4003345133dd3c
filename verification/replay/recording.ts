/** A recorded chain in a folder: blocks, state snapshots, state hashes. Files may be gzipped. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { UsageError } from "../../local/cli/usage-error.ts";
import { parseNetwork, parseSettingsJson } from "../../src/network/parse-network.ts";
import type { NetworkSettings } from "../../src/network/settings.ts";
import { BlockFileReader, blockRecordSizes, snapshotRecordSizes } from "../../src/protocol/blocks/block-file.ts";
import { parseSnapshotRecord } from "../../src/protocol/snapshots/snapshot-record.ts";

/** State hashes of the reference at a height. */
export interface RecordedStateHash {
  readonly height: number;
  readonly blockId: string;
  /** Base58; null when the header has none. */
  readonly headerStateHash: string | null;
  /** Response of `/debug/stateHash/{height}`, without the version. */
  readonly stateHash: Readonly<Record<string, string | number>>;
}

export interface RecordedBlock {
  /** Encoding as in a block file. */
  readonly bytes: Uint8Array;
  /** State snapshot of each transaction in wire form. */
  readonly snapshots: readonly Uint8Array[];
}

export interface Recording {
  readonly network: NetworkSettings;
  /** Blocks from height 2 on. */
  readonly blocks: readonly RecordedBlock[];
  readonly stateHashes: ReadonlyMap<number, RecordedStateHash>;
  /** Complexities of scripts by transaction id, from recorded responses; empty without `requests.jsonl`. */
  readonly spentComplexities: ReadonlyMap<string, number>;
}

/**
 * Reads `network.json`, `blocks.bin`, `snapshots.bin` and `state-hashes.jsonl` of the folder.
 * @throws UsageError a file is missing or does not match the others
 */
export function readRecording(folder: string): Recording {
  const network = parseNetwork(parseSettingsJson(readFile(folder, "network.json").toString()), path.basename(folder));
  const blocks = recordsOf(readFile(folder, "blocks.bin"), blockRecordSizes);
  const snapshots = recordsOf(readFile(folder, "snapshots.bin"), snapshotRecordSizes);
  if (blocks.length !== snapshots.length) {
    throw new UsageError(`${folder}: ${blocks.length} blocks, but change sets of ${snapshots.length}.`);
  }
  const stateHashes = readFile(folder, "state-hashes.jsonl")
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordedStateHash);
  return {
    network,
    blocks: blocks.map((bytes, index) => ({ bytes, snapshots: parseSnapshotRecord(snapshots[index] as Uint8Array) })),
    stateHashes: new Map(stateHashes.map((line) => [line.height, line])),
    spentComplexities: spentComplexities(folder),
  };
}

/** Reads the recorded responses of `/transactions/info/{id}`. */
function spentComplexities(folder: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  if (!hasFile(folder, "requests.jsonl")) return found;
  for (const line of readFile(folder, "requests.jsonl").toString().split("\n")) {
    if (!line.includes("spentComplexity")) continue;
    const {
      path: address,
      status,
      response,
    } = JSON.parse(line) as Record<"path" | "response", string> & {
      readonly status: number;
    };
    if (status !== 200 || !address.startsWith("/transactions/info/")) continue;
    const { id, spentComplexity } = JSON.parse(response) as { readonly id: string; readonly spentComplexity: number };
    found.set(id, spentComplexity);
  }
  return found;
}

function hasFile(folder: string, name: string): boolean {
  return existsSync(path.join(folder, name)) || existsSync(path.join(folder, `${name}.gz`));
}

function readFile(folder: string, name: string): Buffer {
  const file = path.join(folder, name);
  if (existsSync(file)) return readFileSync(file);
  if (existsSync(`${file}.gz`)) return gunzipSync(readFileSync(`${file}.gz`));
  throw new UsageError(`${folder}: there is no ${name}.`);
}

function recordsOf(file: Uint8Array, sizes: typeof blockRecordSizes): Uint8Array[] {
  const reader = new BlockFileReader(sizes);
  const records = reader.push(new Uint8Array(file)).map(({ bytes }) => bytes);
  reader.end();
  return records;
}
