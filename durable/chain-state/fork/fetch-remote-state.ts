/** Fetching of remote state by the kind of its key. */
import type { RemoteFact, RemoteFactKind } from "../../../src/network/remote-state-key.ts";
import {
  bringAccount,
  bringAliases,
  bringBalance,
  bringDataOwner,
  bringEntries,
  bringEntry,
  bringHoldings,
  bringLeases,
  bringNfts,
  bringScript,
} from "./fetch-account.ts";
import {
  bringAlias,
  bringAncestor,
  bringAsset,
  bringBlock,
  bringHeader,
  bringLease,
  bringTime,
  bringTransaction,
} from "./fetch-item.ts";
import {
  bringBody,
  bringBodyOf,
  bringHolders,
  bringOwnTransaction,
  bringStateAt,
  bringToken,
  bringTransactions,
  bringUntold,
} from "./fetch-own.ts";
import type { AskingFacts, BroughtFact } from "./remote-state-value.ts";

type Bring = (key: RemoteFact, context: AskingFacts) => Promise<BroughtFact>;

const bringers: Readonly<Record<RemoteFactKind, Bring>> = {
  account: bringAccount,
  script: bringScript,
  balance: bringBalance,
  holdings: bringHoldings,
  nfts: bringNfts,
  entry: bringEntry,
  entries: bringEntries,
  dataOwner: bringDataOwner,
  asset: bringAsset,
  alias: bringAlias,
  aliases: bringAliases,
  lease: bringLease,
  leases: bringLeases,
  transaction: bringTransaction,
  header: bringHeader,
  block: bringBlock,
  ancestor: bringAncestor,
  time: bringTime,
  body: bringBody,
  bodyOf: bringBodyOf,
  ownTransaction: bringOwnTransaction,
  transactions: bringTransactions,
  holders: bringHolders,
  token: bringToken,
  stateAt: bringStateAt,
  untold: bringUntold,
};

/** @throws RemoteFault the node did not respond; UntoldFault no node returns this state */
export function bringFact(key: RemoteFact, context: AskingFacts): Promise<BroughtFact> {
  return bringers[key.kind](key, context);
}
