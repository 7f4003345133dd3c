/** Every route of the node. Within a group the order counts: the first that takes a request answers it. */
import type { Route } from "../http/route.ts";
import { activationRoutes } from "./activation.ts";
import { addressBalanceRoutes } from "./address-balances.ts";
import { addressRoutes } from "./addresses.ts";
import { aliasRoutes } from "./aliases.ts";
import { assetRoutes } from "./assets.ts";
import { blockchainRoutes } from "./blockchain.ts";
import { blockRoutes } from "./blocks.ts";
import { broadcastRoutes } from "./broadcast.ts";
import type { NodeContext } from "./context.ts";
import { debugRoutes } from "./debug.ts";
import { leasingRoutes } from "./leasing.ts";
import { nodeRoutes } from "./node.ts";
import { transactionSnapshotRoutes } from "./transaction-snapshots.ts";
import { transactionStatusRoutes } from "./transaction-status.ts";
import { transactionRoutes } from "./transactions.ts";
import { unconfirmedRoutes } from "./unconfirmed.ts";
import { utilityRoutes } from "./utilities.ts";

export const allRoutes: readonly Route<NodeContext>[] = [
  ...blockRoutes,
  ...addressBalanceRoutes,
  ...addressRoutes,
  ...transactionRoutes,
  ...transactionSnapshotRoutes,
  ...transactionStatusRoutes,
  ...unconfirmedRoutes,
  ...broadcastRoutes,
  ...assetRoutes,
  ...leasingRoutes,
  ...aliasRoutes,
  ...activationRoutes,
  ...blockchainRoutes,
  ...nodeRoutes,
  ...utilityRoutes,
  ...debugRoutes,
];
