import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCheckpoint } from "../../../../local/checkpoint/read-checkpoint.ts";
import { accountTable, assetBalanceTable } from "../../../../src/tables/accounts.ts";
import { assetTable } from "../../../../src/tables/assets.ts";
import { blockTable, transactionTable } from "../../../../src/tables/blocks.ts";
import { leaseTable } from "../../../../src/tables/leases.ts";
import type { JsonCell } from "../../../../src/tables/schema/cell.ts";
import type { Table } from "../../../../src/tables/schema/table.ts";
import { SeededRandom } from "../../../../verification/chain-generator/seeded-random.ts";
import { type Forging, forge, type Rows } from "../../../support/builders/forged-checkpoint.ts";
import { type WrittenChain, writtenChain } from "../../../support/builders/written-chain.ts";

let written: WrittenChain;
let bytes: Uint8Array;
let damaged: string;

beforeAll(async () => {
  written = await writtenChain(6, 5);
  bytes = readFileSync(written.file);
  damaged = path.join(written.folder, "damaged");
});
afterAll(() => written.remove());

/** Error message for a file. The node is a new one afterwards. */
async function refusalOf(file: string): Promise<string> {
  const host = written.emptyHost();
  const reason = await readCheckpoint(host.call, file, undefined, () => {}).then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (reason === undefined) throw new Error(`${file} was not refused`);
  // A chunk damaged on the way may come intact in another attempt.
  if (!host.hasNode) await host.call({ call: "giveUp" });
  expect(host.node.height).toBe(1);
  expect(host.again().hasNode).toBe(true);
  return reason;
}

describe("a damaged file is refused", () => {
  test("if any byte of it has changed", async () => {
    const random = new SeededRandom("damage");
    const anywhere = Array.from({ length: 40 }, () => random.below(bytes.length));
    const edges = [
      0,
      7,
      8,
      9,
      bytes.length - 45,
      bytes.length - 44,
      bytes.length - 12,
      bytes.length - 9,
      bytes.length - 1,
    ];
    for (const offset of [...edges, ...anywhere]) {
      const copy = Uint8Array.from(bytes);
      copy[offset] = (copy[offset] as number) ^ (1 << random.below(8));
      writeFileSync(damaged, copy);
      expect(await refusalOf(damaged), `byte ${offset}`).toMatch(/damaged|is no checkpoint|is not what it has/);
    }
  });

  test("with the name of the part that has changed", async () => {
    const copy = Uint8Array.from(bytes);
    copy[20] = (copy[20] as number) ^ 1;
    writeFileSync(damaged, copy);
    expect(await refusalOf(damaged)).toBe(
      `${damaged}: part 1 of the checkpoint (table block) is damaged: it is not as it was written.`,
    );
  });

  test.each([0, 5, 44, 1_000])("when it is cut off after %i bytes", async (length) => {
    writeFileSync(damaged, bytes.subarray(0, length));
    expect(await refusalOf(damaged)).toMatch(/is no checkpoint|cut off/);
  });

  test("when the bytes of another part replace them", async () => {
    const host = written.emptyHost();
    let first: string | undefined;
    const swapped: typeof host.call = (call) => {
      if (call.call !== "add") return host.call(call);
      first ??= call.packed;
      return host.call({ ...call, packed: first });
    };
    await expect(readCheckpoint(swapped, written.file, undefined, () => {})).rejects.toThrow(/part 2 .* is damaged/);
  });
});

const columnIndex = (table: Table, field: string): number => [...table.columns.keys()].indexOf(field);

/** Changes one cell of the last row. */
const last = (table: Table, field: string, change: (cell: JsonCell) => JsonCell) => (rows: Rows) => {
  const row = rows.at(-1) as JsonCell[];
  row[columnIndex(table, field)] = change(row[columnIndex(table, field)] as JsonCell);
  return rows;
};
/** Changes one cell of the first row with the height. */
const atHeight =
  (table: Table, height: number, field: string, change: (cell: JsonCell) => JsonCell) =>
  (rows: Rows): Rows => {
    const row = rows.find((cells) => cells[columnIndex(table, "height")] === height) as JsonCell[];
    row[columnIndex(table, field)] = change(row[columnIndex(table, field)] as JsonCell);
    return rows;
  };
