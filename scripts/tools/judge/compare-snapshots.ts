/** Two change sets of a transaction, compared as sets: value by value, whatever the order. */
import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { TransactionSnapshot } from "../../../src/protocol/snapshots/transaction-snapshot.ts";
import type { Asset } from "../../../src/protocol/transactions/asset.ts";

export interface FieldDifference {
  /** Name of the list and key of the value: `balances 3M… WAVES`. */
  readonly field: string;
  readonly expected: string;
  readonly got: string;
}

const nothing = "nothing";

/** Every value that is in one of them only, or another one in each. */
export function snapshotDifferences(expected: TransactionSnapshot, got: TransactionSnapshot): FieldDifference[] {
  const left = valuesOf(expected);
  const right = valuesOf(got);
  const fields = new Set([...left.keys(), ...right.keys()]);
  return [...fields].flatMap((field) => {
    const difference = { field, expected: left.get(field) ?? nothing, got: right.get(field) ?? nothing };
    return difference.expected === difference.got ? [] : [difference];
  });
}

const assetText = (asset: Asset): string => (asset === null ? "WAVES" : encodeBase58(asset));

/** The values by field, as texts. The number of an asset among those that the transaction issues counts. */
function valuesOf({ snapshot, status }: TransactionSnapshot): ReadonlyMap<string, string> {
  const values = new Map<string, string>([["status", status]]);
  const put = (name: string, key: string, value: unknown): void => {
    values.set(`${name} ${key}`, textOf(value));
  };
  for (const { address, asset, balance } of snapshot.balances ?? [])
    put("balances", `${addressText(address)} ${assetText(asset)}`, balance);
  for (const { address, ...lease } of snapshot.leaseBalances ?? []) put("leaseBalances", addressText(address), lease);
  for (const { leaseId, originTransactionId: _, ...lease } of snapshot.newLeases ?? [])
    put("newLeases", encodeBase58(leaseId), lease);
  for (const { leaseId } of snapshot.cancelledLeases ?? []) put("cancelledLeases", encodeBase58(leaseId), "cancelled");
  for (const [index, { assetId, originTransactionId: _, ...fixed }] of (snapshot.assetStatics ?? []).entries())
    put("assetStatics", encodeBase58(assetId), { index, ...fixed });
  for (const { assetId, ...change } of snapshot.assetVolumes ?? []) put("assetVolumes", encodeBase58(assetId), change);
  for (const { assetId, ...change } of snapshot.assetTexts ?? []) put("assetTexts", encodeBase58(assetId), change);
  for (const { assetId, script } of snapshot.assetScripts ?? []) put("assetScripts", encodeBase58(assetId), script);
  for (const { address, alias } of snapshot.aliases ?? []) put("aliases", alias.name, address);
  for (const { orderId, ...fill } of snapshot.orderFills ?? []) put("orderFills", encodeBase58(orderId), fill);
  for (const { publicKey, ...change } of snapshot.accountScripts ?? [])
    put("accountScripts", encodeBase58(publicKey), change);
  for (const { address, entries } of snapshot.accountData ?? [])
    for (const { key, value } of entries) put("accountData", `${addressText(address)} ${JSON.stringify(key)}`, value);
  for (const { assetId, minSponsoredAssetFee } of snapshot.sponsorships ?? [])
    put("sponsorships", encodeBase58(assetId), minSponsoredAssetFee);
  for (const { sender, endorserPublicKey } of snapshot.generationCommitments ?? [])
    put("generationCommitments", encodeBase58(sender), endorserPublicKey);
  return values;
}

function textOf(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "string") return String(value);
  if (value instanceof Uint8Array) return encodeBase58(value);
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return part.toString();
    return part instanceof Uint8Array ? encodeBase58(part) : part;
  });
}
