import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBase58 } from "../../src/crypto/base58.ts";
import type { Address } from "../../src/crypto/identities.ts";
import {
  addressHash,
  inFilteredTableOrder,
  inHashTableOrder,
  inTrieMapOrder,
  pairHash,
  textHash,
} from "../../src/protocol/hash-table-order.ts";

const byText = (texts: readonly string[]) => inHashTableOrder(texts, textHash);

describe("the order of a hash table", () => {
  test("is that of insertion for up to four keys", () => {
    expect(byText(["d", "c", "b", "a"])).toEqual(["d", "c", "b", "a"]);
  });

  // Recorded: the keys of data transactions, and the order in which the reference lists the written entries.
  test.each([
    [
      ["t3_0", "t5_1", "t1_2", "t5_3", "t10_4"],
      ["t1_2", "t5_1", "t3_0", "t5_3", "t10_4"],
    ],
    [
      ["t9_0", "t10_1", "t1_2", "t2_3", "t12_4"],
      ["t1_2", "t9_0", "t12_4", "t10_1", "t2_3"],
    ],
    [
      ["k0_qlg", "k1_mku", "k2_xqo", "k3_dhu", "k4_hvk", "k5_cow", "k6_fmx", "k7_gyf"],
      ["k7_gyf", "k1_mku", "k5_cow", "k2_xqo", "k0_qlg", "k4_hvk", "k6_fmx", "k3_dhu"],
    ],
  ])("of %j is the recorded one", (keys, recorded) => {
    expect(byText(keys)).toEqual(recorded);
  });

  // From the ABI of a dApp: the table has lost the functions whose arguments have several types.
  test("of what is left of a larger table is that of a table without the others", () => {
    const left = ["putBig", "burn", "reissue", "compute", "pay", "payBack", "failLate", "sponsor", "look", "putTwice"];
    const seen = [...left, "remove", "putAll", "default"];
    const all = [...seen.toSorted(), "taken", "away"];
    expect(inFilteredTableOrder(all, (name) => seen.includes(name), textHash)).toEqual(seen);
    expect(inFilteredTableOrder(["d", "x", "c", "a"], (name) => name !== "x", textHash)).toEqual(["d", "c", "a"]);
    expect(inFilteredTableOrder(["d", "x", "c", "a", "b"], (name) => name < "c", textHash)).toEqual(["a", "b"]);
  });

  test("of more than four keys does not depend on how they came in", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(0xffff_ffff), { minLength: 5, maxLength: 300 }), (hashes) => {
        const order = inHashTableOrder(hashes, (hash) => hash);
        expect(inHashTableOrder(hashes.toReversed(), (hash) => hash)).toEqual(order);
        expect(new Set(order)).toEqual(new Set(hashes));
      }),
    );
  });

  test("keeps keys with the same hash in the order in which they came in", () => {
    expect(inHashTableOrder([5, 4, 3, 2, 1], () => 7)).toEqual([5, 4, 3, 2, 1]);
  });
});

test("the hash of a text is Java's, that of an address its checksum", () => {
  expect(textHash("")).toBe(0);
  expect(textHash("hello")).toBe(99162322);
  expect(textHash("polygenelubricants")).toBe(-2147483648);
  const address = decodeBase58("3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF") as Address;
  expect(addressHash(address)).toBe(Buffer.from(address).readInt32BE(22));
});

test("the hash of a pair is that of Scala 2.13", () => {
  expect(pairHash(123456, textHash("a?"))).toBe(1544194307);
  expect(pairHash(-77, textHash("a\ud83d"))).toBe(535783907);
});

test("a table that several threads may change hands out its keys level by level of their hashes", () => {
  // The accounts that a reference node with the private network's seed lists after it created fifteen.
  const listed = [
    "3M1FxaiZ3jHC8QLZcE76QUgqfe4Krqu9CEv",
    "3MJZfC4YDLkytXQDy6mNbTesniKDBCLEL9S",
    "3MEZUU6ozAzCMLUB12NufyaCe6qkYn2ifws",
    "3M9KRgzrYgRNP6Ddg6V5mT1otM6fmURGN1T",
    "3MG4iWUwv79zHPbuAoMs3rRUM4cb8LnhxuT",
    "3MA8si82fgV7BVfnETfUcXdSPtw3XhsKYCy",
    "3M63D3D7qPCT2TktxuvdfNpA2LSsWhbR9qo",
    "3M57LTpKfRqgMs9BQFbBge7sxNKFLWgEdbR",
    "3M3hcSBqTF5SJxespKA13S6y6nFS9zA2eJX",
    "3MGqWUDyZuENhGUK7MqcavBbgtTgfMeDzUW",
    "3MMfC9p1oCNTRQCWYVgPsVyNLMsRZpKguWD",
    "3MMXaArGwsUSzSMFZxKCSSH2sUuMsPnTNnR",
    "3MJfAPuSQgQSB1AcUHHFzRUjMpx7j35YsQv",
    "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF",
    "3MNyNA5QedugKn2G2RcBbMqq4HFNdg5mLwH",
  ];
  expect(inTrieMapOrder(listed.toSorted(), textHash)).toEqual(listed);
});
