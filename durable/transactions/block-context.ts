/** What a transaction is checked against beside the state: the block it is put into. */
import type { Address } from "../../src/crypto/identities.ts";

export interface BlockContext {
  /** Milliseconds; undefined for the genesis block. */
  readonly previousBlockTimestamp: bigint | undefined;
  /** Milliseconds; for the pool the time now. */
  readonly blockTimestamp: bigint;
  readonly blockGenerator: Address;
  /** False where the signatures were verified before, in one batch. How many there are is checked all the same. */
  readonly verifySignatures: boolean;
}
