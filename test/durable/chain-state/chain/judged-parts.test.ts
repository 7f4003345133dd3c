import { expect, test } from "vitest";
import { ValidatedParts } from "../../../../durable/chain-state/chain/judged-parts.ts";
import { testDatabase } from "../../../../verification/sqlite/test-database.ts";

const blockOf = (byte: number) => new Uint8Array(32).fill(byte);
const findingOf = (found: unknown, subject = "own") => ({ subject, found });

function storedBlocks(parts: ValidatedParts, bytes: readonly number[]): readonly number[] {
  return bytes.filter((byte) => [...parts.find(blockOf(byte))].length > 0);
}

test("findings are known to a later instance, in their order, with bytes and big integers", () => {
  const database = testDatabase();
  const found = [{ bytes: Uint8Array.of(1, 2), amount: 2n ** 63n, text: '"\ud800' }, "second", "third"];
  const parts = new ValidatedParts(database);
  parts.add(blockOf(1), [findingOf(found[0]), findingOf(found[1])]);
  parts.add(blockOf(1), [findingOf(found[2])]);
  expect([...new ValidatedParts(database).find(blockOf(1))]).toEqual(found);
});

test("a finding replaces those of the subjects that it makes obsolete", () => {
  const parts = new ValidatedParts(testDatabase());
  parts.add(blockOf(1), [findingOf("effect", "own 0;"), findingOf("other", "own 1;")]);
  parts.add(blockOf(1), [{ subject: "", found: "outcome", replaces: "own 0;" }]);
  expect([...parts.find(blockOf(1))]).toEqual(["other", "outcome"]);
});

test("findings of three blocks are kept, and those of blocks that no call continued go first", () => {
  const parts = new ValidatedParts(testDatabase());
  for (const byte of [1, 2, 1]) parts.add(blockOf(byte), [findingOf(byte)]);
  for (let byte = 3; byte < 100; byte++) parts.add(blockOf(byte), [findingOf(byte)]);
  expect(storedBlocks(parts, [...Array(100).keys()])).toEqual([1, 98, 99]);
  expect([parts.hasOthers(blockOf(99)), parts.hasOthers(blockOf(1))]).toEqual([true, false]);
});

test("the table is gone once every block is forgotten", () => {
  const database = testDatabase();
  const parts = new ValidatedParts(database);
  const hasTable = () => database.database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'judged_part'").get();
  for (const byte of [1, 2]) parts.add(blockOf(byte), [findingOf(byte)]);
  parts.forget(blockOf(1));
  expect(hasTable()).toBeDefined();
  parts.forget(blockOf(2));
  expect(hasTable()).toBeUndefined();
});
