/** Remote state of accounts: the requests for it, and its rows. */
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import {
  aliasStateKey,
  balanceStateKey,
  entryStateKey,
  idStateKey,
  type RemoteStateKey,
} from "../../../src/network/remote-state-key.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { DataEntry, LeaseId, Script } from "../../../src/protocol/transactions/transaction.ts";
import { accountScriptTable } from "../../../src/tables/account-scripts.ts";
import { accountTable, assetBalanceTable, balanceHistoryTable } from "../../../src/tables/accounts.ts";
import { aliasTable } from "../../../src/tables/aliases.ts";
import { dataEntryTable, dataOwnerTable } from "../../../src/tables/data-entries.ts";
import { leaseTable } from "../../../src/tables/leases.ts";
import { accountAliasTable, accountLeaseTable, accountNftTable } from "../../../src/tables/lists.ts";
import { written } from "../../../src/tables/schema/row-change.ts";
import { RemoteNodeError } from "./remote-node.ts";
import {
  aliasesResponse,
  assetBalanceResponse,
  balanceDetailsResponse,
  balancesAtResponse,
  booleanResponse,
  entriesResponse,
  holdingsResponse,
  leasesResponse,
  nftsResponse,
  parseResponse,
  scriptInfoResponse,
} from "./remote-responses.ts";
import type { FetchContext, FetchedRow, RemoteStateValue } from "./remote-state-value.ts";

/** First number in lists of the interface: entries of the live network come before those of the fork. */
const FIRST_NUMBER = -1_000_000_000;
/** Blocks of a generating balance. */
const GENERATING_BLOCKS = 1_000;
/** NFTs in one request. */
const NFT_PAGE = 100;
/** Maximum of NFTs of an account; with more it is not listed. */
const MAX_NFTS = 2_000;

const addressOf = (of: string): Address => decodeBase58(of) as Uint8Array as Address;

/**
 * Fetches WAVES and leases. The balance at the fork's height is exact if the node still returns it: a generator gets
 * rewards without a transaction.
 * @throws RemoteNodeError also while the live network's tip challenges a block of the account, since nodes then return
 *   no leases to it
 */
export async function fetchAccount(
  { of }: RemoteStateKey,
  { request, source }: FetchContext,
): Promise<RemoteStateValue> {
  const detailed = { path: `/addresses/balance/details/${of}` };
  const {
    regular: now,
    generating,
    available,
    effective,
  } = parseResponse(balanceDetailsResponse, detailed, await request(detailed));
  if (effective < available)
    throw new RemoteNodeError(
      `the last block of the live network challenges ${of}: its balances are available again with the next one`,
    );
  const atHeight = { path: `/addresses/balance?height=${source.height}&address=${of}` };
  const then = await request(atHeight);
  const regular = then.status === 200 ? parseResponse(balancesAtResponse, atHeight, then)[0].balance : now;
  const leaseOut = now - available;
  const leaseIn = effective - available;
  // A balance below the amount leased out now: leases have changed since, so both are taken from the present.
  const balance = regular < leaseOut ? now : regular;
  const address = addressOf(of);
  const row = { address, balance, leaseIn, leaseOut };
  if (balance === 0n && leaseIn === 0n && leaseOut === 0n) return { owner: of, rows: () => [] };
  // Generating balances are minima over a window: the minimum is written at the window's start, and the present balance
  // at the fork's height.
  const from = Math.max(source.height - GENERATING_BLOCKS, 1);
  const least = generating < effective ? generating : effective;
  const early = { address, height: from, balance: least, leaseIn: 0n, leaseOut: 0n };
  const history =
    least === effective || from === source.height
      ? [{ ...row, height: from }]
      : [...(least > 0n ? [early] : []), { ...row, height: source.height }];
  return {
    owner: of,
    rows: () => [
      { row: written(accountTable, row) },
      ...history.map((past): FetchedRow => ({ row: written(balanceHistoryTable, past) })),
    ],
  };
}

