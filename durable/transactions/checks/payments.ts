/** What a call carries to its dApp. */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { Payment } from "../../../src/protocol/transactions/transaction.ts";

/** The payments with those of one asset as one, in the order in which the assets first stand. */
export function paidAssets(payments: readonly Payment[]): readonly Payment[] {
  const sums = new Map<string, Payment>();
  for (const { asset, amount } of payments) {
    const key = asset === null ? "" : bytesKey(asset);
    sums.set(key, { asset, amount: amount + (sums.get(key)?.amount ?? 0n) });
  }
  return [...sums.values()];
}
