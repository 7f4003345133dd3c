/**
 * Commitments to generate blocks in a period, as the state keeps them.
 * @source docs/protocol/consensus-and-finality.md 3.2, 3.3
 */
import type { Address, PublicKey } from "../../crypto/identities.ts";
import type { TransactionId } from "../../protocol/transactions/transaction.ts";

/** One of a period, to which it belongs by its list. */
export interface Commitment {
  /** Place among the commitments to the period, from 0 on, in the order of their transactions. It never changes. */
  readonly index: number;
  readonly address: Address;
  readonly publicKey: PublicKey;
  /** BLS key with which the generator endorses, 48 bytes. */
  readonly endorserPublicKey: Uint8Array;
  readonly transactionId: TransactionId;
  /** Height of the block that holds the transaction. */
  readonly height: number;
}

/** Endorsements that contradict each other: heights of the blocks that carried them, by the index of the generator. */
export type Conflicts = ReadonlyMap<number, number>;
