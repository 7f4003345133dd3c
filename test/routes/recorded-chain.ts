/**
 * The recorded chain private-a as ChainState's tables hold it and its publisher copies it: blocks and change sets are the
 * recorded ones, so that transactions with scripts are there too.
 */
import { join } from "node:path";
import type { BlockRun } from "../../durable/blocks/block-run.ts";
import { Chain } from "../../durable/blocks/chain.ts";
import { Publisher } from "../../durable/publish/publisher.ts";
import { type RecordedBlock, readRecording } from "../../scripts/judge/recording.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { parseBlock } from "../../src/protocol/blocks/parse-block.ts";
import { parseTransactionSnapshot } from "../../src/protocol/snapshots/transaction-snapshot.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { testStore } from "../durable/node-sqlite.ts";
import { d1Double } from "../read-model/d1-double.ts";
import { recordedLines } from "../recorded-lines.ts";

const { network, blocks } = readRecording(join(import.meta.dirname, "..", "fixtures", "private-a"));
const { chainId } = network.blockchain;

/** Complexities that scripts spent: recorded answers, by transaction id. */
const spentComplexities = new Map(
  recordedLines<{ id: string; response: string }>("private-a/transactions.jsonl.gz").map(({ id, response }) => [
    id,
    BigInt((JSON.parse(response) as { spentComplexity: number }).spentComplexity),
  ]),
);

/** Builds the tables and publishes them. @returns the read model */
export async function recordedReadModel(): Promise<D1Database> {
  const { store, database } = testStore();
  const chain = new Chain({
    store,
    settings: network.blockchain,
    transaction: database.transaction,
    maxRollbackDepth: network.node.maxRollbackDepth,
    keeps: network.node,
  });
  chain.ensureGenesis(0);
  for (const recorded of blocks) {
    const block = parseBlock(recorded.bytes, chainId);
    const nowMs = Number(block.header.timestamp);
    chain.appendBlock(block, { nowMs, verifySignatures: false, place: asRecorded(recorded) });
  }
  const { d1 } = d1Double();
  const state = () => ({ version: `${encodeBase58(chain.tip().id)}:0`, epoch: 0, height: chain.height });
  await new Publisher({ store, database: d1, state, nowMs: () => 0 }).drain();
  return d1;
}

function asRecorded({ snapshots }: RecordedBlock) {
  return (run: BlockRun, transaction: Transaction, index: number): void => {
    const snapshot = parseTransactionSnapshot(snapshots[index] as Uint8Array, {
      transactionId: transaction.id,
      chainId,
    });
    run.addSnapshot(transaction, snapshot, spentComplexities.get(encodeBase58(transaction.id)));
  };
}