export async function fetchScript(
  { of }: RemoteStateKey,
  { request: ask, source }: FetchContext,
): Promise<RemoteStateValue> {
  const request = { path: `/addresses/scriptInfo/${of}` };
  const { script, verifierComplexity, publicKey } = parseResponse(scriptInfoResponse, request, await ask(request));
  if (script === null || script === undefined) return { owner: of, rows: () => [] };
  if (publicKey === null || publicKey === undefined)
    throw new RemoteNodeError(`the response to ${request.path} has a script without the public key of its account`);
  const row = {
    address: addressOf(of),
    publicKey: publicKey as PublicKey,
    script: script as Script,
    verifierComplexity,
    height: source.height,
  };
  return { owner: of, rows: () => [{ row: written(accountScriptTable, row) }] };
}

export async function fetchBalance(
  { of, item = "" }: RemoteStateKey,
  { request: ask }: FetchContext,
): Promise<RemoteStateValue> {
  const request = { path: `/assets/balance/${of}/${item}` };
  const response = await ask(request);
  // Nodes differ in their response for an asset that does not exist.
  const balance = response.status === 200 ? parseResponse(assetBalanceResponse, request, response).balance : 0n;
  if (response.status !== 200) {
    const asset = { path: `/assets/details/${item}?full=true` };
    if ((await ask(asset)).status === 200) parseResponse(assetBalanceResponse, request, response);
  }
  return { owner: of, rows: () => balanceRows(addressOf(of), decodeBase58(item) as Uint8Array as AssetId, balance) };
}

function balanceRows(address: Address, asset: AssetId, balance: bigint): readonly FetchedRow[] {
  return balance === 0n ? [] : [{ row: written(assetBalanceTable, { address, asset, balance }) }];
}

export async function fetchHoldings({ of }: RemoteStateKey, { request: ask }: FetchContext): Promise<RemoteStateValue> {
  const request = { path: `/assets/balance/${of}` };
  const { balances } = parseResponse(holdingsResponse, request, await ask(request));
  const address = addressOf(of);
  return {
    owner: of,
    needs: balances.map(({ assetId }) => idStateKey("asset", assetId)),
    rows: () =>
      balances.flatMap(({ assetId, balance }) =>
        balanceRows(address, assetId as AssetId, balance).map((row) => ({
          ...row,
          part: balanceStateKey(address, assetId),
        })),
      ),
  };
}

/**
 * NFTs that the account has given away on the fork are listed as such; those that it has received there come after
 * them.
 */
export async function fetchNfts(
  { of }: RemoteStateKey,
  { request: ask, source }: FetchContext,
): Promise<RemoteStateValue> {
  const address = addressOf(of);
  const held: Uint8Array[] = [];
  let after = "";
  for (;;) {
    const request = { path: `/assets/nft/${of}/limit/${NFT_PAGE}${after}` };
    const response = await ask(request);
    const page = parseResponse(nftsResponse, request, response);
    held.push(...page.filter(({ issueHeight }) => issueHeight <= source.height).map(({ assetId }) => assetId));
    if (held.length > MAX_NFTS)
      throw new RemoteNodeError(`the account ${of} has more than ${MAX_NFTS} NFTs: they are not listed`);
    const last = page.at(-1);
    if (last === undefined || page.length < NFT_PAGE) break;
    after = `?after=${idStateKey("asset", last.assetId).of}`;
  }
  return {
    owner: of,
    needs: held.map((id) => idStateKey("asset", id)),
    rows: ({ store, isKnown }) =>
      held.flatMap((id, index): readonly FetchedRow[] => {
        const asset = id as AssetId;
        const part = balanceStateKey(address, asset);
        const balance = isKnown(part) ? (store.find(assetBalanceTable, { address, asset })?.balance ?? 0n) : 1n;
        const listed = { address, asset, number: FIRST_NUMBER + index, isHeld: balance > 0n };
        return [
          { row: written(accountNftTable, listed) },
          { row: written(assetBalanceTable, { address, asset, balance: 1n }), part },
        ];
      }),
  };
}

