/** Vectors are responses of reference node 1.5.7. */
import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { secureHash } from "../../../src/crypto/hash.ts";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { parseSignedTransaction, parseTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { Script, TransactionFields } from "../../../src/protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { checkTransactionScript } from "../../../src/ride/script/check-transaction-script.ts";
import { writtenScript } from "../../../src/ride/script/written-script.ts";

const scriptOf = (base64: string): Script => new Uint8Array(Buffer.from(base64, "base64")) as Script;
const written = (base64: string): string => Buffer.from(writtenScript(scriptOf(base64))).toString("base64");
const withChecksum = (...code: (string | Uint8Array)[]): string => {
  const bytes = Buffer.concat(code.map((part) => (typeof part === "string" ? Buffer.from(part, "hex") : part)));
  return Buffer.concat([bytes, secureHash(bytes).subarray(0, 4)]).toString("base64");
};

const readOtherwise: Readonly<Record<string, readonly [string, string]>> = {
  "an expression announced by 0": ["AAEDBumuQ3E=", "AwZd0cYf"],
  "a library": ["AAMFBocZQvQ=", "BQbtKNoM"],
  "a library of version 6": ["BgMGl7N8Bw==", "BgEGsNFPzw=="],
  "version 6 announced by 0": ["AAEGBiJbnu8=", "BgEGsNFPzw=="],
  "a text that is not UTF-8": ["AwoAAAAAAWECAAAAAsMoBsNIFZY=", "AwoAAAAAAWECAAAABO+/vSgGFI0z4w=="],
  "a number longer than needed": ["BgEEAWEAhYAABj7Nknk=", "BgEEAWEABQZ6/k3g"],
  "a length longer than needed": ["BgEEgQBhAAUG4arKJQ==", "BgEEAWEABQZ6/k3g"],
  "a count of arguments below zero": ["BgEKAQFh/wYGVah5tQ==", "BgEKAQFhAAYGLgR4dQ=="],
  "a dApp's version": ["AAIDAAAABwAAAAAAAAAAAAAAAAAAAAAY7kkf", "AAIDAAAAAAAAAAAAAAAAAAAAAAAAAABOIj1q"],
  "a dApp with trailing bytes": ["AAIDAAAAAAAAAAAAAAAAAAAAAAAAAAABAul8vVM=", "AAIDAAAAAAAAAAAAAAAAAAAAAAAAAABOIj1q"],
  "no verifier, as -1": ["AAIDAAAAAAAAAAAAAAAAAAAAAP////+PWa2P", "AAIDAAAAAAAAAAAAAAAAAAAAAAAAAABOIj1q"],
  "a dApp of version 6 with trailing bytes": ["BgIAAAAA/6jlOWY=", "BgIAAAAAXA5YWw=="],
  "a dApp of version 6, announced by 0": ["AAIGAAAAAP+3Wfk=", "BgIAAAAAXA5YWw=="],
  "meta with fields of each kind that it does not know": [
    "BgIXmAEFDQECAwQIAgoBYaEBAQIDBAUGBwgAAABKydyF",
    "BgIXCAINAQIDBAoBYZgBBaEBAQIDBAUGBwgAAAC0giKW",
  ],
  "meta with many fields that it does not know": [
    "BgIWCAKYAQWgBgU4BYCXIgXAPgWgAQUoBQAAAHvDjxM=",
    "BgIWCAIoBaABBYCXIgU4BcA+BZgBBaAGBQAAADAK0xw=",
  ],
  "a signature with fields that it does not know": ["BgIJEgcQBQoBARgGAAAAKyy9CQ==", "BgIJEgcKAQEQBRgGAAAAQ9omvA=="],
  "meta whose version comes twice": ["BgIECAEIAgAAAGjOHpk=", "BgICCAIAAACM2Hc5"],
  "meta of version 0": ["BgICCAAAAAAIIz7B", "BgIAAAAAXA5YWw=="],
};

describe("a script whose canonical form differs from its bytes", () => {
  test.each(Object.entries(readOtherwise))("is rewritten: %s", (_, [given, expected]) => {
    expect(written(given)).toBe(expected);
    expect(written(expected)).toBe(expected);
    expect(writtenScript(scriptOf(expected))).toEqual(scriptOf(expected));
  });

  test("is measured when it is written", () => {
    const dApp = `000203${"00000000".repeat(2)}`;
    const empty = withChecksum(dApp, "00000000".repeat(3));
    expect(written(withChecksum(dApp, "00000000".repeat(3), new Uint8Array(170 * 1024)))).toBe(empty);
    const named = (sizeBytes: number): string => {
      const size = sizeBytes.toString(16).padStart(8, "0");
      return withChecksum(dApp, `0000000100${size}`, new Uint8Array(sizeBytes).fill(0xff), `06${"00000000".repeat(2)}`);
    };
    expect(Buffer.from(written(named(54_000)), "base64")).toHaveLength(54_033 + 2 * 54_000);
    expect(() => written(named(55_000))).toThrow(FormatError);
  });
});

const chainId = "R".charCodeAt(0);
const common = {
  chainId,
  sender: new Uint8Array(32).fill(7) as PublicKey,
  fee: 100_000_000n,
  feeAsset: null,
  timestamp: 1_600_000_000_000n,
  proofs: [new Uint8Array(64).fill(3)],
};
const { SetScript, SetAssetScript, Issue } = TransactionType;
const asset = new Uint8Array(32).fill(9) as AssetId;
const issue = {
  name: utf8Bytes("asset"),
  description: new Uint8Array(),
  quantity: 5n,
  decimals: 2,
  reissuable: true,
};
const cases: readonly (readonly [number, number, string])[] = [
  [SetScript, 1, "9vDi3mkZKb7tNHgE9Tc3FG6jQKGw7FC5N8PyNXGxyTQ8"],
  [SetScript, 2, "A2kFxQvrG9QLdBvAF8M4NVnZAVifYMt8fEvh8Eqqnhjf"],
  [SetAssetScript, 1, "9Dy1JRdKyfgGnTnChd3vJPvWKyExnSHCqeY6NuKEoRre"],
  [SetAssetScript, 2, "9L2vhNb9gcTBwjgMJvRDXd1w335KQBUbLEJDZvivQbzv"],
  [Issue, 2, "Ac8GwpDP5v15engnUmghoxURocxxUGH9pGCegewQrPUw"],
  [Issue, 3, "5d6V3eACUSPe1e3qQbDfN3mBU5f9p5V29ZxfSAXtavxa"],
];
const libraries: readonly (readonly [number, number, string])[] = [
  [SetAssetScript, 1, "EVucxJCfpbxMVQpECeSRRU27WpYNXEik83HX2pBV7y6v"],
  [Issue, 3, "5NPFKz1NuY6cVZ7mCYAhixHxSuZx14T1mqmpRwfaYr87"],
];
const [notUtf8] = readOtherwise["a text that is not UTF-8"] as readonly [string, string];
const [library] = readOtherwise["a library"] as readonly [string, string];

function fieldsOf(type: number, version: number, base64: string): TransactionFields {
  const own = { [SetScript]: {}, [SetAssetScript]: { asset }, [Issue]: issue }[type];
  return { ...common, type, version, script: scriptOf(base64), ...own } as TransactionFields;
}

function requestOf(type: number, version: number, base64: string): string {
  const own = {
    [SetScript]: {},
    [SetAssetScript]: { assetId: encodeBase58(asset) },
    [Issue]: { name: "asset", description: "", quantity: 5, decimals: 2, reissuable: true },
  }[type];
  return JSON.stringify({
    ...{ type, version, fee: 100_000_000, timestamp: 1_600_000_000_000, script: base64, ...own },
    senderPublicKey: encodeBase58(common.sender),
    proofs: common.proofs.map(encodeBase58),
  });
}

describe("the signature and id of a transaction are over its script as it is written", () => {
  describe.each([
    ["a text that is not UTF-8", notUtf8, cases],
    ["a library", library, libraries],
  ] as const)("%s", (_, given, vectors) => {
    test.each(vectors)("type %i, version %i: in JSON", (type, version, id) => {
      const transaction = transactionFromJson(parseJson(requestOf(type, version, given)), chainId, writtenScript);
      expect(encodeBase58(transaction.id)).toBe(id);
      expect(() => checkTransactionScript(transaction)).not.toThrow();
    });

    test.each(vectors)("type %i, version %i: in bytes", (type, version, id) => {
      const fields = fieldsOf(type, version, given);
      const asGiven = buildTransaction(fields);
      const parse = asGiven.bytes[0] === 0 ? parseTransaction : parseSignedTransaction;
      const transaction = parse(asGiven.bytes, chainId, { writtenScript, ignoresChainId: false, isRecord: false });
      expect(encodeBase58(transaction.id)).toBe(id);
      expect(transaction).toEqual(buildTransaction({ ...fields, script: writtenScript(scriptOf(given)) } as never));
      expect(equalBytes(asGiven.id, transaction.id)).toBe(false);
    });

    test.each(vectors)("type %i, version %i: an unnormalized one is refused", (type, version) => {
      expect(() => checkTransactionScript(buildTransaction(fieldsOf(type, version, given)))).toThrow(FormatError);
    });
  });
});
