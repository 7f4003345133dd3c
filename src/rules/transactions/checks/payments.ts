/** Payments of a call. */
import { bytesKey } from "../../../crypto/bytes.ts";
import { assetHash, inHashMapOrder } from "../../../protocol/hash-table-order.ts";
import type { Payment } from "../../../protocol/transactions/transaction.ts";

/**
 * Payments summed by asset, in the order in which the reference checks them: of two missing assets, the first is in the
 * error.
 */
export function paidAssets(payments: readonly Payment[]): readonly Payment[] {
  const sums = new Map<string, Payment>();
  for (const { asset, amount } of payments) {
    const key = asset === null ? "" : bytesKey(asset);
    // The sum wraps around: later checks find that it was too large.
    sums.set(key, { asset, amount: BigInt.asIntN(64, amount + (sums.get(key)?.amount ?? 0n)) });
  }
  return inHashMapOrder([...sums.values()], ({ asset }) => assetHash(asset));
}
