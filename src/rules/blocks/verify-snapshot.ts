/**
 * Checks of a received snapshot: whether the tables can hold it. Only the state hash proves it right; effects that no
 * transaction can have are refused first.
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { bytesKey, equalBytes } from "../../crypto/bytes.ts";
import { utf8Bytes, utf8TextWithReplacements } from "../../protocol/codec/utf8.ts";
import { describeViolation } from "../../protocol/describe-violation.ts";
import { RuleError } from "../../protocol/errors.ts";
import { snapshotKeys } from "../../protocol/snapshots/merge-snapshots.ts";
import type { AssetText, Snapshot, SnapshotItem, SnapshotMember } from "../../protocol/snapshots/snapshot.ts";
import type { TransactionSnapshot } from "../../protocol/snapshots/transaction-snapshot.ts";
import { findAliasError } from "../../protocol/transactions/alias.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";
import type {
  IssueTransaction,
  LeaseId,
  Script,
  Transaction,
  TransactionStatus,
} from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { readScript } from "../../ride/script/written-script.ts";
import { nextGenerationPeriod } from "../finality/generation-period.ts";
import type { StateView } from "../state/state-view.ts";
import { assetScriptComplexity } from "../transactions/scripts/script-complexities.ts";
import { changedMembers } from "./changed-members.ts";

/**
 * Size of one transaction's snapshot on the wire: a stored row has room for it and the transaction. The largest ones by
 * the rules have about 170 kB: as many data entries as fit into a transaction.
 */
export const maxSnapshotBytes = 500_000;
const maxDecimals = 8;

/** State before the transaction, and items that its snapshot creates. */
interface Known {
  readonly transaction: Transaction;
  readonly view: StateView;
  readonly hasAsset: (assetId: AssetId) => boolean;
  readonly hasLease: (leaseId: LeaseId) => boolean;
}

/** Error of an item; undefined when it is valid. */
type ItemCheck<Name extends SnapshotMember> = (item: SnapshotItem<Name>, known: Known) => string | undefined;

const assetText = (assetId: AssetId): string => `asset ${encodeBase58(assetId)}`;
const unknownAsset = ({ assetId }: { readonly assetId: AssetId }, { hasAsset }: Known): string | undefined =>
  hasAsset(assetId) ? undefined : `there is no ${assetText(assetId)}`;
const negative = (label: string, value: bigint): string | undefined =>
  value < 0n ? `${label} is ${value}` : undefined;

/**
 * Compared before it is read: some scripts take many seconds to estimate, and a generator can sign only the
 * transaction's own.
 */
const otherScript = (script: Script | null, { transaction }: Known): string | undefined => {
  const own = "script" in transaction ? transaction.script : null;
  const isSame = script === null || own === null ? script === own : equalBytes(script, own);
  return isSame ? undefined : "a script is another one than the transaction's";
};

const itemChecks: { readonly [Name in SnapshotMember]: ItemCheck<Name> } = {
  balances: ({ asset, balance }, known) =>
    negative("a balance", balance) ?? (asset === null ? undefined : unknownAsset({ assetId: asset }, known)),
  // Mainnet had negative ones.
  leaseBalances: () => undefined,
  newLeases: ({ leaseId, amount }, { view }) => {
    if (amount <= 0n) return `the amount of a lease is ${amount}`;
    return view.findLease(leaseId) && `there is a lease ${encodeBase58(leaseId)} already`;
  },
  cancelledLeases: ({ leaseId }, { hasLease }) =>
    hasLease(leaseId) ? undefined : `there is no lease ${encodeBase58(leaseId)}`,
  assetStatics: ({ assetId, decimals }, { view }) => {
    if (decimals < 0 || decimals > maxDecimals) return `an asset has ${decimals} decimals`;
    return view.findAsset(assetId) && `there is an ${assetText(assetId)} already`;
  },
  assetVolumes: (item, known) => negative("the volume of an asset", item.volume) ?? unknownAsset(item, known),
  assetTexts: (item, known) => {
    const { transaction } = known;
    const isOwn = transaction.type !== TransactionType.Issue || hasTextsOf(transaction, item);
    return isOwn ? unknownAsset(item, known) : `${assetText(item.assetId)} is issued with other texts`;
  },
  assetScripts: (item, known) => otherScript(item.script, known) ?? unknownAsset(item, known),
  aliases: ({ alias }) => findAliasError(alias.name),
  orderFills: ({ volume, fee }) => negative("the volume of an order", volume) ?? negative("the fee of an order", fee),
  accountScripts: ({ script, verifierComplexity }, known) => {
    const other = otherScript(script, known);
    if (other !== undefined) return other;
    if (script !== null) readScript(script);
    else if (verifierComplexity !== 0n) return `a script that is taken away costs ${verifierComplexity}`;
    return negative("the complexity of a script", verifierComplexity);
  },
  accountData: ({ entries }, { transaction }) => {
    // Its hash is empty, yet the account counts as one that has had data.
    const isEmpty = transaction.type === TransactionType.Data && transaction.data.length === 0;
    if (entries.length === 0 && !isEmpty) return "an account has none of the entries that were changed";
    const keys = new Set(entries.map(({ key }) => key));
    return keys.size < entries.length ? "an account has two entries of one key" : undefined;
  },
  sponsorships: (item, known) => negative("a sponsored fee", item.minSponsoredAssetFee) ?? unknownAsset(item, known),
  generationCommitments: ({ sender, endorserPublicKey }, { transaction, view }) => {
    if (transaction.type !== TransactionType.CommitToGeneration)
      return "a generator commits itself by another transaction";
    if (!equalBytes(sender, transaction.sender)) return "a generator is committed that is not the sender";
    if (!equalBytes(endorserPublicKey, transaction.endorserPublicKey))
      return "a BLS key is committed that is not the sender's";
    const period = nextGenerationPeriod(view.height, view);
    if (period === undefined) return "a generator is committed before there are periods";
    if (period.start !== transaction.generationPeriodStart)
      return "a generator is committed to another period than the next";
    const account = addressOfPublicKey(sender, view.settings.chainId);
    if (view.findCommitment(period.start, account) !== undefined) return "a generator is committed a second time";
    return undefined;
  },
};

