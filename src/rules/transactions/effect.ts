/** What an effect of a transaction is made of. */
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import type { EthereumCall } from "../../ride/results/call-record.ts";
import type { CallResult } from "../../ride/results/call-result.ts";
import type { StateView } from "../state/state-view.ts";
import type { BlockContext } from "./block-context.ts";

/** What a transaction does by way of scripts, beside its change set. */
export interface TransactionEffect {
  readonly snapshot: Snapshot;
  /** Spent by the scripts that were part of the effect. */
  readonly spentComplexity?: number;
  /** Of calls. */
  readonly callResult?: CallResult | undefined;
  /** What the call data of an Ethereum wallet meant to the dApp. */
  readonly ethereumCall?: EthereumCall | undefined;
}

/** The change set of a transaction that meets the common rules, or a fault where the state does not allow it. */
export type Effect<T extends Transaction> = (
  transaction: T,
  view: StateView,
  context: BlockContext,
) => Snapshot | TransactionEffect;
