/**
 * State snapshot of a call in the order of the reference's tables, which clients see.
 * @source Waves: state/StateSnapshot.scala, protobuf/PBSnapshots.scala
 */

import { addressHash, bytesHash, inHashTableOrder, textHash } from "../../../protocol/hash-table-order.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";

export function inTableOrder(snapshot: Snapshot): Snapshot {
  const { leaseBalances, newLeases, cancelledLeases, assetVolumes, assetTexts, sponsorships, accountData } = snapshot;
  return {
    ...snapshot,
    ...(leaseBalances && { leaseBalances: inHashTableOrder(leaseBalances, ({ address }) => addressHash(address)) }),
    ...(newLeases && { newLeases: inHashTableOrder(newLeases, ({ leaseId }) => bytesHash(leaseId)) }),
    ...(cancelledLeases && { cancelledLeases: inHashTableOrder(cancelledLeases, ({ leaseId }) => bytesHash(leaseId)) }),
    ...(assetVolumes && { assetVolumes: inHashTableOrder(assetVolumes, ({ assetId }) => bytesHash(assetId)) }),
    ...(assetTexts && { assetTexts: inHashTableOrder(assetTexts, ({ assetId }) => bytesHash(assetId)) }),
    ...(sponsorships && { sponsorships: inHashTableOrder(sponsorships, ({ assetId }) => bytesHash(assetId)) }),
    ...(accountData && {
      accountData: inHashTableOrder(accountData, ({ address }) => addressHash(address)).map(({ address, entries }) => ({
        address,
        entries: inHashTableOrder(entries, ({ key }) => textHash(key)),
      })),
    }),
  };
}
