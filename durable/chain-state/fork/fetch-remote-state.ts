/** Fetching of remote state by the kind of its key. */
import type { RemoteStateKey, RemoteStateKind } from "../../../src/network/remote-state-key.ts";
import {
  fetchAccount,
  fetchAliases,
  fetchBalance,
  fetchDataOwner,
  fetchEntries,
  fetchEntry,
  fetchHoldings,
  fetchLeases,
  fetchNfts,
  fetchScript,
} from "./fetch-account.ts";
import {
  fetchAlias,
  fetchAncestor,
  fetchAsset,
  fetchBlock,
  fetchHeader,
  fetchLease,
  fetchTime,
  fetchTransaction,
} from "./fetch-item.ts";
import {
  fetchBody,
  fetchBodyOf,
  fetchHolders,
  fetchOwnTransaction,
  fetchStateAt,
  fetchToken,
  fetchTransactions,
  fetchUnsupported,
} from "./fetch-own.ts";
import type { FetchContext, RemoteStateValue } from "./remote-state-value.ts";

type Fetch = (key: RemoteStateKey, context: FetchContext) => Promise<RemoteStateValue>;

const fetchers: Readonly<Record<RemoteStateKind, Fetch>> = {
  account: fetchAccount,
  script: fetchScript,
  balance: fetchBalance,
  holdings: fetchHoldings,
  nfts: fetchNfts,
  entry: fetchEntry,
  entries: fetchEntries,
  dataOwner: fetchDataOwner,
  asset: fetchAsset,
  alias: fetchAlias,
  aliases: fetchAliases,
  lease: fetchLease,
  leases: fetchLeases,
  transaction: fetchTransaction,
  header: fetchHeader,
  block: fetchBlock,
  ancestor: fetchAncestor,
  time: fetchTime,
  body: fetchBody,
  bodyOf: fetchBodyOf,
  ownTransaction: fetchOwnTransaction,
  transactions: fetchTransactions,
  holders: fetchHolders,
  token: fetchToken,
  stateAt: fetchStateAt,
  untold: fetchUnsupported,
};

/** @throws RemoteNodeError the node did not respond; UnsupportedRemoteState no node returns this state */
export function fetchRemoteState(key: RemoteStateKey, context: FetchContext): Promise<RemoteStateValue> {
  return fetchers[key.kind](key, context);
}
