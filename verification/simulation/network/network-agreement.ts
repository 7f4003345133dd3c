/** Invariants of the idle nodes of a network. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { validateTransaction } from "../../../src/rules/transactions/validate-transaction.ts";
import { moneyDifferences, stateDifferences } from "../../faults/check-agreement.ts";
import type { AcceptedTransaction } from "./network-load.ts";
import type { SimulatedMachine } from "./simulated-machine.ts";

const MAX_LINES = 5;
/** Tables that depend on the node: counters of numbers given out, and rows known only with the micro-blocks. */
const ownTables: readonly string[] = ["counter", "micro_block", "balance_history", "asset_balance_history"];

/** Tables that only full nodes fill: a light node does not know the accounts that a call passed without an effect. */
const tablesOfFullNodes: readonly string[] = ["tx_address"];
/** Fields that differ on light nodes: they lack the complexity and results of calls, and store all state snapshots. */
const fieldsOfFullNodes = new Map([["tx", ["spentComplexity", "callRecord", "snapshot"]]]);

/** An idle node. */
export type SettledNode = Pick<SimulatedMachine, "name" | "chain" | "storage" | "nowMs"> & {
  readonly options: Pick<SimulatedMachine["options"], "isLight">;
};

/**
 * All must have the same blocks with the same state after each, and the same tables. @returns a line for each
 * difference
 */
export function agreementDifferences(machines: readonly SettledNode[]): string[] {
  const [first, ...others] = machines;
  if (first === undefined) return [];
  return [
    ...others.flatMap((other) => [...blockDifferences(first, other), ...tableDifferences(first, other)]),
    ...moneyDifferences({ chain: nodeOf(first).chain, database: first.storage }),
  ];
}

function nodeOf({ chain, name }: SettledNode) {
  if (chain === undefined) throw new Error(`${name} is not in memory`);
  return chain.node;
}

function blockDifferences(one: SettledNode, other: SettledNode): string[] {
  const [ours, theirs] = [nodeOf(one).chain.view, nodeOf(other).chain.view];
  const names = `${one.name} and ${other.name}`;
  if (ours.height !== theirs.height) return [`${names} have the heights ${ours.height} and ${theirs.height}`];
  const lines: string[] = [];
  for (let height = 1; height <= ours.height && lines.length < MAX_LINES; height++) {
    const [own, their] = [ours.findHeader(height)?.id, theirs.findHeader(height)?.id];
    if (own === undefined || their === undefined || !equalBytes(own, their))
      lines.push(`${names} have ${text(own)} and ${text(their)} at height ${height}`);
    const [ownHash, theirHash] = [ours.findStateHash(height), theirs.findStateHash(height)];
    if (text(ownHash) !== text(theirHash)) lines.push(`${names} have other state hashes at height ${height}`);
  }
  return lines;
}

function tableDifferences(one: SettledNode, other: SettledNode): string[] {
  const databases = { own: one.storage.database, other: other.storage.database, otherName: other.name };
  const isOneLight = one.options.isLight !== other.options.isLight;
  const lines = isOneLight
    ? stateDifferences(databases, [...ownTables, ...tablesOfFullNodes], fieldsOfFullNodes)
    : stateDifferences(databases, ownTables);
  return lines.slice(0, MAX_LINES).map((line) => `${one.name}: ${line}`);
}

/**
 * Transactions valid on every branch must be on the chain, and no pool may have one that fits into the next block.
 * @returns a line for each violation
 */
export function transactionDifferences(
  machines: readonly SettledNode[],
  accepted: readonly AcceptedTransaction[],
): string[] {
  return machines.flatMap((machine) => {
    const { chain, pool } = nodeOf(machine);
    return accepted.flatMap(({ transaction, isSteady }) => {
      const { id, type } = transaction;
      if (chain.view.findTransaction(id) !== undefined) return [];
      const name = `the transaction ${encodeBase58(id)} of type ${type}`;
      const isValid = validateTransaction(transaction, chain.view, machine.nowMs()).result.isValid;
      const where = `${pool.has(id) ? "in" : "neither in its chain nor in"} its pool, ${isValid ? "valid" : "not valid"}`;
      if (isSteady) return [`${name} was accepted, and ${machine.name} has it ${where}`];
      const isStuck = isValid && pool.has(id);
      return isStuck ? [`${name} waits in the pool of ${machine.name} for nothing`] : [];
    });
  });
}

function text(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "nothing" : encodeBase58(bytes);
}
