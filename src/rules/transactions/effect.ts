/** Parts of a transaction's effect. */
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import type { EthereumCall } from "../../ride/results/call-record.ts";
import type { CallResult } from "../../ride/results/call-result.ts";
import type { StateView } from "../state/state-view.ts";
import type { BlockContext } from "./block-context.ts";

/** State snapshot of a transaction with the results of its scripts. */
export interface TransactionEffect {
  readonly snapshot: Snapshot;
  /** Complexity of the scripts that ran as part of the effect. */
  readonly spentComplexity?: number;
  /** Present for calls. */
  readonly callResult?: CallResult | undefined;
  /** Call data of an Ethereum wallet, parsed for the dApp. */
  readonly ethereumCall?: EthereumCall | undefined;
}

/** Computes the state snapshot of a transaction that meets the common rules; throws if the state does not allow it. */
export type Effect<T extends Transaction> = (
  transaction: T,
  view: StateView,
  context: BlockContext,
) => Snapshot | TransactionEffect;
