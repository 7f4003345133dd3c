/** Generator of one kind of transaction. */
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import type { ChainWorld } from "./chain-world.ts";

export interface TransactionGenerator {
  /** Relative frequency. */
  readonly weight: number;
  /** A transaction that the chain should accept now; undefined while the chain lacks its preconditions. */
  readonly make: (world: ChainWorld) => Transaction | undefined;
}
