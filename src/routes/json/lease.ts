/** Leases as the interface prints them. @source spec/rest-api.md 3.8 */
import { addressOfPublicKey, addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { leasesQuery, type StoredLease } from "../../read-model/lease.ts";
import type { ReadModel } from "../../read-model/read-model.ts";

/** The leases of the ids, in their order; nothing is asked when there are none. */
export async function leasesOf(
  ids: readonly (Uint8Array | undefined)[],
  model: ReadModel,
): Promise<readonly (StoredLease | undefined)[]> {
  if (ids.every((id) => id === undefined)) return [];
  const { values } = await model.read(leasesQuery(ids.map((id) => id ?? new Uint8Array(0))));
  return values[0];
}

function knownLeaseJson(lease: StoredLease, chainId: number, status: string): JsonObject {
  return {
    id: encodeBase58(lease.id),
    originTransactionId: encodeBase58(lease.originTransactionId),
    sender: addressText(addressOfPublicKey(lease.sender, chainId)),
    recipient: addressText(lease.recipient),
    amount: lease.amount,
    height: lease.height,
    status,
    cancelHeight: lease.cancelHeight ?? null,
    cancelTransactionId: lease.cancelTransactionId ? encodeBase58(lease.cancelTransactionId) : null,
  };
}

/** A lease by itself. */
export function leaseJson(lease: StoredLease, chainId: number): JsonObject {
  return knownLeaseJson(lease, chainId, lease.status);
}

/** A lease inside a transaction: it may be unknown, and an expired one counts as canceled. */
export function leaseReferenceJson(id: Uint8Array, lease: StoredLease | undefined, chainId: number): JsonObject {
  if (lease !== undefined) return knownLeaseJson(lease, chainId, lease.status === "active" ? "active" : "canceled");
  return {
    id: encodeBase58(id),
    originTransactionId: null,
    sender: null,
    recipient: null,
    amount: null,
    height: null,
    status: "canceled",
    cancelHeight: null,
    cancelTransactionId: null,
  };
}
