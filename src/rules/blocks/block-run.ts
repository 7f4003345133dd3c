/**
 * Sequence of the transactions of a block or micro-block: limits, effect, the generator's fee share, state hash. The
 * appender of received blocks and the miner use the same run.
 * @source Waves: state/diffs/BlockDiffer.scala; docs/protocol/consensus-and-finality.md 1.7, 1.8
 */

import { equalBytes } from "../../crypto/bytes.ts";
import type { Address, Digest } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import { BlockVersion } from "../../protocol/blocks/block-version.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { BalanceChange, Snapshot } from "../../protocol/snapshots/snapshot.ts";
import { stateHashAfterTransaction } from "../../protocol/snapshots/state-hash.ts";
import type { TransactionSnapshot } from "../../protocol/snapshots/transaction-snapshot.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import { encodeForBlock } from "../../protocol/transactions/encode-for-block.ts";
import { formatOf } from "../../protocol/transactions/table.ts";
import type { Transaction, TransactionStatus } from "../../protocol/transactions/transaction.ts";
import type { CallRecord } from "../../ride/results/call-record.ts";
import type { BlockLimits } from "../consensus/block-limits.ts";
import type { DataSpellings } from "../state/data-spellings.ts";
import type { OverlayView } from "../state/overlay-view.ts";
import { applyTransaction } from "../transactions/apply-transaction.ts";
import type { Effort } from "../transactions/block-context.ts";
import { type FeeShares, feeShares } from "../transactions/fee-shares.ts";
import { affectedAddresses } from "../transactions/participants.ts";
import { withBalanceChange } from "../transactions/portfolio.ts";

/** Transaction with its effect, as the tables store it. */
export interface IncludedTransaction {
  readonly transaction: Transaction;
  /** Encoding in the block. */
  readonly bytes: Uint8Array;
  readonly status: TransactionStatus;
  readonly spentComplexity: bigint;
  /** Includes the generator's share of the fee. */
  readonly snapshot: Snapshot;
  readonly addresses: readonly Address[];
  /** Present for calls; undefined when the snapshot came from elsewhere. Bytes: encoded as in the tables. */
  readonly callRecord?: CallRecord | Uint8Array | undefined;
}

/** Limits of the liquid block that its transactions have used. */
export interface BlockUsage {
  readonly transactions: number;
  readonly sizeBytes: number;
  readonly scriptComplexity: bigint;
}
export const noUsage: BlockUsage = { transactions: 0, sizeBytes: 0, scriptComplexity: 0n };

export interface BlockRunOptions {
  readonly overlay: OverlayView;
  readonly blockVersion: number;
  readonly generator: Address;
  readonly blockTimestamp: bigint;
  readonly previousBlockTimestamp: bigint | undefined;
  readonly limits: BlockLimits;
  readonly usage: BlockUsage;
  /** State hash before the first transaction. */
  readonly stateHash: Digest;
  /** False when the signatures are verified already. */
  readonly verifySignatures: boolean;
}

/** Effect of the next transaction, and its use of the limits. */
export interface ExecutedTransaction {
  readonly included: IncludedTransaction;
  /** Undefined for an elided transaction, which pays no fee. */
  readonly fee: FeeShares | undefined;
  readonly usage: BlockUsage;
  /** Data keys that this transaction was the first to read. */
  readonly spellingReads?: ReturnType<DataSpellings["reads"]> | undefined;
}

/** `ExecutedTransaction` without the transaction itself. */
export interface TransactionEffect extends Omit<ExecutedTransaction, "included"> {
  readonly included: Omit<IncludedTransaction, "transaction" | "bytes">;
}

export class BlockRun {
  readonly #options: BlockRunOptions;
  /** State with the included transactions. */
  readonly overlay: OverlayView;
  /** Limits of the whole block. */
  readonly limits: BlockLimits;
  readonly included: IncludedTransaction[] = [];
  usage: BlockUsage;
  stateHash: Digest;
  /** Part of these transactions' fees for the next generator, wavelets. */
  carryFee = 0n;
  /** Fees in wavelets; fees in assets without sponsorship do not count. */
  totalFee = 0n;

  constructor(options: BlockRunOptions) {
    this.#options = options;
    this.overlay = options.overlay;
    this.limits = options.limits;
    this.usage = options.usage;
    this.stateHash = options.stateHash;
  }

  /** Timestamp of the parent, ms; undefined for the genesis block. */
  get previousBlockTimestamp(): bigint | undefined {
    return this.#options.previousBlockTimestamp;
  }

  /**
   * Applies the next transaction. After an error the run is unchanged.
   * @param verifySignatures overrides the run's option
   * @throws RuleError the transaction's violation, or blockLimitExceeded when it does not fit
   */
  add(transaction: Transaction, verifySignatures?: boolean, effort?: Effort): void {
    this.include(this.execute(transaction, verifySignatures, effort));
  }

  /**
   * Executes the next transaction by the rules. Changes nothing.
   * @throws RuleError as `add`
   */
  execute(
    transaction: Transaction,
    verifySignatures = this.#options.verifySignatures,
    effort?: Effort,
  ): ExecutedTransaction {
    const { overlay, blockVersion, generator, blockTimestamp, previousBlockTimestamp } = this.#options;
    const { spellings } = overlay.block;
    spellings?.begin();
    const { snapshot, status, spentComplexity, totalComplexity, callResult, ethereumCall } = applyTransaction(
      transaction,
      overlay,
      {
        blockTimestamp,
        previousBlockTimestamp,
        blockGenerator: generator,
        verifySignatures,
        effort,
      },
    );
    const bytes = encodeForBlock(transaction, blockVersion);
    const usage = this.#usageWith(transaction, bytes, totalComplexity);
    checkLimits(usage, this.limits);
    const fee = feeShares(transaction, overlay);
    const withShare = withBalanceChange(snapshot, overlay, generator, fee.asset, fee.toGenerator);
    const addresses = affectedAddresses(transaction, snapshot, overlay, status, callResult?.invokes);
    const callRecord =
      callResult && formatOf(transaction.type).callsDApps ? { result: callResult, ethereumCall } : undefined;
    const included = { transaction, bytes, status, spentComplexity, snapshot: withShare, addresses, callRecord };
    return { included, fee, usage, spellingReads: spellings?.reads() };
  }