const more = (cell: JsonCell): JsonCell => String(BigInt(cell as string) + 1n);
const flipped = (cell: JsonCell): JsonCell =>
  `${(cell as string).startsWith("0") ? "1" : "0"}${(cell as string).slice(1)}`;

const forgings: readonly (readonly [what: string, forging: Forging, reason: RegExp])[] = [
  [
    "a wavelet that was not issued",
    { rows: { account: last(accountTable, "balance", more) } },
    /wavelets, but the supply is/,
  ],
  ["a lease that does not exist", { rows: { account: last(accountTable, "leaseIn", more) } }, /active leases have/],
  [
    "another amount of a lease",
    {
      rows: {
        lease: (rows) => {
          // The amounts of ended leases are not counted.
          const active = rows.find((row) => row[columnIndex(leaseTable, "status")] === 0) as JsonCell[];
          active[columnIndex(leaseTable, "amount")] = more(active[columnIndex(leaseTable, "amount")] as JsonCell);
          return rows;
        },
      },
    },
    /active leases have|wavelets/,
  ],
  [
    "an amount beyond all",
    {
      rows: {
        account: (rows) =>
          rows.map((row) => {
            row[1] = String(2n ** 63n - 1n);
            return row;
          }),
      },
    },
    /too large|but the supply is/,
  ],
  [
    "a unit of an asset that was not issued",
    { rows: { asset_balance: last(assetBalanceTable, "balance", more) } },
    /of some asset do not sum up/,
  ],
  [
    "a unit of an asset that passed from one asset to another",
    {
      rows: {
        asset_balance: (rows) => {
          const asset = columnIndex(assetBalanceTable, "asset");
          const other = rows.find((row) => row[asset] !== rows[0]?.[asset]) as JsonCell[];
          const [balance, one] = [columnIndex(assetBalanceTable, "balance"), rows[0] as JsonCell[]];
          one[balance] = more(one[balance] as JsonCell);
          other[balance] = String(BigInt(other[balance] as string) - 1n);
          return rows;
        },
      },
    },
    /of some asset do not sum up/,
  ],
  [
    "an asset of which there is more than anybody has",
    { rows: { asset: last(assetTable, "volume", more) } },
    /of some asset do not sum up/,
  ],
  ["a missing account", { rows: { account: (rows) => rows.slice(1) } }, /wavelets, but the supply is/],
  ["a row twice", { rows: { account: (rows) => [...rows, rows[0] as JsonCell[]] } }, /has \d+ rows, not/],
  [
    "a row of another length",
    { rows: { account: (rows) => rows.map((row) => row.slice(1)) } },
    /rows of another length/,
  ],
  ["a cell of another kind", { rows: { account: last(accountTable, "balance", () => "much") } }, /an invalid row/],
  ["a height that is none", { rows: { tx: last(transactionTable, "height", () => 1.5) } }, /an invalid row/],
  [
    "a number that is none",
    { rows: { tx: last(transactionTable, "type", () => ({ type: 4 }) as unknown as JsonCell) } },
    /an invalid row/,
  ],
  [
    "more than 64 bits",
    { rows: { tx: last(transactionTable, "spentComplexity", () => String(2n ** 63n)) } },
    /an invalid row/,
  ],
  [
    "an undo record of nothing",
    { rows: { undo: (rows) => rows.map((row) => [...row.slice(0, 3), "[[99,[],null]]"]) } },
    /an invalid row/,
  ],
  ["a missing block", { rows: { block: (rows) => rows.toSpliced(3, 1) } }, /lacks some of the blocks/],
  [
    "a block above its height",
    { rows: { block: last(blockTable, "height", (cell) => (cell as number) + 1) } },
    /outside the checkpoint/,
  ],
  [
    "another timestamp of a block",
    { rows: { block: last(blockTable, "timestamp", more) } },
    /timestamp does not match/,
  ],
  ["another score", { rows: { block: last(blockTable, "score", more) } }, /score does not match/],
  [
    "a hit source that its VRF output is not",
    { rows: { block: last(blockTable, "hitSource", flipped) } },
    /VRF output does not match/,
  ],
  [
    "another generator",
    { rows: { block: last(blockTable, "generator", (cell) => `${(cell as string).slice(0, -1)}0`) } },
    /generator does not match/,
  ],
  [
    "another state hash of the last block",
    { rows: { block: last(blockTable, "stateHash", flipped) } },
    /the state hash of its last block does not match/,
  ],
  [
    "another state hash in the manifest",
    { manifest: (known) => ({ ...known, stateHash: "00".repeat(32) }) },
    /the state hash of its last block does not match/,
  ],
  [
    "another id of the last block",
    { rows: { block: last(blockTable, "id", flipped) } },
    /the id of its last block does not match/,
  ],
  [
    "a transaction in the row of another one",
    {
      rows: {
        tx: (rows) => {
          const [one, two] = rows as [JsonCell[], JsonCell[]];
          one[6] = two[6] as JsonCell;
          return rows;
        },
      },
    },
    /block \d+ of the checkpoint is invalid/,
  ],
  [
    "the id of a transaction that is another one",
    { rows: { tx: last(transactionTable, "id", flipped) } },
    /block \d+ of the checkpoint is invalid: the id of its transaction \d+ does not match/,
  ],
  [
    "the id of a transaction of long ago that is another one",
    { rows: { tx: atHeight(transactionTable, 2, "id", flipped) } },
    /block 2 of the checkpoint is invalid: the id of its transaction \d+ does not match/,
  ],
  [
    "another type of a transaction",
    { rows: { tx: last(transactionTable, "type", () => 100) } },
    /the type of its transaction \d+ does not match/,
  ],
  [
    "a position that no transaction of the block has",
    { rows: { tx: last(transactionTable, "position", (cell) => (cell as number) + 1) } },
    /it has no transaction \d+/,
  ],
  ["another reward", { rows: { block: last(blockTable, "reward", more) } }, /its reward does not match/],
  [
    "WAVES that no block issued",
    { rows: { block: atHeight(blockTable, 3, "wavesAmount", more) } },
    /block 3 of the checkpoint is invalid: the amount of WAVES/,
  ],
  [
    "another VRF output of a block of long ago",
    { rows: { block: atHeight(blockTable, 3, "vrf", flipped) } },
    /block 3 .* VRF output does not match/,
  ],
  [
    "another hit source and VRF output of a block of long ago",
    {
      rows: {
        block: (rows) => atHeight(blockTable, 3, "vrf", flipped)(atHeight(blockTable, 3, "hitSource", flipped)(rows)),
      },
    },
    /block 3 .* hit source does not match/,
  ],
  [
    "another block instead of an old one",
    {
      rows: {
        block: (rows) => {
          const [header, id] = [columnIndex(blockTable, "header"), columnIndex(blockTable, "id")];
          const [, second, third] = rows as [JsonCell[], JsonCell[], JsonCell[]];
          [second[header], third[header]] = [third[header] as JsonCell, second[header] as JsonCell];
          [second[id], third[id]] = [third[id] as JsonCell, second[id] as JsonCell];
          return rows;
        },
      },
    },
    /block 2 of the checkpoint is invalid/,
  ],
  [
    "another first block",
    { rows: { block: atHeight(blockTable, 1, "score", more) } },
    /block 1 of the checkpoint is invalid: its score/,
  ],
  ["another chain", { manifest: (known) => ({ ...known, genesis: "another" }) }, /of another chain/],
  ["a later release", { manifest: (known) => ({ ...known, schema: 1_000 }) }, /a later release wrote/],
  ["tables from before there were checkpoints", { manifest: (known) => ({ ...known, schema: 1 }) }, /no release wrote/],
  ["a missing table", { manifest: (known) => ({ ...known, tables: known.tables.slice(1) }) }, /has no table block/],
  [
    "other columns",
    {
      manifest: (known) => ({
        ...known,
        tables: known.tables.map((one) => ({ ...one, columns: one.columns.toReversed() })),
      }),
    },
    /other columns/,
  ],
  [
    "a table of its own",
    { manifest: (known) => ({ ...known, tables: [...known.tables, { name: "meta", columns: ["name"], rows: 0 }] }) },
    /unknown or repeated table/,
  ],
  ["heights in no order", { manifest: (known) => ({ ...known, finalizedHeight: known.height + 1 }) }, /inconsistent/],
];

describe("a checkpoint whose digests are right is refused for", () => {
  test.each(forgings)("%s", async (_, forging, reason) => {
    const forged = path.join(written.folder, "forged");
    await forge(written.file, forged, forging);
    expect(await refusalOf(forged)).toMatch(reason);
  });
});
