/** For any bytes or JSON, the result is a transaction or a typed error. */

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { JsonSyntaxError, parseJson } from "../../../src/protocol/parse-json.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { formatErrorContent } from "../../../src/protocol/transactions/format-error-content.ts";
import { parseSignedTransaction, parseTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { fixtureBytes } from "../../support/fixtures/recorded-blocks.ts";
import { dump, transactionsOf } from "../../support/fixtures/recorded-transactions.ts";

const chainId = 82;
const runs = Number(process.env["DAMAGE_RUNS"] ?? 2000);

/** One transaction of each type, version and size class, so that rare types are damaged as often as common ones. */
const samples = [
  ...new Map(
    transactionsOf(fixtureBytes("private-a/blocks.bin.gz")).map(({ bytes, blockVersion }) => {
      const tx =
        blockVersion < BlockVersion.Protobuf
          ? parseTransaction(bytes, chainId)
          : parseSignedTransaction(bytes, chainId);
      return [`${tx.type} ${tx.version} ${tx.bytes.length >> 6}`, tx] as const;
    }),
  ).values(),
];
const sample = fc.constantFrom(...samples);
/** Bytes to overwrite, to insert or to remove. */
const damage = fc.record({ at: fc.nat(), byte: fc.nat(255), kind: fc.constantFrom("set", "set", "insert", "remove") });
const damages = fc.array(damage, { minLength: 1, maxLength: 3 });

function damaged(bytes: Uint8Array, changes: readonly { at: number; byte: number; kind: string }[]): Uint8Array {
  const list = [...bytes];
  for (const { at, byte, kind } of changes) {
    const index = at % Math.max(list.length, 1);
    list.splice(index, kind === "insert" ? 0 : 1, ...(kind === "remove" ? [] : [byte]));
  }
  return Uint8Array.from(list);
}

/** Number of valid and of refused inputs: a property that sees only one kind proves little. */
interface ResultCounts {
  read: number;
  refused: number;
}
const hasBoth = ({ read, refused }: ResultCounts): boolean => read > 0 && refused > 0;

/** The transaction, or undefined after a typed error that the API can describe. */
function parsedOrRefused(parse: () => Transaction, outcomes: ResultCounts): Transaction | undefined {
  try {
    const transaction = parse();
    outcomes.read++;
    return transaction;
  } catch (error) {
    if (error instanceof FormatError) expect(formatErrorContent(error.violation).message).toBeTypeOf("string");
    else if (!(error instanceof WireError || error instanceof JsonSyntaxError)) throw error;
    outcomes.refused++;
    return undefined;
  }
}

test("damaged bytes of the legacy form are refused, or are another transaction with exactly these bytes", () => {
  const counts: ResultCounts = { read: 0, refused: 0 };
  void fc.assert(
    fc.property(sample, damages, (tx, changes) => {
      const bytes = damaged(tx.bytes, changes);
      const parsed = parsedOrRefused(() => parseTransaction(bytes, chainId), counts);
      if (parsed !== undefined) expect(dump(parsed.bytes)).toBe(dump(bytes));
    }),
    { numRuns: runs },
  );
  expect(counts).toSatisfy(hasBoth);
});

test("damaged protobuf bytes are refused, or are a transaction that is encoded and read back to itself", () => {
  const counts: ResultCounts = { read: 0, refused: 0 };
  void fc.assert(
    fc.property(sample, damages, (tx, changes) => {
      const bytes = damaged(encodeProtobuf(tx), changes);
      const parsed = parsedOrRefused(() => parseSignedTransaction(bytes, chainId), counts);
      if (parsed === undefined) return;
      expect(dump(parseSignedTransaction(encodeProtobuf(parsed), chainId))).toBe(dump(parsed));
      expect(jsonText(transactionJson(parsed))).toBeTypeOf("string");
    }),
    { numRuns: runs },
  );
  expect(counts).toSatisfy(hasBoth);
});

test("noise is refused, unless by chance it is a transaction", () => {
  const counts: ResultCounts = { read: 0, refused: 0 };
  void fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(19), fc.nat(3), (noise, type, version) => {
      for (const head of [[], [type], [0, type, version], [type, version]]) {
        parsedOrRefused(() => parseTransaction(Uint8Array.from([...head, ...noise]), chainId), counts);
      }
      parsedOrRefused(() => parseSignedTransaction(noise, chainId), counts);
    }),
    { numRuns: runs },
  );
  expect(counts.refused).toBeGreaterThan(0);
});

test("damaged JSON text is refused, or is a transaction", () => {
  const counts: ResultCounts = { read: 0, refused: 0 };
  const texts = samples.map((tx) => jsonText(transactionJson(tx)));
  const fragments = fc.constantFrom(
    "",
    "0",
    "-",
    "9".repeat(30),
    "null",
    '"',
    "{}",
    "[]",
    ",",
    "\\",
    "é",
    "\ud800",
    "1.5",
  );
  void fc.assert(
    fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat(4), fragments, (text, at, removed, fragment) => {
      const index = at % text.length;
      const body = text.slice(0, index) + fragment + text.slice(index + removed);
      parsedOrRefused(() => transactionFromJson(parseJson(body), chainId), counts);
    }),
    { numRuns: runs },
  );
  expect(counts).toSatisfy(hasBoth);
});

test("JSON whose members have any values is refused, or is a transaction that is printed and read back to itself", () => {
  const counts: ResultCounts = { read: 0, refused: 0 };
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map((number) => ({ number })),
  );
  const bodies = samples
    .filter((tx) => tx.type !== TransactionType.Genesis && tx.type !== TransactionType.Ethereum)
    .map((tx) => parseJson(jsonText(transactionJson(tx))) as Record<string, never>);
  void fc.assert(
    fc.property(fc.constantFrom(...bodies), fc.nat(), value, fc.boolean(), (body, at, changed, remove) => {
      const names = Object.keys(body);
      const name = names[at % names.length] as string;
      const { [name]: _, ...rest } = body;
      const isNumber = typeof changed === "object" && changed !== null && "number" in changed;
      const text = JSON.stringify({ ...rest, ...(remove ? {} : { [name]: isNumber ? "#" : changed }) }, printed);
      const json = isNumber ? text.replace('"#"', String(changed["number"])) : text;
      const tx = parsedOrRefused(() => transactionFromJson(parseJson(json), chainId), counts);
      if (tx === undefined) return;
      const again = transactionFromJson(parseJson(jsonText(transactionJson(tx))), chainId);
      expect(dump(again)).toBe(dump(tx));
    }),
    { numRuns: runs },
  );
  expect(counts).toSatisfy(hasBoth);
});

/** Large integers are handled as text without quotes. */
function printed(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value));
  return value;
}