  /**
   * Includes the next transaction with a known effect instead of executing it: checks neither rules nor limits.
   * @param snapshot includes the generator's share of the fee
   * @param spentComplexity complexity of its scripts, if known: a state snapshot does not have it
   * @throws RuleError feeAssetUnknown, feeAssetNotSponsored, feeConversionOverflow: the fee has no value here
   * @source Waves: state/diffs/BlockDiffer.scala (apply with snapshots); docs/protocol/snapshots-and-state-hash.md 7
   */
  addSnapshot(transaction: Transaction, { snapshot, status }: TransactionSnapshot, spentComplexity = 0n): void {
    const { overlay, blockVersion } = this.#options;
    const bytes = encodeForBlock(transaction, blockVersion);
    const fee = status === "elided" ? undefined : feeShares(transaction, overlay);
    const own = fee === undefined ? snapshot : this.#withoutShare(snapshot, fee);
    const addresses = affectedAddresses(transaction, own, overlay, status);
    const included = { transaction, bytes, status, spentComplexity, snapshot, addresses };
    this.include({ included, fee, usage: this.#usageWith(transaction, bytes, spentComplexity) });
  }

  /**
   * The next transaction without effect, for a challenging block in which it is invalid. Its id is used up, no fee is
   * paid, and it uses no limits. Changes nothing yet.
   * @source Waves: state/diffs/BlockDiffer.scala (hasChallenge); docs/protocol/snapshots-and-state-hash.md 6
   */
  elided(transaction: Transaction): ExecutedTransaction {
    const { overlay, blockVersion } = this.#options;
    const status = "elided";
    const snapshot: Snapshot = {};
    const bytes = encodeForBlock(transaction, blockVersion);
    const addresses = affectedAddresses(transaction, snapshot, overlay, status);
    const included = { transaction, bytes, status, spentComplexity: 0n, snapshot, addresses } as const;
    return { included, fee: undefined, usage: this.usage };
  }

  /** Result stored earlier for the transaction on the current state of the run. */
  withStoredEffect(transaction: Transaction, { included, ...effect }: TransactionEffect): ExecutedTransaction {
    const bytes = encodeForBlock(transaction, this.#options.blockVersion);
    return { ...effect, included: { ...included, transaction, bytes } };
  }

  /** Includes the transaction as the next one. It must have been executed on the current state of the run. */
  include({ included, fee, usage, spellingReads }: ExecutedTransaction): void {
    const { overlay } = this.#options;
    const { transaction, snapshot, status } = included;
    if (spellingReads !== undefined) overlay.block.spellings?.addFirstReads(spellingReads);
    overlay.apply(snapshot);
    overlay.include(transaction, status);
    this.usage = usage;
    this.carryFee += fee?.carry ?? 0n;
    this.totalFee += fee?.wavesFee ?? 0n;
    this.stateHash = stateHashAfterTransaction(this.stateHash, snapshot, {
      height: overlay.height,
      transactionId: transaction.id,
      status,
    });
    this.included.push(included);
  }

  #usageWith(transaction: Transaction, bytes: Uint8Array, complexity: bigint): BlockUsage {
    const { transactions, sizeBytes, scriptComplexity } = this.usage;
    const { overlay, blockVersion } = this.#options;
    // A block before feature 15 encodes transactions in their own form, but counts their protobuf sizes.
    const isEarly = blockVersion < BlockVersion.Protobuf && overlay.isActive(Feature.BlockV5, overlay.height + 1);
    const { length } = isEarly ? encodeForBlock(transaction, BlockVersion.Protobuf) : bytes;
    return {
      transactions: transactions + 1,
      sizeBytes: sizeBytes + length,
      scriptComplexity: scriptComplexity + complexity,
    };
  }

  /** Removes the generator's balance when the fee share is its only change: the generator takes no part then. */
  #withoutShare(snapshot: Snapshot, { asset, toGenerator }: FeeShares): Snapshot {
    const { overlay, generator } = this.#options;
    const isShareAlone = (change: BalanceChange): boolean =>
      equalBytes(change.address, generator) &&
      isSameAsset(change.asset, asset) &&
      change.balance === overlay.balance(generator, asset) + toGenerator;
    return { ...snapshot, balances: (snapshot.balances ?? []).filter((change) => !isShareAlone(change)) };
  }
}

function isSameAsset(left: Asset, right: Asset): boolean {
  return left === null || right === null ? left === right : equalBytes(left, right);
}

/** @throws RuleError blockLimitExceeded */
function checkLimits(usage: BlockUsage, limits: BlockLimits): void {
  const check = (limit: string, got: bigint, allowed: number | undefined): void => {
    if (allowed !== undefined && got > BigInt(allowed))
      throw new RuleError({ code: "blockLimitExceeded", limit, allowed: BigInt(allowed), got });
  };
  check("number of transactions", BigInt(usage.transactions), limits.transactions);
  check("size of all transactions in bytes", BigInt(usage.sizeBytes), limits.sizeBytes);
  check("complexity of all scripts", usage.scriptComplexity, limits.scriptComplexity);
}
