/** Checks that amounts are conserved. */
import type { Chain } from "../../durable/chain-state/chain/open-chain.ts";
import { carryFees } from "../../durable/chain-state/checkpoint/carry-fees.ts";
import type { Asset } from "../../src/protocol/transactions/asset.ts";
import type { TestDatabase } from "../sqlite/test-database.ts";

/** Actual and expected sums over all accounts, as lines of text. */
export interface MoneyCount {
  readonly found: readonly string[];
  readonly expected: readonly string[];
}

/**
 * WAVES: all balances plus the carry fee equal the amounts issued by genesis and rewards. Each asset: all balances plus
 * the carry fee equal the amount issued and not burned. Leases: leased out, leased in and active leases are equal.
 */
export function countMoney(chain: Chain, { database }: Pick<TestDatabase, "database">): MoneyCount {
  const rows = (sql: string): Record<string, unknown>[] => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all();
  };
  // Not summed by SQLite: the supply of some old assets exceeds 64 bits.
  const sum = (column: string, where: string): bigint =>
    rows(`SELECT ${column} AS amount FROM ${where}`).reduce((total, { amount }) => total + (amount as bigint), 0n);
  const onTheWay = carryFees(chain.stored);
  const waves = sum("balance", "account") + onTheWay.of(null);
  const leased = sum("amount", "lease WHERE status = 0");
  const assets = rows("SELECT id, volume FROM asset ORDER BY id").map(({ id, volume }) => {
    const hex = Buffer.from(id as Uint8Array).toString("hex");
    const held = sum("balance", `asset_balance WHERE asset = x'${hex}'`);
    return { hex, found: held + onTheWay.of(id as Uint8Array as Asset), expected: BigInt(volume as string) };
  });
  return {
    found: [
      `WAVES ${waves}`,
      `leased in ${sum("lease_in", "account")}`,
      `leased out ${sum("lease_out", "account")}`,
      ...assets.map(({ hex, found }) => `${hex} ${found}`),
    ],
    expected: [
      `WAVES ${chain.stored.tip().wavesAmount}`,
      `leased in ${leased}`,
      `leased out ${leased}`,
      ...assets.map(({ hex, expected }) => `${hex} ${expected}`),
    ],
  };
}
