/**
 * Cache of commitments by period, from block to block: every transaction checks whether its accounts have a deposit in
 * this period or the next one, and every block which accounts may generate.
 */

import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import type { Commitment, Conflicts } from "../../rules/finality/commitment.ts";
import {
  type CommitmentRow,
  commitmentTable,
  type GeneratorConflictRow,
  generatorConflictTable,
} from "../commitments.ts";
import type { RowSource } from "./row-source.ts";

/**
 * Maximum of cached periods: the current one and the next, and their neighbours during the validation of a block in
 * another period.
 */
const MAX_CACHED_PERIODS = 4;

interface KnownPeriod {
  /** In the order of their index. */
  readonly commitments: Commitment[];
  readonly byAddress: Map<BytesKey, Commitment>;
  readonly endorserKeys: Set<BytesKey>;
  readonly conflicts: Map<number, number>;
}

export class CommittedPeriods {
  readonly #store: RowSource;
  readonly #periods = new Map<number, KnownPeriod>();

  constructor(store: RowSource) {
    this.#store = store;
  }

  commitments(periodStart: number): readonly Commitment[] {
    return this.#period(periodStart).commitments;
  }

  find(periodStart: number, address: Address): Commitment | undefined {
    const { byAddress } = this.#period(periodStart);
    // PERF: most chains have no commitments, and building a key costs more than this check.
    return byAddress.size === 0 ? undefined : byAddress.get(bytesKey(address));
  }

  hasEndorserKey(periodStart: number, endorserPublicKey: Uint8Array): boolean {
    return this.#period(periodStart).endorserKeys.has(bytesKey(endorserPublicKey));
  }

  conflicts(periodStart: number): Conflicts {
    return this.#period(periodStart).conflicts;
  }

  /** Adds a commitment. */
  advance(row: CommitmentRow): void {
    const period = this.#periods.get(row.periodStart);
    if (period !== undefined) addCommitment(period, commitmentOf(row));
  }

  /** Adds a conflict of a generator. */
  advanceConflict({ periodStart, position, height }: GeneratorConflictRow): void {
    this.#periods.get(periodStart)?.conflicts.set(position, height);
  }

  /** Clears the cache; call it when the tables have changed in another way. */
  clear(): void {
    this.#periods.clear();
  }

  #period(periodStart: number): KnownPeriod {
    const known = this.#periods.get(periodStart);
    if (known !== undefined) return known;
    const period = this.#read(periodStart);
    this.#periods.set(periodStart, period);
    // The lowest one is the least used: it is past.
    if (this.#periods.size > MAX_CACHED_PERIODS) this.#periods.delete(Math.min(...this.#periods.keys()));
    return period;
  }

  #read(periodStart: number): KnownPeriod {
    const period: KnownPeriod = {
      commitments: [],
      byAddress: new Map(),
      endorserKeys: new Set(),
      conflicts: new Map(),
    };
    for (const row of this.#store.query(commitmentTable, OF_PERIOD, periodStart))
      addCommitment(period, commitmentOf(row));
    if (period.commitments.length > 0)
      for (const { position, height } of this.#store.query(generatorConflictTable, OF_PERIOD, periodStart))
        period.conflicts.set(position, height);
    return period;
  }
}

/** Condition and order of a period's rows. */
const OF_PERIOD = "WHERE period_start = ? ORDER BY position";

function addCommitment({ commitments, byAddress, endorserKeys }: KnownPeriod, commitment: Commitment): void {
  commitments.push(commitment);
  byAddress.set(bytesKey(commitment.address), commitment);
  endorserKeys.add(bytesKey(commitment.endorserPublicKey));
}

/** Converts a row to a commitment. */
export function commitmentOf({ position, periodStart: _, ...row }: CommitmentRow): Commitment {
  return { index: position, ...row };
}
