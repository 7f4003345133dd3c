/** Remote state with an id, a name or a height: the requests for it, and its rows. */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { headerStateKey, idStateKey, type RemoteStateKey } from "../../../src/network/remote-state-key.ts";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { LeaseId, Script, TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { aliasTable } from "../../../src/tables/aliases.ts";
import { assetTable } from "../../../src/tables/assets.ts";
import { blockTable, transactionTable } from "../../../src/tables/blocks.ts";
import { leaseTable } from "../../../src/tables/leases.ts";
import { added, written } from "../../../src/tables/schema/row-change.ts";
import { remoteBlockRow } from "./remote-header.ts";
import { RemoteNodeError, type RemoteResponse } from "./remote-node.ts";
import {
  aliasResponse,
  assetResponse,
  headerResponse,
  heightResponse,
  type LeaseResponse,
  leasesFoundResponse,
  parseResponse,
  scriptInfoResponse,
  transactionResponse,
} from "./remote-responses.ts";
import { absentState, type FetchContext, type RemoteStateValue } from "./remote-state-value.ts";
import { assetOfTransfer, remoteTransactionRow } from "./remote-transaction.ts";

/** The fork's own header is part of its source. */
const forkHeader = { path: "FORK.header" };
/** Error codes of the catalogue for missing objects. */
const absent = { block: 301, alias: 302, transaction: 311, asset: 313 } as const;

function isAbsent({ status, text }: RemoteResponse, code: number): boolean {
  return status !== 200 && new RegExp(`^\\s*\\{\\s*"error"\\s*:\\s*${code}\\D`).test(text);
}

/**
 * Fetches an asset. One that was issued later does not exist on the fork. Its issuer changes it, and so does a burn by
 * any holder.
 */
export async function fetchAsset(
  { of }: RemoteStateKey,
  { request: ask, source, settings }: FetchContext,
): Promise<RemoteStateValue> {
  const request = { path: `/assets/details/${of}?full=true` };
  const response = await ask(request);
  if (isAbsent(response, absent.asset)) return absentState;
  const asset = parseResponse(assetResponse, request, response);
  if (asset.issueHeight > source.height) return absentState;
  const issuer = asset.issuerPublicKey as PublicKey;
  const row = {
    id: asset.assetId as AssetId,
    issuer,
    originTransactionId: asset.originTransactionId as TransactionId,
    issueHeight: asset.issueHeight,
    sequenceInBlock: asset.sequenceInBlock ?? 1,
    decimals: asset.decimals,
    // An asset that became indivisible by burning looks the same, and nodes do not return which it is.
    nft: asset.quantity === 1n && asset.decimals === 0 && !asset.reissuable,
    volume: asset.quantity,
    reissuable: asset.reissuable,
    name: utf8Bytes(asset.name),
    description: utf8Bytes(asset.description),
    textHeight: asset.issueHeight,
    script: asset.scriptDetails?.script as Script | undefined,
    scriptComplexity: asset.scriptDetails?.scriptComplexity ?? 0n,
    minSponsoredAssetFee: asset.minSponsoredAssetFee ?? 0n,
    scriptHeight: 0,
    sponsorshipHeight: 0,
  };
  return {
    owner: encodeBase58(addressOfPublicKey(issuer, settings.chainId)),
    needs: [idStateKey("transaction", asset.originTransactionId)],
    rows: () => [{ row: written(assetTable, row) }],
  };
}

export async function fetchAlias({ of }: RemoteStateKey, { request: ask }: FetchContext): Promise<RemoteStateValue> {
  const request = { path: `/alias/by-alias/${encodeURIComponent(of)}` };
  const response = await ask(request);
  if (isAbsent(response, absent.alias)) return absentState;
  const { address } = parseResponse(aliasResponse, request, response);
  const row = { name: of, address: decodeBase58(address) as Uint8Array as Address, takenOver: false };
  return { owner: address, rows: () => [{ row: written(aliasTable, row) }] };
}

/** Fetches a lease, exact at any height: nodes return the heights of its start and its end. */
export async function fetchLease(key: RemoteStateKey, context: FetchContext): Promise<RemoteStateValue> {
  const { request: ask, source } = context;
  const request = { path: "/leasing/info", body: JSON.stringify({ ids: [key.of] }) };
  const response = await ask(request);
  // If one of several is unknown, the reference returns an error for all.
  if (response.status !== 200 && /lease|transaction/i.test(response.text)) return absentState;
  const [lease] = parseResponse(leasesFoundResponse, request, response);
  if (lease === null || lease === undefined || lease.height > source.height) return absentState;
  const sender = await senderOf(lease, context);
  const { cancelHeight } = lease;
  const isActive = lease.status === "active" || (typeof cancelHeight === "number" && cancelHeight > source.height);
  const row = {
    id: lease.id as LeaseId,
    sender,
    recipient: lease.recipient as Uint8Array as Address,
    amount: lease.amount,
    originTransactionId: lease.originTransactionId as TransactionId,
    height: lease.height,
    status: isActive ? ("active" as const) : lease.status,
    cancelHeight: isActive ? undefined : (cancelHeight ?? undefined),
    cancelTransactionId: isActive
      ? undefined
      : ((lease.cancelTransactionId as TransactionId | null | undefined) ?? undefined),
  };
  return { rows: () => [{ row: written(leaseTable, row) }] };
}

/**
 * Public key of a lease's sender, of which nodes return only the address: the sender of its transaction, or the called
 * dApp.
 */
async function senderOf({ sender, originTransactionId }: LeaseResponse, context: FetchContext): Promise<PublicKey> {
  const { request: ask, settings } = context;
  const request = { path: `/transactions/info/${encodeBase58(originTransactionId)}` };
  const { senderPublicKey } = parseResponse(transactionResponse, request, await ask(request));
  if (
    senderPublicKey !== undefined &&
    encodeBase58(addressOfPublicKey(senderPublicKey as PublicKey, settings.chainId)) === sender
  )
    return senderPublicKey as PublicKey;
  const script = { path: `/addresses/scriptInfo/${sender}` };
  const { publicKey } = parseResponse(scriptInfoResponse, script, await ask(script));
  if (publicKey === null || publicKey === undefined)
    throw new RemoteNodeError(
      `no node returns the public key of ${sender}, the sender of the lease of ${request.path}`,
    );
  return publicKey as PublicKey;
}

export async function fetchTransaction(
  { of }: RemoteStateKey,
  { request: ask, source, settings }: FetchContext,
): Promise<RemoteStateValue> {
  const request = { path: `/transactions/info/${of}` };
  const response = await ask(request);
  if (isAbsent(response, absent.transaction)) return absentState;
  const { height } = parseResponse(transactionResponse, request, response);
  if (height > source.height) return absentState;
  const row = remoteTransactionRow(of, request, response, settings);
  const asset = assetOfTransfer(request, response);
  return {
    // The transaction's bytes are parsed by the version of its block.
    needs: [headerStateKey(height), ...(asset === undefined ? [] : [idStateKey("asset", decodeBase58(asset))])],
    rows: ({ store }) => {
      const last = Number(store.scalar("SELECT MAX(position) FROM tx WHERE height = ?", height) ?? -1);
      return [{ row: added(transactionTable, { ...row, position: last + 1 }) }];
    },
  };
}

export async function fetchHeader(
  { of }: RemoteStateKey,
  { request: ask, source, settings }: FetchContext,
): Promise<RemoteStateValue> {
  if (Number(of) >= source.height || Number(of) < 1) return absentState;
  const request = { path: `/blocks/headers/at/${of}` };
  const header = parseResponse(headerResponse, request, await ask(request));
  return { rows: () => [{ row: written(blockTable, remoteBlockRow(header, settings)) }] };
}

/** Fetches the header a number of blocks below another one. */
export async function fetchAncestor(key: RemoteStateKey, context: FetchContext): Promise<RemoteStateValue> {
  const height = await heightOfBlock(key, context);
  if (height === undefined) return absentState;
  return {
    needs: [headerStateKey(height), headerStateKey(Math.max(height - Number(key.item ?? 0), 1))],
    rows: () => [],
  };
}

/** Height of the block itself, on either chain; undefined: there is none. */
export async function heightOfBlock(
  { of }: RemoteStateKey,
  { request: ask, source, own }: FetchContext,
): Promise<number | undefined> {
  const known = own.heightOf(of);
  if (known !== undefined) return known;
  const request = { path: `/blocks/height/${of}` };
  const response = await ask(request);
  if (isAbsent(response, absent.block)) return undefined;
  const { height } = parseResponse(heightResponse, request, response);
  return height > source.height ? undefined : height;
}

export async function fetchTime(
  { of }: RemoteStateKey,
  { request: ask, source, settings }: FetchContext,
): Promise<RemoteStateValue> {
  const { timestamp } = remoteBlockRow(
    parseResponse(headerResponse, forkHeader, { status: 200, text: source.header }),
    settings,
  );
  if (BigInt(of) >= timestamp) return absentState;
  const request = { path: `/blocks/heightByTimestamp/${of}` };
  const response = await ask(request);
  // There is no block before the first one.
  if (response.status !== 200) return absentState;
  return { needs: [headerStateKey(parseResponse(heightResponse, request, response).height)], rows: () => [] };
}

export function fetchBlock({ of }: RemoteStateKey, context: FetchContext): Promise<RemoteStateValue> {
  return fetchAncestor({ kind: "ancestor", of, item: "0" }, context);
}
