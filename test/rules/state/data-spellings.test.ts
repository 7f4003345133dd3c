import { describe, expect, test } from "vitest";
import type { Address } from "../../../src/crypto/identities.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { DataValue } from "../../../src/protocol/transactions/transaction.ts";
import { RepeatableVariants, resultOfFirstValid } from "../../../src/rules/blocks/execution-variants.ts";
import { DataSpellings, type RememberedData } from "../../../src/rules/state/data-spellings.ts";

const address = new Uint8Array(26) as Uint8Array as Address;
const integer = (value: number): DataValue => ({ type: "integer", value: BigInt(value) });
const nothing: RememberedData = { last: undefined, before: undefined };
const [old, now] = [integer(1), integer(2)];

function read(spellings: DataSpellings, remembered: RememberedData, key = "k\ud800"): unknown {
  return spellings.read(address, key, now, remembered)?.value;
}

/** Reads in each mode of validation. @param remembered of each key that is read */
function readsInAllModes(...remembered: readonly RememberedData[]): unknown[] {
  return Array.from(DataSpellings.variants(), (way) => remembered.map((one) => Number(read(way, one))).join(" "));
}

describe("a reference process", () => {
  test("that has run for long reads its remembered spelling, a restarted one the stored value", () => {
    expect(readsInAllModes({ last: { value: old, height: 5 }, before: undefined })).toEqual(["1", "2"]);
  });

  test("that remembers the stored value needs one validation", () => {
    expect(readsInAllModes({ last: { value: integer(2), height: 5 }, before: { value: old } })).toEqual(["2"]);
    expect(readsInAllModes(nothing)).toEqual(["2"]);
  });

  test("that remembers nothing reads the stored value, or its pool's read from before the last write", () => {
    expect(readsInAllModes({ last: undefined, before: { value: old } })).toEqual(["2", "1"]);
  });

  test("may have been restarted between two writes", () => {
    const first = { last: { value: old, height: 5 }, before: undefined };
    const second = { last: { value: integer(3), height: 7 }, before: undefined };
    expect(readsInAllModes(first, second)).toEqual(["1 3", "2 2", "2 3"]);
  });

  test("needs six validations at most", () => {
    const remembered = [4, 5, 6, 7].map((height) => ({ last: { value: old, height }, before: { value: integer(3) } }));
    expect(readsInAllModes(...remembered, { last: undefined, before: { value: old } })).toHaveLength(6);
  });
});

test("with all other dependencies on a process a block needs eleven validations at most", () => {
  const remembered = { last: undefined, before: { value: old } };
  let count = 0;
  const fail = (): never => {
    throw new RuleError({ code: "stateHashWrong", expected: "", got: undefined });
  };
  expect(() =>
    resultOfFirstValid(new RepeatableVariants(false), ({ foreignAddresses, storedParent, spellings }) => {
      count++;
      for (const height of [4, 5, 6]) read(spellings, { last: { value: old, height }, before: { value: integer(3) } });
      read(spellings, remembered);
      if (storedParent !== undefined) storedParent.hasMattered = true;
      foreignAddresses.counts(address, { expectedChainId: undefined, takes: true, matters: true });
      fail();
    }),
  ).toThrow(RuleError);
  expect(count).toBe(11);
});

describe("a first read", () => {
  test("is stored with its transaction, if nothing was remembered of the key", () => {
    const spellings = new DataSpellings();
    spellings.begin();
    read(spellings, nothing);
    read(spellings, { last: { value: old, height: 5 }, before: undefined }, "known?");
    const reads = spellings.reads();
    spellings.begin();
    expect([...spellings.reads()]).toEqual([]);
    expect([...spellings.firstReads]).toEqual([]);
    spellings.addFirstReads(reads);
    expect([...spellings.firstReads.values()]).toEqual([{ address, key: "k\ud800", value: now }]);
  });

  test("is one of twenty of a transaction, and of a key that may be written", () => {
    const spellings = new DataSpellings();
    read(spellings, nothing, `${"k".repeat(400)}?`);
    for (let number = 0; number < 21; number++) read(spellings, nothing, `${number}?`);
    expect(Array.from(spellings.reads().values(), ({ key }) => key)).toEqual(
      Array.from({ length: 20 }, (_, number) => `${number}?`),
    );
  });
});

describe("reads take no more room than writes for the same fee", () => {
  const long = { type: "string", value: "v".repeat(2_000) } as const;
  const readLong = (spellings: DataSpellings, key: string) => spellings.read(address, key, long, nothing);

  test("5 KB of a transaction", () => {
    const spellings = new DataSpellings();
    for (const key of ["a?", "b?", "c?"]) readLong(spellings, key);
    read(spellings, nothing, "d?");
    expect(Array.from(spellings.reads().values(), ({ key }) => key)).toEqual(["a?", "b?", "d?"]);
  });

  test("1 MB of a batch, again once it is rebuilt", () => {
    const spellings = new DataSpellings();
    const include = () => {
      for (let number = 0; number < 600; number++) {
        spellings.begin();
        readLong(spellings, `${number}?`);
        spellings.addFirstReads(spellings.reads());
      }
      return spellings.firstReads.size;
    };
    expect(include()).toBe(499);
    spellings.clearFirstReads();
    expect(include()).toBe(499);
  });
});

test("the pool and own blocks refuse reads that differ, and no others", () => {
  const refusing = new DataSpellings({ refuses: true });
  for (const remembered of [
    { last: { value: old, height: 5 }, before: undefined },
    { last: undefined, before: { value: old } },
  ])
    expect(() => read(refusing, remembered)).toThrow("half of a surrogate pair");
  expect(read(refusing, { last: { value: integer(2), height: 5 }, before: { value: old } })).toBe(2n);
  expect(read(refusing, nothing)).toBe(2n);
});
