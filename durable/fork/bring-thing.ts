/** Facts about what has an id, a name or a height: which questions tell them, and which rows they are. */
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../src/crypto/base58.ts";
import type { Address, PublicKey } from "../../src/crypto/identities.ts";
import { headerFact, ofId, type RemoteFact } from "../../src/network/remote-fact.ts";
import { utf8Bytes } from "../../src/protocol/codec/utf8.ts";
import type { AssetId } from "../../src/protocol/transactions/asset.ts";
import type { LeaseId, Script, TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { aliasTable } from "../../src/tables/aliases.ts";
import { assetTable } from "../../src/tables/assets.ts";
import { blockTable, transactionTable } from "../../src/tables/blocks.ts";
import { leaseTable } from "../../src/tables/leases.ts";
import { added, written } from "../../src/tables/schema/row-change.ts";
import { type AskingFacts, type BroughtFact, nothingThere } from "./brought-fact.ts";
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
} from "./remote-answers.ts";
import { remoteBlockRow } from "./remote-header.ts";
import { RemoteFault, type RemoteReply } from "./remote-node.ts";
import { assetOfTransfer, remoteTransactionRow } from "./remote-transaction.ts";

/** The fork's own header is part of its source. */
const forkHeader = { path: "FORK.header" };
/** Codes of errors of the catalogue by which nodes say that there is no such thing. */
const absent = { block: 301, alias: 302, transaction: 311, asset: 313 } as const;

function isAbsent({ status, text }: RemoteReply, code: number): boolean {
  return status !== 200 && new RegExp(`^\\s*\\{\\s*"error"\\s*:\\s*${code}\\D`).test(text);
}

