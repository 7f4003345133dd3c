/** What the pool keeps in memory of each transaction. */
import type { BytesKey } from "../../../src/crypto/bytes.ts";
import type { PoolRank } from "./pool-order.ts";

export interface PoolEntry extends PoolRank {
  /** The transaction's id. */
  readonly key: BytesKey;
  readonly sizeBytes: number;
  /** Whether it ran scripts by the state in which it came. */
  readonly isScripted: boolean;
  /** Accounts whose scripts it runs, by the last state in which that was looked at. */
  scriptedAccounts: readonly BytesKey[];
  /** Whether all its signatures were verified as such, with no script in their place: they stay valid in every state. */
  readonly hasVerifiedSignatures: boolean;
}
