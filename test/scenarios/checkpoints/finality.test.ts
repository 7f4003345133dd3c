import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Manifest } from "../../../durable/chain-state/checkpoint/manifest.ts";
import { readCheckpoint } from "../../../local/checkpoint/read-checkpoint.ts";
import { writeCheckpoint } from "../../../local/checkpoint/write-checkpoint.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { blockTable } from "../../../src/tables/blocks.ts";
import { commitmentTable, generatorConflictTable } from "../../../src/tables/commitments.ts";
import type { JsonCell } from "../../../src/tables/schema/cell.ts";
import type { Table } from "../../../src/tables/schema/table.ts";
import { Committee, committeeSettings, deposit } from "../../support/builders/committee.ts";
import { type Forging, forge, type Rows } from "../../support/builders/forged-checkpoint.ts";
import { CheckpointHost } from "../../support/fakes/checkpoint-host.ts";

const noProgress = () => {};

/** Committee of three, one of which sends a conflicting endorsement, and its checkpoint. */
async function written() {
  const options = { balances: [2_000_000n, 2_000_000n, 2_000_000n] };
  const committee = Committee.committed(options);
  committee.append(0, { finalizationVoting: committee.voting({ endorsers: [1], conflicts: [committee.conflict(2)] }) });
  const before = committee.chain.stored.tip();
  committee.append(1);
  const punished = committee.chain.stored.tip();
  committee.append(0);
  const { node } = privateNetwork;
  const settings = { name: "committee", blockchain: committeeSettings(options), node };
  const { nowMs, database } = committee.node;
  const folder = mkdtempSync(path.join(os.tmpdir(), "finality-"));
  const file = path.join(folder, "file");
  await writeCheckpoint(new CheckpointHost(settings, { nowMs, database }).call, file, "all", noProgress);
  const emptyHost = () => new CheckpointHost(settings, { nowMs });
  return { file, emptyHost, database, before, punished, remove: () => rmSync(folder, { recursive: true }) };
}

let chain: Awaited<ReturnType<typeof written>>;
beforeAll(async () => {
  chain = await written();
});
afterAll(() => chain.remove());

test("a checkpoint is valid if its blocks punish generators: fewer WAVES exist than were issued", async () => {
  const { file, emptyHost, database, before, punished } = chain;
  expect(punished.wavesAmount - before.wavesAmount).toBeLessThan(0n);
  expect(deposit).toBeGreaterThan(before.wavesAmount - punished.wavesAmount);
  const host = emptyHost();
  await readCheckpoint(host.call, file, undefined, noProgress);
  const tables = stateTables.map(({ name }) => name);
  expect(host.database.dump(tables)).toBe(database.dump(tables));
});

const columnIndex = (table: Table, field: string): number => [...table.columns.keys()].indexOf(field);
const cellOf = (table: Table, field: string, change: (cell: JsonCell) => JsonCell) => (rows: Rows) =>
  rows.map((row) => row.with(columnIndex(table, field), change(row[columnIndex(table, field)] as JsonCell)));
/** Changes a cell of the last row. */
const lastCell = (table: Table, field: string, change: (cell: JsonCell) => JsonCell) => (rows: Rows) => [
  ...rows.slice(0, -1),
  ...cellOf(table, field, change)(rows.slice(-1)),
];
const plus = (more: number) => (cell: JsonCell) => (cell as number) + more;
const counted = (name: string, more: number) => (manifest: Manifest) => ({
  ...manifest,
  tables: manifest.tables.map((table) => (table.name === name ? { ...table, rows: table.rows + more } : table)),
});
const otherCommitments = /block 2 of the checkpoint is invalid: its commitments to generate do not match/;
const otherConflicts = /block 3 of the checkpoint is invalid: its conflicting generators do not match/;

test.each<readonly [what: string, forging: Forging, reason: RegExp]>([
  [
    "generators without the one that contradicted the chain",
    { rows: { generator_conflict: () => [] }, manifest: counted("generator_conflict", -1) },
    otherConflicts,
  ],
  [
    "another generator at its index",
    { rows: { generator_conflict: cellOf(generatorConflictTable, "position", plus(-1)) } },
    otherConflicts,
  ],
  [
    "a contradiction in another block",
    { rows: { generator_conflict: cellOf(generatorConflictTable, "height", plus(1)) } },
    otherConflicts,
  ],
  [
    "a contradiction in another period",
    { rows: { generator_conflict: cellOf(generatorConflictTable, "periodStart", plus(2)) } },
    /table generator_conflict has rows of the period from 5 on that none of its blocks/,
  ],
  [
    "a generator less",
    { rows: { commitment: (rows) => rows.slice(0, -1) }, manifest: counted("commitment", -1) },
    otherCommitments,
  ],
  [
    "a generator more",
    {
      rows: {
        commitment: (rows) => [...rows, (rows[0] as JsonCell[]).with(columnIndex(commitmentTable, "position"), 3)],
      },
      manifest: counted("commitment", 1),
    },
    otherCommitments,
  ],
  [
    "another key of a generator",
    {
      rows: { commitment: lastCell(commitmentTable, "endorserPublicKey", (cell) => `00${(cell as string).slice(2)}`) },
    },
    otherCommitments,
  ],
  [
    "generators of a period to which no account could commit",
    { rows: { commitment: lastCell(commitmentTable, "periodStart", plus(4)) } },
    /table commitment has rows of the period from 7 on that none of its blocks/,
  ],
  [
    "a final block that is none yet",
    { rows: { block: lastCell(blockTable, "finalizedHeight", () => 1_000) } },
    /block 5 .* its finalized height is impossible/,
  ],
  [
    "a block that makes less final than the one before it",
    { rows: { block: lastCell(blockTable, "finalizedHeight", () => 1) } },
    /block 5 .* its finalized height is impossible/,
  ],
])("a checkpoint whose digests are right is refused for %s", async (_, forging, reason) => {
  const forged = `${chain.file}.forged`;
  await forge(chain.file, forged, forging);
  await expect(readCheckpoint(chain.emptyHost().call, forged, undefined, noProgress)).rejects.toThrow(reason);
});
