/**
 * Scripts that make halves of surrogate pairs and write them as values, keys, names of assets and arguments of calls:
 * expected are the results of the reference. In one chain all features up to 23 are active, in the other those up to
 * 15. State hashes and entries of the other are from a reference that imported it: the one that forged it stored the
 * other of two spellings in block 16, as its caches then were (decision 69).
 */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { dataEntryJson } from "../../../src/protocol/transactions/data-entry.ts";
import { dataValue, type PresentValue } from "../../../src/tables/data-value.ts";
import { readRecording } from "../../../verification/replay/recording.ts";
import { replayChain } from "../../../verification/replay/replay-chain.ts";
import type { NodeDatabase } from "../../../verification/sqlite/node-database.ts";
import { fixtureBytes } from "../../support/fixtures/recorded-blocks.ts";

describe.each([
  { name: "halves-new", height: 20, calls: 17 },
  { name: "halves-old", height: 18, calls: 11 },
])("the recorded chain $name", ({ name, height, calls }) => {
  let entries: readonly ParsedObject[] = [];
  const replayResult = replayChain(readRecording(join(import.meta.dirname, "../../fixtures", name)), {
    all: true,
    afterBlock: (_, database) => {
      entries = storedEntries(database);
    },
  });

  test("has the recorded state snapshots and state hashes to its last block", () => {
    expect(replayResult.differences).toEqual([]);
    expect(replayResult.height).toBe(height);
    expect(replayResult.compared.get(16)).toBe(calls);
    expect(replayResult.fromRecording.size).toBe(0);
  });

  test("has the entries that clients of the reference see", () => {
    const expected = parseJson(Buffer.from(fixtureBytes(`${name}/data.json.gz`)).toString()) as readonly ParsedObject[];
    expect(expected.length).toBeGreaterThan(20);
    expect(entries).toEqual(expected.toSorted((left, right) => compareKeys(left["key"], right["key"])));
  });
});

/** Entries of the account that has most of them, as clients see them. */
function storedEntries(database: NodeDatabase): readonly ParsedObject[] {
  const rows = database.exec(
    `SELECT key, value FROM data_entry
     WHERE address = (SELECT address FROM data_entry GROUP BY address ORDER BY count(*) DESC LIMIT 1)`,
  );
  const entries = [...rows.raw()].map(([key, value]) => {
    const entry = { key: String(key), value: dataValue.decode?.(new Uint8Array(value as ArrayBuffer)) as PresentValue };
    return parseJson(jsonText(dataEntryJson(entry))) as ParsedObject;
  });
  return entries.toSorted((left, right) => compareKeys(left["key"], right["key"]));
}

function compareKeys(left: unknown, right: unknown): number {
  return Buffer.compare(utf8Bytes(String(left)), utf8Bytes(String(right)));
}