const statusTexts: Record<TransactionStatus, string> = {
  succeeded: "succeeds",
  failed: "fails",
  elided: "is elided",
};

/**
 * Checks the snapshot of one transaction. Cost: linear in its items; scripts are read.
 * @param view the state before the transaction
 * @param mayElide whether the transaction is in a challenging block
 * @returns the snapshot with the data that the wire form lacks: the complexity of asset scripts, name bytes that are no
 * text
 * @throws RuleError snapshotInvalid
 */
export function verifySnapshot(
  { snapshot, status }: TransactionSnapshot,
  transaction: Transaction,
  view: StateView,
  { mayElide }: { readonly mayElide: boolean },
): TransactionSnapshot {
  const refuse = (reason: string): never => refuseSnapshot(transaction.id, reason);
  if (status === "elided" && !mayElide) refuse("nothing is elided in a block that challenges none");
  const members = changedMembers(transaction.type, status);
  const newAssets = new Set((snapshot.assetStatics ?? []).map(({ assetId }) => bytesKey(assetId)));
  const newLeases = new Set((snapshot.newLeases ?? []).map(({ leaseId }) => bytesKey(leaseId)));
  const known: Known = {
    transaction,
    view,
    hasAsset: (assetId) => newAssets.has(bytesKey(assetId)) || view.findAsset(assetId) !== undefined,
    hasLease: (leaseId) => newLeases.has(bytesKey(leaseId)) || view.findLease(leaseId) !== undefined,
  };
  try {
    for (const name of Object.keys(snapshot) as SnapshotMember[]) {
      if (!members.has(name)) refuse(`no transaction of its type that ${statusTexts[status]} changes ${name}`);
      const reason = findError(name, snapshot[name], known);
      if (reason !== undefined) refuse(reason);
    }
    return { snapshot: withComplexities(withIssuedTexts(snapshot, transaction), view), status };
  } catch (error) {
    if (error instanceof FormatError) return refuse(`a script cannot be read: ${error.message}`);
    if (error instanceof RuleError && error.violation.code === "generic")
      return refuse(describeViolation(error.violation));
    throw error;
  }
}

/** @throws RuleError snapshotInvalid */
export function refuseSnapshot(transactionId: Uint8Array, reason: string): never {
  throw new RuleError({ code: "snapshotInvalid", transactionId: encodeBase58(transactionId), reason });
}

function findError<Name extends SnapshotMember>(
  name: Name,
  items: Snapshot[Name] | undefined,
  known: Known,
): string | undefined {
  const check: ItemCheck<Name> = itemChecks[name];
  const keyOf: (item: SnapshotItem<Name>) => string = snapshotKeys[name];
  const keys = new Set<string>();
  for (const item of (items ?? []) as readonly SnapshotItem<Name>[]) {
    const reason = check(item, known);
    if (reason !== undefined) return reason;
    keys.add(keyOf(item));
  }
  return keys.size < (items?.length ?? 0) ? `something stands twice in ${name}` : undefined;
}

/** Compares the texts as far as the wire form has them. */
function hasTextsOf({ name, description }: IssueTransaction, texts: AssetText): boolean {
  const onWire = (bytes: Uint8Array): Uint8Array => utf8Bytes(utf8TextWithReplacements(bytes));
  return equalBytes(onWire(name), texts.name) && equalBytes(onWire(description), texts.description);
}

/** Before feature 15 names need not be UTF-8: the transaction has their bytes, the wire form does not. */
function withIssuedTexts(snapshot: Snapshot, transaction: Transaction): Snapshot {
  const { assetTexts } = snapshot;
  if (transaction.type !== TransactionType.Issue || assetTexts === undefined) return snapshot;
  const { name, description } = transaction;
  return { ...snapshot, assetTexts: assetTexts.map((texts) => ({ ...texts, name, description })) };
}

/** @throws FormatError, RuleError generic: a script is unreadable, or has no estimate */
function withComplexities(snapshot: Snapshot, view: StateView): Snapshot {
  const { assetScripts } = snapshot;
  if (assetScripts === undefined) return snapshot;
  const priced = assetScripts.map((change) => {
    readScript(change.script);
    return { ...change, complexity: assetScriptComplexity(change.script, view) };
  });
  return { ...snapshot, assetScripts: priced };
}
