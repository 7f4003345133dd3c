/** In-memory entry of a pool transaction. */
import type { BytesKey } from "../../../src/crypto/bytes.ts";
import type { PoolRank } from "./pool-order.ts";

export interface PoolEntry extends PoolRank {
  /** The transaction's id. */
  readonly key: BytesKey;
  readonly sizeBytes: number;
  /** Whether the transaction ran scripts on the state of its arrival. */
  readonly isScripted: boolean;
  /** Accounts whose scripts the transaction runs, on the state in which that was last checked. */
  scriptedAccounts: readonly BytesKey[];
  /** Whether all signatures were verified, with no script instead of one: they stay valid in every state. */
  readonly hasVerifiedSignatures: boolean;
}
