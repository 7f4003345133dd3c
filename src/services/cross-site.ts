/**
 * Protection of impersonation on a dev chain, which accepts transactions without proofs: a web page of another site
 * must not send one, although it can reach any node that its reader's browser reaches.
 */
import { ApiError } from "../http/api-error.ts";
import type { RouteRequest } from "../http/route-request.ts";
import { RuleError } from "../protocol/errors.ts";
import { hasProofs } from "../protocol/transactions/signer.ts";
import type { Transaction } from "../protocol/transactions/transaction.ts";
import { TransactionType } from "../protocol/transactions/transaction-type.ts";
import { verifyOrderProof, verifyTransactionProof } from "../rules/transactions/checks/proofs.ts";
import type { NodeContext } from "./context.ts";

/**
 * Header in which browsers report the relation of a page's site; locally the front server sets it for all requests, and
 * also checks the host name.
 * @source W3C Fetch Metadata Request Headers, 2.3
 */
export const siteHeader = "Sec-Fetch-Site";
export const CROSS_SITE = "cross-site";

/**
 * @throws ApiError apiKeyNotValid: a page of another site sends, without the API key, a transaction that only
 *   impersonation makes valid
 */
export async function refuseCrossSite(
  transaction: Transaction,
  { headers }: Pick<RouteRequest, "headers">,
  { network, chainState, hasApiKey }: Pick<NodeContext, "network" | "chainState" | "hasApiKey">,
): Promise<void> {
  if (network.isDevChain !== true || headers.get(siteHeader) !== CROSS_SITE) return;
  if (isSignedByKeys(transaction) || hasApiKey(headers)) return;
  const { impersonated } = await chainState.dev.status();
  if (impersonated.length > 0) throw new ApiError({ code: "apiKeyNotValid" });
}

/** Whether the sender and the owners of orders have signed, each with the key of the account. */
function isSignedByKeys(transaction: Transaction): boolean {
  if (!hasProofs(transaction)) return true;
  const options = { refuseWeakKeys: false, verifySignatures: true };
  try {
    verifyTransactionProof(transaction, options);
    if (transaction.type !== TransactionType.Exchange) return true;
    for (const order of [transaction.order1, transaction.order2]) verifyOrderProof(order, options);
    return true;
  } catch (error) {
    if (error instanceof RuleError) return false;
    throw error;
  }
}
