/** Remote state with an id, a name or a height: the requests for it, and its rows. */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { headerFact, ofId, type RemoteFact } from "../../../src/network/remote-state-key.ts";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { LeaseId, Script, TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { aliasTable } from "../../../src/tables/aliases.ts";
import { assetTable } from "../../../src/tables/assets.ts";
import { blockTable, transactionTable } from "../../../src/tables/blocks.ts";
import { leaseTable } from "../../../src/tables/leases.ts";
import { added, written } from "../../../src/tables/schema/row-change.ts";
import { remoteBlockRow } from "./remote-header.ts";
import { RemoteFault, type RemoteReply } from "./remote-node.ts";
import {
  aliasAnswer,
  assetAnswer,
  headerAnswer,
  heightAnswer,
  type LeaseAnswer,
  leasesFoundAnswer,
  readAnswer,
  scriptInfoAnswer,
  transactionAnswer,
} from "./remote-responses.ts";
import { type AskingFacts, type BroughtFact, nothingThere } from "./remote-state-value.ts";
import { assetOfTransfer, remoteTransactionRow } from "./remote-transaction.ts";

/** The fork's own header is part of its source. */
const forkHeader = { path: "FORK.header" };
/** Error codes of the catalogue for missing objects. */
const absent = { block: 301, alias: 302, transaction: 311, asset: 313 } as const;

function isAbsent({ status, text }: RemoteReply, code: number): boolean {
  return status !== 200 && new RegExp(`^\\s*\\{\\s*"error"\\s*:\\s*${code}\\D`).test(text);
}

/**
 * Fetches an asset. One that was issued later does not exist on the fork. Its issuer changes it, and so does a burn by
 * any holder.
 */
export async function bringAsset({ of }: RemoteFact, { ask, source, settings }: AskingFacts): Promise<BroughtFact> {
  const request = { path: `/assets/details/${of}?full=true` };
  const response = await ask(request);
  if (isAbsent(response, absent.asset)) return nothingThere;
  const asset = readAnswer(assetAnswer, request, response);
  if (asset.issueHeight > source.height) return nothingThere;
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
    needs: [ofId("transaction", asset.originTransactionId)],
    rows: () => [{ row: written(assetTable, row) }],
  };
}

export async function bringAlias({ of }: RemoteFact, { ask }: AskingFacts): Promise<BroughtFact> {
  const request = { path: `/alias/by-alias/${encodeURIComponent(of)}` };
  const response = await ask(request);
  if (isAbsent(response, absent.alias)) return nothingThere;
  const { address } = readAnswer(aliasAnswer, request, response);
  const row = { name: of, address: decodeBase58(address) as Uint8Array as Address, takenOver: false };
  return { owner: address, rows: () => [{ row: written(aliasTable, row) }] };
}

/** Fetches a lease, exact at any height: nodes return the heights of its start and its end. */
export async function bringLease(key: RemoteFact, context: AskingFacts): Promise<BroughtFact> {
  const { ask, source } = context;
  const request = { path: "/leasing/info", body: JSON.stringify({ ids: [key.of] }) };
  const response = await ask(request);
  // If one of several is unknown, the reference returns an error for all.
  if (response.status !== 200 && /lease|transaction/i.test(response.text)) return nothingThere;
  const [lease] = readAnswer(leasesFoundAnswer, request, response);
  if (lease === null || lease === undefined || lease.height > source.height) return nothingThere;
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
async function senderOf({ sender, originTransactionId }: LeaseAnswer, context: AskingFacts): Promise<PublicKey> {
  const { ask, settings } = context;
  const request = { path: `/transactions/info/${encodeBase58(originTransactionId)}` };
  const { senderPublicKey } = readAnswer(transactionAnswer, request, await ask(request));
  if (
    senderPublicKey !== undefined &&
    encodeBase58(addressOfPublicKey(senderPublicKey as PublicKey, settings.chainId)) === sender
  )
    return senderPublicKey as PublicKey;
  const script = { path: `/addresses/scriptInfo/${sender}` };
  const { publicKey } = readAnswer(scriptInfoAnswer, script, await ask(script));
  if (publicKey === null || publicKey === undefined)
    throw new RemoteFault(`no node returns the public key of ${sender}, the sender of the lease of ${request.path}`);
  return publicKey as PublicKey;
}

export async function bringTransaction(
  { of }: RemoteFact,
  { ask, source, settings }: AskingFacts,
): Promise<BroughtFact> {
  const request = { path: `/transactions/info/${of}` };
  const response = await ask(request);
  if (isAbsent(response, absent.transaction)) return nothingThere;
  const { height } = readAnswer(transactionAnswer, request, response);
  if (height > source.height) return nothingThere;
  const row = remoteTransactionRow(of, request, response, settings);
  const asset = assetOfTransfer(request, response);
  return {
    // The transaction's bytes are parsed by the version of its block.
    needs: [headerFact(height), ...(asset === undefined ? [] : [ofId("asset", decodeBase58(asset))])],
    rows: ({ store }) => {
      const last = Number(store.scalar("SELECT MAX(position) FROM tx WHERE height = ?", height) ?? -1);
      return [{ row: added(transactionTable, { ...row, position: last + 1 }) }];
    },
  };
}

export async function bringHeader({ of }: RemoteFact, { ask, source, settings }: AskingFacts): Promise<BroughtFact> {
  if (Number(of) >= source.height || Number(of) < 1) return nothingThere;
  const request = { path: `/blocks/headers/at/${of}` };
  const header = readAnswer(headerAnswer, request, await ask(request));
  return { rows: () => [{ row: written(blockTable, remoteBlockRow(header, settings)) }] };
}

/** Fetches the header a number of blocks below another one. */
export async function bringAncestor(key: RemoteFact, context: AskingFacts): Promise<BroughtFact> {
  const height = await heightOfBlock(key, context);
  if (height === undefined) return nothingThere;
  return { needs: [headerFact(height), headerFact(Math.max(height - Number(key.item ?? 0), 1))], rows: () => [] };
}

/** Height of the block itself, on either chain; undefined: there is none. */
export async function heightOfBlock(
  { of }: RemoteFact,
  { ask, source, own }: AskingFacts,
): Promise<number | undefined> {
  const known = own.heightOf(of);
  if (known !== undefined) return known;
  const request = { path: `/blocks/height/${of}` };
  const response = await ask(request);
  if (isAbsent(response, absent.block)) return undefined;
  const { height } = readAnswer(heightAnswer, request, response);
  return height > source.height ? undefined : height;
}

export async function bringTime({ of }: RemoteFact, { ask, source, settings }: AskingFacts): Promise<BroughtFact> {
  const { timestamp } = remoteBlockRow(
    readAnswer(headerAnswer, forkHeader, { status: 200, text: source.header }),
    settings,
  );
  if (BigInt(of) >= timestamp) return nothingThere;
  const request = { path: `/blocks/heightByTimestamp/${of}` };
  const response = await ask(request);
  // There is no block before the first one.
  if (response.status !== 200) return nothingThere;
  return { needs: [headerFact(readAnswer(heightAnswer, request, response).height)], rows: () => [] };
}

export function bringBlock({ of }: RemoteFact, context: AskingFacts): Promise<BroughtFact> {
  return bringAncestor({ kind: "ancestor", of, item: "0" }, context);
}
