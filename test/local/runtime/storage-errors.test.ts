import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findDamage, findDiskError, findLostState } from "../../../local/runtime/storage-errors.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "storage-faults-"));
afterAll(() => rmSync(folder, { recursive: true }));

const chain = "storage/do/node-ChainState/abc.sqlite";
const alarms = "storage/do/node-ChainState/metadata.sqlite";
const readModel = "storage/d1/miniflare-D1DatabaseObject/def.sqlite";
const files = [chain, alarms, readModel];

const whole = path.join(folder, "whole");
beforeAll(() => {
  for (const file of files) {
    const filePath = path.join(whole, file);
    mkdirSync(path.dirname(filePath), { recursive: true });
    const database = new DatabaseSync(filePath);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a, b PRIMARY KEY)");
    const insert = database.prepare("INSERT INTO t VALUES (?, ?)");
    for (let row = 0; row < 500; row++) insert.run("a".repeat(100), row);
    database.close();
  }
});

let copies = 0;
/** Copy of the directory with one file changed. */
function changed(file: string, change: (file: string) => void): string {
  const directory = path.join(folder, `copy-${copies++}`);
  cpSync(whole, directory, { recursive: true });
  change(path.join(directory, file));
  return directory;
}

function overwrite(fromByte: number): (file: string) => void {
  return (file) => {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x5a, fromByte));
  };
}

describe("findDamage", () => {
  test("finds nothing in a state that is whole", () => {
    expect(findDamage(whole)).toBeUndefined();
    expect(findDamage(path.join(folder, "nowhere"))).toBeUndefined();
  });

  test.each([
    ["a header that is none", overwrite(0)],
    ["pages in the middle that are none", overwrite(4_096)],
    ["pages at the end that are none", overwrite(40_960)],
    ["half of its bytes", (file: string) => truncateSync(file, 20_000)],
  ])("names the database with %s, and what to do", (_, change) => {
    const directory = changed(chain, change);
    const wayOut = `put a copy of ${directory} in its place, or remove it to begin the chain anew`;
    expect(findDamage(directory)).toBe(`${path.join(directory, chain)} is damaged: ${wayOut}.`);
    const damaged = changed(readModel, change);
    const file = path.join(damaged, readModel);
    expect(findDamage(damaged)).toBe(
      `${file} is damaged, and shows only what the chain's own database holds: it is written anew. Remove ${file}* and start the node again.`,
    );
  });

  test("tells of the runtime's own file that it may be removed", () => {
    const directory = changed(alarms, overwrite(0));
    expect(findDamage(directory)).toContain(`Remove ${path.join(directory, alarms)}* and start the node again`);
  });
});

describe("findLostState", () => {
  test("finds nothing in a whole state, in none, and in one whose node was killed before it published", () => {
    expect(findLostState(whole)).toBeUndefined();
    expect(findLostState(path.join(folder, "nowhere"))).toBeUndefined();
    expect(findLostState(changed(readModel, rmSync))).toBeUndefined();
  });

  test.each<[string, (file: string) => void]>([
    ["gone", rmSync],
    ["empty", (file) => truncateSync(file, 0)],
  ])("says when the chain's database is %s", (_, change) => {
    expect(findLostState(changed(chain, change))).toContain("has lost the database with the chain");
  });
});

test("findDiskFault says when nothing can be written", () => {
  expect(findDiskError(whole)).toBeUndefined();
  expect(findDiskError(path.join(folder, "nowhere"))).toContain("cannot be written to");
});
