/**
 * Invariants of an idle node after any faults: its tables, its memory, the read model and a replay of its blocks agree,
 * and amounts are conserved.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Chain } from "../../durable/chain-state/chain/open-chain.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { stateTables } from "../../src/tables/all-tables.ts";
import type { Table } from "../../src/tables/schema/table.ts";
import { chainQueryResults, type Subjects } from "../simulation/chain-query-results.ts";
import { countMoney } from "../simulation/conserved-money.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";
import { readModelDifferences } from "../sqlite/compare-read-model.ts";
import { type ComparedDatabases, type ComparedPart, compareTable, linesOf } from "../sqlite/compare-tables.ts";
import type { TestDatabase } from "../sqlite/test-database.ts";
import { blocksOf } from "./rival.ts";

/** Parts of a table that do not follow from the blocks, or follow from them differently. */
interface Apart extends Omit<ComparedPart, "fields"> {
  readonly fields?: readonly string[];
}

/**
 * Parts of the state's tables that do not follow from the blocks alone. Numbers follow the commits in which blocks
 * came, which may be micro-blocks (docs/decisions/0007), and only a node that received the micro-blocks knows the tip's
 * forms. The other tables of ChainState (undo, outbox, publication, pool, branches, meta) depend on its history.
 */
const apart: ReadonlyMap<string, Apart> = new Map<string, Apart>([
  ["micro_block", { fields: ["timestamp"] }],
  ["account_number", { fields: ["number"] }],
  ["account_lease", { fields: ["number"] }],
  ["account_alias", { fields: ["number"] }],
  // Also lists accounts that owned one only for some micro-blocks.
  ["account_nft", { fields: ["number"], where: "is_held = 1" }],
  [
    "asset_balance_history",
    { instead: { holder: "(SELECT address FROM account_number WHERE number = asset_balance_history.holder)" } },
  ],
]);

/** Table that counts the numbers given out. */
const ofSteps: readonly string[] = ["counter"];

/** Tables that after a rollback lack expired rows, and have rows that only a node with the micro-blocks knows. */
const notRolledBack: readonly string[] = ["micro_block", "balance_history", "asset_balance_history"];

export interface ReplayCheckOptions {
  /** A node at genesis, with its own empty database. */
  readonly makeEmpty: (nowMs: number) => SimulatedNode;
  /** A node on a copy of the database; its changes do not affect the original. */
  readonly copy: () => SimulatedNode;
  /** Number of blocks that the copy rolls back before it is compared, too. */
  readonly rollbackBlocks: number;
}

/** Compares the tables with those of a node that got only the same blocks. @returns a line for each row */
export function replayDifferences(
  node: SimulatedNode,
  { makeEmpty, copy, rollbackBlocks }: ReplayCheckOptions,
): string[] {
  const replay = makeEmpty(node.nowMs);
  const lowest = Math.max(node.height - rollbackBlocks, node.node.store.lowestRollbackHeight());
  const blocks = blocksOf(node, 2);
  for (const block of blocks.slice(0, lowest - 1)) replay.append(block);
  const reverted = copy();
  reverted.chain.forks.revertTo(lowest, { isForced: true });
  const ofReplay = ({ database }: SimulatedNode, passedOver: readonly string[]): string[] =>
    stateDifferences({ own: database.database, other: replay.database.database, otherName: "the replay" }, passedOver);
  const ofReverted = ofReplay(reverted, [...ofSteps, ...notRolledBack]);
  reverted.database.database.close();
  for (const block of blocks.slice(lowest - 1)) replay.append(block);
  // A tip that grew by micro-blocks has forms that the replayed one lacks.
  const ofForms = node.chain.stored.microBlockCount() > 0 ? ["micro_block"] : [];
  return [
    ...ofReverted.map((line) => `rolled back to height ${lowest}, ${line}`),
    ...ofReplay(node, [...ofSteps, ...ofForms]),
  ];
}

/**
 * Differences between two nodes with the same blocks, in tables that follow from the blocks.
 * @param passedOver tables to skip
 * @param fieldsPassedOver fields to skip, by table
 */
export function stateDifferences(
  databases: ComparedDatabases,
  passedOver: readonly string[],
  fieldsPassedOver: ReadonlyMap<string, readonly string[]> = new Map(),
): string[] {
  return stateTables
    .filter(({ name }) => !passedOver.includes(name))
    .flatMap((table) => linesOf(compareTable(table, chainPartOf(table, fieldsPassedOver.get(table.name)), databases)));
}

function chainPartOf({ name, columns }: Table, passedOver: readonly string[] = []): ComparedPart {
  const { fields = [], ...other } = apart.get(name) ?? {};
  const left = [...fields, ...passedOver];
  return { fields: [...columns.keys()].filter((field) => !left.includes(field)), ...other };
}

interface MoneyHolder {
  readonly chain: Chain;
  readonly database: Pick<TestDatabase, "database">;
}

/** Sums of WAVES, leases and assets that differ from the expected ones. */
export function moneyDifferences(node: MoneyHolder): string[] {
  const { found, expected } = countMoney(node.chain, node.database);
  const lines = expected.flatMap((line, index) =>
    line === found[index] ? [] : [`there is ${found[index]}, and there should be ${line}`],
  );
  const issued = issuedWaves(node);
  const { wavesAmount } = node.chain.stored.tip();
  if (issued !== wavesAmount) lines.push(`the tip says ${wavesAmount} WAVES, genesis and rewards issued ${issued}`);
  return lines;
}

function issuedWaves({ chain }: MoneyHolder): bigint {
  let issued = chain.view.settings.genesis.initialBalance;
  for (let height = 1; height <= chain.view.height; height++)
    for (const { amount } of chain.stored.rowAt(height).rewardShares) issued += amount;
  return issued;
}

/** Differences between the node's memory and that of a node just started from the same tables. */
export function memoryDifferences(node: SimulatedNode, restarted: SimulatedNode, subjects: Subjects): string[] {
  const lines: string[] = [];
  const [ours, theirs] = [node, restarted].map(({ chain }) => chainQueryResults(chain, subjects).split("\n")) as [
    string[],
    string[],
  ];
  const differing = ours.findIndex((line, index) => line !== theirs[index]);
  if (differing >= 0 || ours.length !== theirs.length)
    lines.push(`the node says ${ours[differing]}, restarted it says ${theirs[differing]}`);
  const [waiting, stored] = [node, restarted].map(({ pool }) => idsOf(pool.all()));
  if (waiting !== stored) lines.push(`the node's pool has ${waiting}, restarted it has ${stored}`);
  return lines;
}

function idsOf(transactions: Iterable<Transaction>): string {
  return [...transactions]
    .map(({ id }) => Buffer.from(id).toString("hex"))
    .sort()
    .join();
}

/** @param readModel which should equal the node's tables */
export function publicationDifferences(node: SimulatedNode, readModel: DatabaseSync): string[] {
  const lines = readModelDifferences(node.database.database, readModel);
  const { version } = node.chain.stored.state();
  const shown = readModelVersion(readModel);
  if (shown !== version) lines.push(`the read model shows ${shown}, the node is at ${version}`);
  return lines;
}

/** Version of the state in the read model; undefined when it is incomplete. */
export function readModelVersion(readModel: DatabaseSync): string | undefined {
  const hasTable = readModel.prepare("SELECT 1 FROM sqlite_master WHERE name = 'chain'").get();
  const row = hasTable && readModel.prepare("SELECT version, is_whole FROM chain").get();
  return row?.["is_whole"] === 1 ? String(row["version"]) : undefined;
}
