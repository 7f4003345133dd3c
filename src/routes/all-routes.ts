/** All routes of the node. Within a group the order matters: the first route that takes a request serves it. */
import type { Route } from "../http/route.ts";
import { accountDataRoutes } from "./account-data.ts";
import { accountScriptRoutes } from "./account-scripts.ts";
import { activationRoutes } from "./activation.ts";
import { addressBalanceRoutes } from "./address-balances.ts";
import { addressRoutes } from "./addresses.ts";
import { aliasRoutes } from "./aliases.ts";
import { apiDocsRoutes } from "./api-docs.ts";
import { assetDistributionRoutes } from "./asset-distribution.ts";
import { assetRoutes } from "./assets.ts";
import { blockchainRoutes } from "./blockchain.ts";
import { blockRoutes } from "./blocks.ts";
import { broadcastRoutes } from "./broadcast.ts";
import { checkpointRoutes } from "./checkpoint.ts";
import type { NodeContext } from "./context.ts";
import { debugRoutes } from "./debug.ts";
import { devRoutes } from "./dev.ts";
import { ethereumRoutes } from "./ethereum.ts";
import { evaluationRoutes } from "./evaluate.ts";
import { explorerRoutes } from "./explorer.ts";
import { finalityRoutes } from "./finality.ts";
import { healthRoutes } from "./health.ts";
import { leasingRoutes } from "./leasing.ts";
import { merkleProofRoutes } from "./merkle-proofs.ts";
import { metricsRoutes } from "./metrics.ts";
import { nftRoutes } from "./nfts.ts";
import { nodeRoutes } from "./node.ts";
import { ownerRoutes } from "./owner.ts";
import { pageRoutes } from "./page.ts";
import { peerRoutes } from "./peers.ts";
import { scriptSourceRoutes } from "./script-sources.ts";
import { signRoutes } from "./sign.ts";
import { transactionSnapshotRoutes } from "./transaction-snapshots.ts";
import { transactionStatusRoutes } from "./transaction-status.ts";
import { transactionRoutes } from "./transactions.ts";
import { unconfirmedRoutes } from "./unconfirmed.ts";
import { unsignedTransactionRoutes } from "./unsigned-transactions.ts";
import { utilityRoutes } from "./utilities.ts";
import { validationRoutes } from "./validation.ts";
import { deletionGuards, walletRoutes } from "./wallet.ts";

const endpoints: readonly Route<NodeContext>[] = [
  // Before blocks, which would parse the names in their paths as ids.
  ...finalityRoutes,
  ...blockRoutes,
  ...deletionGuards,
  ...addressBalanceRoutes,
  ...addressRoutes,
  ...walletRoutes,
  ...accountDataRoutes,
  ...accountScriptRoutes,
  ...transactionRoutes,
  ...transactionSnapshotRoutes,
  ...transactionStatusRoutes,
  ...merkleProofRoutes,
  ...unconfirmedRoutes,
  ...broadcastRoutes,
  ...signRoutes,
  ...unsignedTransactionRoutes,
  ...nftRoutes,
  ...assetDistributionRoutes,
  ...assetRoutes,
  ...leasingRoutes,
  ...aliasRoutes,
  ...activationRoutes,
  ...blockchainRoutes,
  ...ethereumRoutes,
  ...nodeRoutes,
  ...healthRoutes,
  ...metricsRoutes,
  ...utilityRoutes,
  ...scriptSourceRoutes,
  ...evaluationRoutes,
  ...validationRoutes,
  ...ownerRoutes,
  ...debugRoutes,
  ...checkpointRoutes,
  ...peerRoutes,
];

export const allRoutes = served(endpoints);

/** Routes of a dev chain. Other chains have neither its controls nor a document that lists them. */
export const devChainRoutes = served([...endpoints, ...devRoutes]);

/** Adds the pages, and the document of exactly these endpoints. */
function served(described: readonly Route<NodeContext>[]): readonly Route<NodeContext>[] {
  return [...described, ...apiDocsRoutes(described), ...pageRoutes, ...explorerRoutes];
}
