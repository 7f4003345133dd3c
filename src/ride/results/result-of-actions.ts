/** Result of a call from its actions. */
import type { Address } from "../../crypto/identities.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import type { Recipient } from "../../protocol/transactions/transaction.ts";
import { leaseId } from "../objects/action-ids.ts";
import type { ScriptRecipient } from "../objects/recipients.ts";
import { type CallResult, emptyCallResult } from "./call-result.ts";
import { actionsOf, type CallableAction } from "./callable-action.ts";

/** Conversion of accounts in actions. */
export interface NamedAccounts {
  readonly address: (bytes: Uint8Array) => Address;
  readonly recipient: (recipient: ScriptRecipient) => Recipient;
}

/** @throws errors of the conversion */
export function resultOfActions(
  actions: readonly CallableAction[],
  transactionId: () => Uint8Array,
  accounts: NamedAccounts,
): CallResult {
  return {
    ...emptyCallResult,
    data: actionsOf(actions, "data").map(({ key, value }) => ({ key, value })),
    transfers: actionsOf(actions, "transfer").map(({ address, amount, assetId }) => ({
      address: accounts.address(address),
      asset: assetId as AssetId | null,
      amount,
    })),
    issues: actionsOf(actions, "issue"),
    reissues: actionsOf(actions, "reissue"),
    burns: actionsOf(actions, "burn"),
    sponsorFees: actionsOf(actions, "sponsorFee"),
    leases: actionsOf(actions, "lease").map(({ recipient, amount, nonce }) => ({
      leaseId: leaseId(recipient, amount, nonce, transactionId()),
      recipient: accounts.recipient(recipient),
      amount,
      nonce,
    })),
    leaseCancels: actionsOf(actions, "leaseCancel"),
  };
}
