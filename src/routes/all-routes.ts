/** All routes of the node. Within a group the order matters: the first route that takes a request serves it. */
import type { Route } from "../http/route.ts";
import type { NodeContext } from "../services/context.ts";
import { activationRoutes } from "./activation.ts";
import { accountDataRoutes } from "./addresses/account-data.ts";
import { accountScriptRoutes } from "./addresses/account-scripts.ts";
import { addressBalanceRoutes } from "./addresses/address-balances.ts";
import { addressRoutes } from "./addresses/addresses.ts";
import { deletionGuards, walletRoutes } from "./addresses/wallet.ts";
import { aliasRoutes } from "./aliases.ts";
import { apiDocsRoutes } from "./api-docs/api-docs.ts";
import { apiDocsFileRoutes } from "./api-docs/api-docs-files.ts";
import { assetDistributionRoutes } from "./assets/asset-distribution.ts";
import { assetRoutes } from "./assets/assets.ts";
import { nftRoutes } from "./assets/nfts.ts";
import { blockchainRoutes } from "./blockchain.ts";
import { blockRoutes } from "./blocks/blocks.ts";
import { checkpointRoutes } from "./debug/checkpoint.ts";
import { debugRoutes } from "./debug/debug.ts";
import { ownerRoutes } from "./debug/owner.ts";
import { validationRoutes } from "./debug/validation.ts";
import { devRoutes } from "./dev/dev.ts";
import { ethereumRoutes } from "./eth/ethereum.ts";
import { explorerRoutes } from "./explorer.ts";
import { finalityRoutes } from "./finality.ts";
import { healthRoutes } from "./health.ts";
import { leasingRoutes } from "./leasing.ts";
import { metricsRoutes } from "./metrics.ts";
import { nodeRoutes } from "./node.ts";
import { peerRoutes } from "./peers.ts";
import { broadcastRoutes } from "./transactions/broadcast.ts";
import { merkleProofRoutes } from "./transactions/merkle-proofs.ts";
import { signRoutes } from "./transactions/sign.ts";
import { transactionSnapshotRoutes } from "./transactions/transaction-snapshots.ts";
import { transactionStatusRoutes } from "./transactions/transaction-status.ts";
import { transactionRoutes } from "./transactions/transactions.ts";
import { unconfirmedRoutes } from "./transactions/unconfirmed.ts";
import { unsignedTransactionRoutes } from "./transactions/unsigned-transactions.ts";
import { evaluationRoutes } from "./utils/evaluate.ts";
import { scriptSourceRoutes } from "./utils/script-sources.ts";
import { utilityRoutes } from "./utils/utilities.ts";

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
  return [...described, ...apiDocsRoutes(described), ...apiDocsFileRoutes, ...explorerRoutes];
}
