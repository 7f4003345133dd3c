/**
 * Appends a recorded chain block by block with full validation, and compares the results with the reference's: the
 * state snapshot of every transaction, both state hashes of every height.
 */

import type { Chain } from "../../durable/chain-state/chain/open-chain.ts";
import { openChain } from "../../durable/chain-state/chain/open-chain.ts";
import { StateStore } from "../../durable/chain-state/state/state-store.ts";
import { UsageError } from "../../local/cli/usage-error.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { Block } from "../../src/protocol/blocks/block.ts";
import { describeViolation } from "../../src/protocol/describe-violation.ts";
import { RuleError } from "../../src/protocol/errors.ts";
import { stateHashJson } from "../../src/protocol/snapshots/state-hash-json.ts";
import {
  encodeTransactionSnapshot,
  parseTransactionSnapshot,
  type TransactionSnapshot,
} from "../../src/protocol/snapshots/transaction-snapshot.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import type { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { IncludeTransaction } from "../../src/rules/blocks/apply-block.ts";
import type { BlockRun, ExecutedTransaction } from "../../src/rules/blocks/block-run.ts";
import { readFiledBlock } from "../../src/rules/blocks/read-filed-block.ts";
import { stateHashTable } from "../../src/tables/state-hashes.ts";
import { type NodeDatabase, stateDatabase } from "../sqlite/node-database.ts";
import { type FieldDifference, snapshotDifferences } from "./compare-snapshots.ts";
import type { RecordedStateHash, Recording } from "./recording.ts";

/** A transaction whose state snapshot differs from the recorded one, or that was refused. */
export interface TransactionDifference {
  readonly kind: "transaction";
  readonly height: number;
  /** Index in the block, from 0. */
  readonly index: number;
  readonly id: string;
  readonly type: TransactionType;
  readonly version: number;
  readonly differences: readonly FieldDifference[];
}
/** A block that is refused, or has another state hash here. */
export interface BlockDifference {
  readonly kind: "block";
  readonly height: number;
  readonly differences: readonly FieldDifference[];
}
export type Difference = TransactionDifference | BlockDifference;

export interface ReplayResult {
  /** Height reached. */
  readonly height: number;
  /** Transactions that were applied here and compared, by type. */
  readonly compared: ReadonlyMap<TransactionType, number>;
  /** Number of those whose snapshot has the same values in another order: not a difference, but visible to clients. */
  readonly reordered: number;
  /** Transactions that cannot be executed here yet, by type and reason; their recorded state snapshots were applied. */
  readonly fromRecording: ReadonlyMap<string, number>;
  readonly differences: readonly Difference[];
}

export interface ReplayOptions {
  /** True: continue after a difference, with the recorded state snapshot applied. */
  readonly all: boolean;
  /** Called after every block, the genesis block included. */
  readonly afterBlock?: (chain: Chain, database: NodeDatabase) => void;
}

/** Errors for missing features of this node, not for invalid transactions. */
const unsupported = new Set<RuleError["violation"]["code"]>(["scriptNotSupported"]);

export function replayChain(recording: Recording, options: ReplayOptions): ReplayResult {
  const { network, blocks, stateHashes } = recording;
  const { chain, store, database } = emptyChain(network);
  const protocol = new ReplayedTransactions(network.blockchain.chainId, recording.spentComplexities);
  const differences: Difference[] = [];
  const blockAppended = (): void => {
    differences.push(...protocol.drainDifferences());
    differences.push(...stateHashDifferences(chain, store, stateHashes.get(chain.view.height)));
    options.afterBlock?.(chain, database);
  };

  chain.liquid.ensureGenesis(0);
  blockAppended();
  for (const recorded of blocks) {
    if (differences.length > 0 && !options.all) break;
    const height = chain.view.height + 1;
    const block = readFiledBlock(recorded.bytes, network.blockchain.chainId);
    const refusal = append(chain, block, (run, transaction, index) =>
      protocol.replay(run, transaction, { height, index, wire: recorded.snapshots[index] }),
    );
    if (refusal !== undefined) {
      differences.push(...protocol.drainDifferences(), { kind: "block", height, differences: [refusal] });
      break;
    }
    blockAppended();
  }
  const { compared, reordered, fromRecording } = protocol;
  return { height: chain.view.height, compared, reordered, fromRecording, differences };
}

function emptyChain({ blockchain, node }: Recording["network"]) {
  const database = stateDatabase();
  const store = new StateStore(database);
  const chain = openChain({
    store,
    settings: blockchain,
    transaction: database.transaction,
    maxRollbackDepth: node.maxRollbackDepth,
    storage: { storeStateHashes: true, storeSnapshots: true },
  });
  return { chain, store, database };
}

