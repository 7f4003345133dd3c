/** What a call carries to its dApp. */
import { bytesKey } from "../../../crypto/bytes.ts";
import { assetHash, inHashMapOrder } from "../../../protocol/hash-table-order.ts";
import type { Payment } from "../../../protocol/transactions/transaction.ts";

/**
 * The payments with those of one asset as one, in the order in which the reference looks at them: it tells which of two
 * missing ones is named.
 */
export function paidAssets(payments: readonly Payment[]): readonly Payment[] {
  const sums = new Map<string, Payment>();
  for (const { asset, amount } of payments) {
    const key = asset === null ? "" : bytesKey(asset);
    // The sum wraps around: that it was too much is found by what comes after.
    sums.set(key, { asset, amount: BigInt.asIntN(64, amount + (sums.get(key)?.amount ?? 0n)) });
  }
  return inHashMapOrder([...sums.values()], ({ asset }) => assetHash(asset));
}
