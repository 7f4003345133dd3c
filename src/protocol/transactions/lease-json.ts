/** Leases as the REST API prints them. @source docs/protocol/rest-api.md 3.8 */
import { addressOfPublicKey, addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import type { Address, PublicKey } from "../../crypto/identities.ts";
import type { JsonObject } from "../json.ts";

export interface LeaseInfo {
  readonly id: Uint8Array;
  readonly originTransactionId: Uint8Array;
  readonly sender: PublicKey;
  readonly recipient: Address;
  readonly amount: bigint;
  readonly height: number;
  readonly status: "active" | "canceled" | "expired";
  readonly cancelHeight: number | undefined;
  readonly cancelTransactionId: Uint8Array | undefined;
}

function knownLeaseJson(lease: LeaseInfo, chainId: number, status: string): JsonObject {
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

/** A lease on its own. */
export function leaseJson(lease: LeaseInfo, chainId: number): JsonObject {
  return knownLeaseJson(lease, chainId, lease.status);
}

/** A lease inside a transaction: it may be unknown, and an expired one is printed as canceled. */
export function leaseReferenceJson(id: Uint8Array, lease: LeaseInfo | undefined, chainId: number): JsonObject {
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