/** Results of the transactions so far. */
class ReplayedTransactions {
  readonly #chainId: number;
  readonly #spentComplexities: ReadonlyMap<string, number>;
  readonly compared = new Map<TransactionType, number>();
  reordered = 0;
  readonly fromRecording = new Map<string, number>();
  #differences: TransactionDifference[] = [];

  constructor(chainId: number, spentComplexities: ReadonlyMap<string, number>) {
    this.#chainId = chainId;
    this.#spentComplexities = spentComplexities;
  }

  drainDifferences(): readonly TransactionDifference[] {
    const taken = this.#differences;
    this.#differences = [];
    return taken;
  }

  /** Compares the transaction's own state snapshot with the recorded one, and includes it with the latter. */
  replay(
    run: BlockRun,
    transaction: Transaction,
    recorded: { readonly height: number; readonly index: number; readonly wire: Uint8Array | undefined },
  ): void {
    const { height, index, wire } = recorded;
    const { type, version } = transaction;
    const id = encodeBase58(transaction.id);
    if (wire === undefined) throw new UsageError(`the recording has no change set for ${id} at height ${height}.`);
    const expected = parseTransactionSnapshot(wire, { transactionId: transaction.id, chainId: this.#chainId });
    const own = ownResult(run, transaction, this.#chainId);
    if (own.kind === "unsupported") {
      count(this.fromRecording, `type ${type}: ${own.reason}`);
    } else {
      count(this.compared, type);
      const differences =
        own.kind === "refused"
          ? [own.difference]
          : [...snapshotDifferences(expected, own.snapshot), ...this.#complexityDifference(id, own.executed)];
      if (differences.length > 0)
        this.#differences.push({ kind: "transaction", height, index, id, type, version, differences });
      else if (own.kind === "applied") {
        if (!equalBytes(own.wire, wire)) this.reordered += 1;
        // Our own result has data that snapshots lack but later transactions need, such as the complexity of asset
        // scripts.
        run.include(own.executed);
        return;
      }
    }
    run.addSnapshot(transaction, expected);
  }

  #complexityDifference(id: string, { included }: ExecutedTransaction): FieldDifference[] {
    const expected = this.#spentComplexities.get(id);
    if (expected === undefined || BigInt(expected) === included.spentComplexity) return [];
    return [{ field: "spentComplexity", expected: String(expected), got: String(included.spentComplexity) }];
  }
}

type OwnResult =
  | {
      readonly kind: "applied";
      readonly executed: ExecutedTransaction;
      readonly snapshot: TransactionSnapshot;
      readonly wire: Uint8Array;
    }
  | { readonly kind: "unsupported"; readonly reason: string }
  | { readonly kind: "refused"; readonly difference: FieldDifference };

/** Our result of executing the transaction, in wire form. */
function ownResult(run: BlockRun, transaction: Transaction, chainId: number): OwnResult {
  try {
    const executed = run.execute(transaction);
    const wire = encodeTransactionSnapshot(executed.included);
    const snapshot = parseTransactionSnapshot(wire, { transactionId: transaction.id, chainId });
    return { kind: "applied", executed, snapshot, wire };
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const reason = describeViolation(error.violation);
    if (unsupported.has(error.violation.code)) return { kind: "unsupported", reason };
    return { kind: "refused", difference: { field: "validity", expected: "valid", got: `refused: ${reason}` } };
  }
}

function append(chain: Chain, block: Block, include: IncludeTransaction): FieldDifference | undefined {
  try {
    chain.forks.appendBlock(block, { nowMs: Number(block.header.timestamp), verifySignatures: true, include });
    return undefined;
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return { field: "validity", expected: "valid", got: `refused: ${describeViolation(error.violation)}` };
  }
}

function stateHashDifferences(chain: Chain, store: StateStore, recorded: RecordedStateHash | undefined): Difference[] {
  const { height } = chain.view;
  if (recorded === undefined) return [];
  const { id, stateHash } = chain.stored.tip();
  const row = store.find(stateHashTable, { height });
  const header = chain.view.findHeader(height)?.header;
  if (row === undefined || header === undefined) throw new Error(`no state hash is kept at height ${height}`);
  const own = stateHashJson({ ...row, blockId: id, baseTarget: header.baseTarget });
  const pairs: [string, unknown, unknown][] = Object.entries(recorded.stateHash).map(([name, expected]) => [
    name,
    expected,
    own[name],
  ]);
  if (recorded.headerStateHash !== null)
    pairs.push(["headerStateHash", recorded.headerStateHash, encodeBase58(stateHash)]);
  const differences = pairs
    .map(([field, expected, got]) => ({ field, expected: String(expected), got: String(got) }))
    .filter(({ expected, got }) => expected !== got);
  return differences.length === 0 ? [] : [{ kind: "block", height, differences }];
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
