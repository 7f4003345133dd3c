/** One kind of transaction that a made chain holds. */
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { ChainWorld } from "./chain-world.ts";

export interface Maker {
  /** How often it is asked, against the others. */
  readonly weight: number;
  /** A transaction that the chain should take now; undefined while the chain has nothing to make it of. */
  readonly make: (world: ChainWorld) => Transaction | undefined;
}
