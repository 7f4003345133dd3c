/**
 * Commitments to generate blocks in a period, as the state stores them.
 * @source docs/protocol/consensus-and-finality.md 3.2, 3.3
 */
import type { Address, PublicKey } from "../../crypto/identities.ts";
import type { TransactionId } from "../../protocol/transactions/transaction.ts";

/** Commitment; the list that contains it determines the period. */
export interface Commitment {
  /** Index among the commitments to the period, from 0 on, in the order of their transactions. It never changes. */
  readonly index: number;
  readonly address: Address;
  readonly publicKey: PublicKey;
  /** BLS key with which the generator endorses, 48 bytes. */
  readonly endorserPublicKey: Uint8Array;
  readonly transactionId: TransactionId;
  /** Height of the block with the transaction. */
  readonly height: number;
}

/** Conflicting endorsements: heights of the blocks that carried them, by the index of the generator. */
export type Conflicts = ReadonlyMap<number, number>;
