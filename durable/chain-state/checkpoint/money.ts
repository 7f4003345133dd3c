/** Sums over the tables of a checkpoint, which reveal inserted amounts. */

import { areLeasesRepaired } from "../../../src/rules/transactions/lease-patches.ts";
import { leaseTable } from "../../../src/tables/leases.ts";
import { whereIs } from "../../../src/tables/schema/where-is.ts";
import type { StoredChain } from "../chain/stored-chain.ts";
import type { StateStore } from "../state/state-store.ts";
import { carryFees } from "./carry-fees.ts";
import { CheckpointRefused } from "./manifest.ts";

/** Cost: reads every account and every lease. @throws CheckpointRefused */
export function verifyMoney(store: StateStore, stored: StoredChain): void {
  const waves = sum(store, "SELECT SUM(balance) FROM account") + carryFees(stored).of(null);
  const { wavesAmount } = stored.tip();
  if (waves !== wavesAmount)
    throw new CheckpointRefused(`its accounts have ${waves} wavelets, but the supply is ${wavesAmount}`);
  if (!areLeasesRepaired(stored.view)) return;
  const leased = sum(store, `SELECT SUM(amount) FROM lease WHERE ${whereIs(leaseTable, "status", "active")}`);
  for (const column of ["lease_in", "lease_out"]) {
    const ofAccounts = sum(store, `SELECT SUM(${column}) FROM account`);
    if (ofAccounts !== leased)
      throw new CheckpointRefused(`its active leases have ${leased} wavelets, but its accounts count ${ofAccounts}`);
  }
}

/** @param query returns one integer, or NULL */
function sum(store: StateStore, query: string): bigint {
  try {
    return BigInt((store.scalar(`SELECT CAST((${query}) AS TEXT)`) ?? "0") as string);
  } catch (cause) {
    throw new CheckpointRefused("its amounts are too large", { cause });
  }
}