/** An asset is never made again: one that was issued later is not there. Its issuer changes it, and whoever burns some of it. */
export async function bringAsset({ of }: RemoteFact, { ask, source, settings }: AskingFacts): Promise<BroughtFact> {
  const question = { path: `/assets/details/${of}?full=true` };
  const reply = await ask(question);
  if (isAbsent(reply, absent.asset)) return nothingThere;
  const asset = readAnswer(assetAnswer, question, reply);
  if (asset.issueHeight > source.height) return nothingThere;
  const issuer = asset.issuerPublicKey as PublicKey;
  const row = {
    id: asset.assetId as AssetId,
    issuer,
    originTransactionId: asset.originTransactionId as TransactionId,
    issueHeight: asset.issueHeight,
    sequenceInBlock: asset.sequenceInBlock ?? 1,
    decimals: asset.decimals,
    // What became one by burning looks the same; nodes do not print which it is.
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
  const question = { path: `/alias/by-alias/${encodeURIComponent(of)}` };
  const reply = await ask(question);
  if (isAbsent(reply, absent.alias)) return nothingThere;
  const { address } = readAnswer(aliasAnswer, question, reply);
  const row = { name: of, address: decodeBase58(address) as Uint8Array as Address, takenOver: false };
  return { owner: address, rows: () => [{ row: written(aliasTable, row) }] };
}

/** Exact at any height: when a lease began and when it ended is printed with it. */
export async function bringLease(fact: RemoteFact, facts: AskingFacts): Promise<BroughtFact> {
  const { ask, source } = facts;
  const question = { path: "/leasing/info", body: JSON.stringify({ ids: [fact.of] }) };
  const reply = await ask(question);
  // Where one of them is unknown the reference says so of all.
  if (reply.status !== 200 && /lease|transaction/i.test(reply.text)) return nothingThere;
  const [lease] = readAnswer(leasesFoundAnswer, question, reply);
  if (lease === null || lease === undefined || lease.height > source.height) return nothingThere;
  const sender = await senderOf(lease, facts);
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

/** The public key of a lease's sender, whose address alone is printed: the sender of its transaction, or a dApp that was called. */
async function senderOf({ sender, originTransactionId }: LeaseAnswer, facts: AskingFacts): Promise<PublicKey> {
  const { ask, settings } = facts;
  const question = { path: `/transactions/info/${encodeBase58(originTransactionId)}` };
  const { senderPublicKey } = readAnswer(transactionAnswer, question, await ask(question));
  if (
    senderPublicKey !== undefined &&
    encodeBase58(addressOfPublicKey(senderPublicKey as PublicKey, settings.chainId)) === sender
  )
    return senderPublicKey as PublicKey;
  const script = { path: `/addresses/scriptInfo/${sender}` };
  const { publicKey } = readAnswer(scriptInfoAnswer, script, await ask(script));
  if (publicKey === null || publicKey === undefined)
    throw new RemoteFault(`no node prints the public key of ${sender}, who made the lease of ${question.path}`);
  return publicKey as PublicKey;
}

export async function bringTransaction(
  { of }: RemoteFact,
  { ask, source, settings }: AskingFacts,
): Promise<BroughtFact> {
  const question = { path: `/transactions/info/${of}` };
  const reply = await ask(question);
  if (isAbsent(reply, absent.transaction)) return nothingThere;
  const { height } = readAnswer(transactionAnswer, question, reply);
  if (height > source.height) return nothingThere;
  const row = remoteTransactionRow(of, question, reply, settings);
  const asset = assetOfTransfer(question, reply);
  return {
    // Its own bytes are read by the version of its block.
    needs: [headerFact(height), ...(asset === undefined ? [] : [ofId("asset", decodeBase58(asset))])],
    rows: ({ store }) => {
      const last = Number(store.scalar("SELECT MAX(position) FROM tx WHERE height = ?", height) ?? -1);
      return [{ row: added(transactionTable, { ...row, position: last + 1 }) }];
    },
  };
}

export async function bringHeader({ of }: RemoteFact, { ask, source, settings }: AskingFacts): Promise<BroughtFact> {
  if (Number(of) >= source.height || Number(of) < 1) return nothingThere;
  const question = { path: `/blocks/headers/at/${of}` };
  const header = readAnswer(headerAnswer, question, await ask(question));
  return { rows: () => [{ row: written(blockTable, remoteBlockRow(header, settings)) }] };
}

/** The header so many blocks below another one. */
export async function bringAncestor(fact: RemoteFact, facts: AskingFacts): Promise<BroughtFact> {
  const height = await heightOfBlock(fact, facts);
  if (height === undefined) return nothingThere;
  return { needs: [headerFact(height), headerFact(Math.max(height - Number(fact.item ?? 0), 1))], rows: () => [] };
}

/** Height of the block itself, wherever it is; undefined: there is none. */
export async function heightOfBlock(
  { of }: RemoteFact,
  { ask, source, own }: AskingFacts,
): Promise<number | undefined> {
  const known = own.heightOf(of);
  if (known !== undefined) return known;
  const question = { path: `/blocks/height/${of}` };
  const reply = await ask(question);
  if (isAbsent(reply, absent.block)) return undefined;
  const { height } = readAnswer(heightAnswer, question, reply);
  return height > source.height ? undefined : height;
}

export async function bringTime({ of }: RemoteFact, { ask, source, settings }: AskingFacts): Promise<BroughtFact> {
  const { timestamp } = remoteBlockRow(
    readAnswer(headerAnswer, forkHeader, { status: 200, text: source.header }),
    settings,
  );
  if (BigInt(of) >= timestamp) return nothingThere;
  const question = { path: `/blocks/heightByTimestamp/${of}` };
  const reply = await ask(question);
  // Before the first block there is none.
  if (reply.status !== 200) return nothingThere;
  return { needs: [headerFact(readAnswer(heightAnswer, question, reply).height)], rows: () => [] };
}

export function bringBlock({ of }: RemoteFact, facts: AskingFacts): Promise<BroughtFact> {
  return bringAncestor({ kind: "ancestor", of, item: "0" }, facts);
}
