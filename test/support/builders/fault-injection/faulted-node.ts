/** Invariants of a node whose database has failed, one message for each breach. */

import type { DatabaseSync } from "node:sqlite";
import { addressOfPublicKey } from "../../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { TransactionId } from "../../../../src/protocol/transactions/transaction.ts";
import { chainQueryResults } from "../../../../verification/simulation/chain-query-results.ts";
import { countMoney } from "../../../../verification/simulation/conserved-money.ts";
import type { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { differencesBetween } from "../../fixtures/stored-state.ts";
import { poorKey, richKey } from "../signed-transfer.ts";
import type { Act } from "./acts.ts";
import { nodeOf, type PreparedChain } from "./prepared-chain.ts";

/** All that the node returns about its chain and its pool, as text. */
export function logLinesOf({ chain, pool }: SimulatedNode): readonly string[] {
  const { chainId } = chain.view.settings;
  const addresses = [richKey, poorKey].map(({ publicKey }) => addressOfPublicKey(publicKey, chainId));
  const { forks, stored } = chain;
  const waiting = [...pool.all()].map(({ id }) => encodeBase58(id)).sort();
  return [
    chainQueryResults(chain, { addresses, transactions: [] }),
    `epoch ${forks.epoch()}, final ${stored.finalizedHeight()}, score ${forks.score()}`,
    `${pool.size} transactions of ${pool.sizeBytes} bytes, ${[...pool.ids()].filter((id) => pool.findBytes(id)).length} stored: ${waiting}`,
  ];
}

/** All transactions in the node's blocks or in its pool, by id. */
export function transactionsOf({ database, pool }: SimulatedNode): ReadonlySet<string> {
  const included = database.database.prepare("SELECT id FROM tx").all();
  const ids = [...included.map(({ id }) => id as TransactionId), ...[...pool.all()].map(({ id }) => id)];
  return new Set(ids.map(encodeBase58));
}

/** Memory and tables agree, and no transaction got lost. @param before `transactionsOf` the node before the failure */
export function breachesOf(node: SimulatedNode, before: ReadonlySet<string>): string[] {
  const { chain, database, nowMs } = node;
  const breaches: string[] = [];
  const restarted = nodeOf("restarted", { database, startMs: nowMs });
  while (!restarted.pool.isRead) restarted.pool.cleanUp(restarted.chain.view, nowMs);
  const [lines, ofRestarted] = [logLinesOf(node), logLinesOf(restarted)];
  lines.forEach((line, index) => {
    if (line !== ofRestarted[index])
      breaches.push(`memory is not what the tables say: ${line} / ${ofRestarted[index]}`);
  });
  const known = transactionsOf(node);
  for (const id of before) if (!known.has(id)) breaches.push(`the transaction ${id} got lost`);
  const { found, expected } = countMoney(chain, database);
  if (found.join() !== expected.join()) breaches.push(`there is ${found}, and there should be ${expected}`);
  return breaches;
}

/** The same act works now, blocks follow, the pool gets empty, and the read model equals the tables. */
export async function breachesOnwards(
  node: SimulatedNode,
  {
    act,
    prepared,
    readModel,
  }: { readonly act: Act; readonly prepared: PreparedChain; readonly readModel: DatabaseSync },
): Promise<string[]> {
  await act.run(node, prepared);
  node.mineTo(node.height + 2);
  for (let tries = 0; node.pool.size > 0 && tries < 20; tries++) node.step();
  const waiting = node.pool.size === 0 ? [] : [`${node.pool.size} transactions wait for ever`];
  await node.node.drain();
  return [...waiting, ...differencesBetween(node.database.database, readModel)];
}
