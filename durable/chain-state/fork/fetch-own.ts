/** State that is known for the fork's own blocks only: nodes do not return it, or not in a usable form. */

import type { RemoteStateKey } from "../../../src/network/remote-state-key.ts";
import { fetchTransaction, heightOfBlock } from "./fetch-item.ts";
import { absentState, type FetchContext, type RemoteStateValue } from "./remote-state-value.ts";
import { UnsupportedRemoteState } from "./unsupported-remote-state.ts";

/** @throws UnsupportedRemoteState */
export async function fetchBody({ of }: RemoteStateKey, { own, source }: FetchContext): Promise<RemoteStateValue> {
  const height = of === "tip" || of === "0" ? own.tipHeight() : Number(of);
  if (height > source.height) return absentState;
  throw new UnsupportedRemoteState(
    `a fork has headers up to height ${source.height}, and transactions by their ids, but no lists of transactions`,
  );
}

export async function fetchBodyOf({ of }: RemoteStateKey, context: FetchContext): Promise<RemoteStateValue> {
  const height = await heightOfBlock({ kind: "ancestor", of, item: "0" }, context);
  return height === undefined ? absentState : fetchBody({ kind: "body", of: String(height) }, context);
}

export async function fetchOwnTransaction(key: RemoteStateKey, context: FetchContext): Promise<RemoteStateValue> {
  const { of } = key;
  const { own, source } = context;
  const height = own.transactionHeight(of);
  const isOwn = height === undefined ? (await fetchTransaction(key, context)) === absentState : height > source.height;
  if (isOwn) return absentState;
  throw new UnsupportedRemoteState(
    `the transaction ${of} belongs to the live network: its changes are known only there`,
  );
}

export async function fetchTransactions({ of }: RemoteStateKey): Promise<RemoteStateValue> {
  throw new UnsupportedRemoteState(
    `a fork does not list transactions, since it lacks the blocks with most of those of ${of}`,
  );
}

export async function fetchHolders({ of }: RemoteStateKey, { own, source }: FetchContext): Promise<RemoteStateValue> {
  if ((own.issueHeight(of) ?? 0) > source.height) return absentState;
  throw new UnsupportedRemoteState(`a fork does not know the holders of ${of}, which was issued on the live network`);
}

export async function fetchToken({ of }: RemoteStateKey, { own }: FetchContext): Promise<RemoteStateValue> {
  if (own.hasToken(of)) return absentState;
  throw new UnsupportedRemoteState(
    `a fork finds the asset of the Ethereum address 0x${of} only after a request by its id: GET /assets/details/{id}`,
  );
}

export async function fetchStateAt({ of }: RemoteStateKey, { source }: FetchContext): Promise<RemoteStateValue> {
  if (Number(of) >= source.height) return absentState;
  throw new UnsupportedRemoteState(`a fork knows no state before height ${source.height}, where it starts`);
}

export async function fetchUnsupported({ of }: RemoteStateKey): Promise<RemoteStateValue> {
  throw new UnsupportedRemoteState(of);
}