export async function fetchEntry(
  { of, item = "" }: RemoteStateKey,
  { request: ask }: FetchContext,
): Promise<RemoteStateValue> {
  const request = { path: `/addresses/data/${of}`, body: JSON.stringify({ keys: [item] }) };
  const entries = parseResponse(entriesResponse, request, await ask(request));
  return { owner: of, rows: () => entryRows(of, entries) };
}

export async function fetchEntries({ of }: RemoteStateKey, { request: ask }: FetchContext): Promise<RemoteStateValue> {
  const request = { path: `/addresses/data/${of}` };
  const entries = parseResponse(entriesResponse, request, await ask(request));
  const address = addressOf(of);
  return {
    owner: of,
    rows: () =>
      entries.flatMap((entry) => {
        const [row, ...others] = entryRows(of, [entry]);
        return row === undefined ? [] : [{ ...row, part: entryStateKey(address, entry.key) }, ...others];
      }),
  };
}

/** An account with an entry counts as one that ever had an entry. */
function entryRows(of: string, entries: readonly DataEntry[]): readonly FetchedRow[] {
  const address = addressOf(of);
  return entries.flatMap(({ key, value }) =>
    value === null
      ? []
      : [{ row: written(dataEntryTable, { address, key, value }) }, { row: written(dataOwnerTable, { address }) }],
  );
}

/**
 * Only scripts can read this, so a script is evaluated: by any dApp that the fork has read. Until it has read one, no
 * script can need the exact result, and an account without entries counts as one that never had any.
 */
export async function fetchDataOwner(
  { of }: RemoteStateKey,
  { request: ask, own }: FetchContext,
): Promise<RemoteStateValue> {
  const isOwner = { owner: of, rows: () => [{ row: written(dataOwnerTable, { address: addressOf(of) }) }] };
  const expr = `isDataStorageUntouched(Address(base58'${of}'))`;
  for (const dApp of own.dApps()) {
    const request = { path: `/utils/script/evaluate/${dApp}`, body: JSON.stringify({ expr }) };
    const response = await ask(request);
    // A verifier is no dApp, and an old script may lack the function.
    if (response.status !== 200) continue;
    return parseResponse(booleanResponse, request, response).result.value ? { owner: of, rows: () => [] } : isOwner;
  }
  const request = { path: `/addresses/data/${of}` };
  const entries = parseResponse(entriesResponse, request, await ask(request));
  return entries.length === 0 ? { owner: of, rows: () => [] } : isOwner;
}

export async function fetchAliases({ of }: RemoteStateKey, { request: ask }: FetchContext): Promise<RemoteStateValue> {
  const request = { path: `/alias/by-address/${of}` };
  const address = addressOf(of);
  const names = parseResponse(aliasesResponse, request, await ask(request)).map((alias) =>
    alias.slice(alias.lastIndexOf(":") + 1),
  );
  return {
    owner: of,
    rows: () =>
      names.flatMap((name, index): readonly FetchedRow[] => [
        { row: written(aliasTable, { name, address, takenOver: false }), part: aliasStateKey(name) },
        // The interface lists the newest first.
        { row: written(accountAliasTable, { address, number: FIRST_NUMBER - index, name }) },
      ]),
  };
}

/** Fetches the list of leases; each lease is a remote state key of its own. */
export async function fetchLeases(
  { of }: RemoteStateKey,
  { request: ask, source }: FetchContext,
): Promise<RemoteStateValue> {
  const request = { path: `/leasing/active/${of}` };
  const address = addressOf(of);
  const leases = parseResponse(leasesResponse, request, await ask(request)).filter(
    ({ height }) => height <= source.height,
  );
  return {
    owner: of,
    needs: leases.map(({ id }) => idStateKey("lease", id)),
    rows: ({ store }) =>
      leases.flatMap(({ id, height }, index): readonly FetchedRow[] => {
        const lease = id as LeaseId;
        // The lease may have been cancelled on the fork.
        if (store.find(leaseTable, { id: lease })?.status !== "active") return [];
        return [{ row: written(accountLeaseTable, { address, lease, height, number: FIRST_NUMBER + index }) }];
      }),
  };
}
