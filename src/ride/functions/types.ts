/**
 * Object types of the library: their fields, with types as the reference prints them.
 * @source Waves: lang/v1/evaluator/ctx/impl/waves/Types.scala, lang/v1/compiler/Types.scala
 */

import { List, Structure, typeNameOf, type Value } from "../values/value.ts";
import { digests } from "./digests.ts";
import { parameterNamesOf } from "./function-definition.ts";
import type { LibraryKind } from "./library.ts";
import { oldRoundings, roundings } from "./rounding.ts";

export interface ObjectType {
  readonly name: string;
  readonly fields: readonly string[];
  readonly types: readonly string[];
  /** Whether scripts from version 4 on have no constructor for the type, although the evaluator has one. */
  readonly isHidden: boolean;
}

interface TypeDefinition {
  /** `Name(field: Type, …)` */
  readonly type: string;
  readonly since?: number;
  readonly until?: number;
  readonly isHidden?: boolean;
  readonly hiddenSince?: number;
  /** Whether to add the fields of all transactions. */
  readonly isTransaction?: boolean;
  /** Whether objects have proofs, if the script may see them. */
  readonly hasProofs?: boolean;
}

const recipient = "Address|Alias";
const optionalBytes = "ByteVector|Unit";
const header = "id: ByteVector, fee: Int, timestamp: Int, version: Int";
const proven = "sender: Address, senderPublicKey: ByteVector, bodyBytes: ByteVector";
const typedEntry = "BinaryEntry|BooleanEntry|DeleteEntry|IntegerEntry|StringEntry";
const plainValue = "Boolean|ByteVector|Int|String";
const orderFields =
  "id: ByteVector, matcherPublicKey: ByteVector, assetPair: AssetPair, orderType: Buy|Sell, price: Int, amount: Int, " +
  `timestamp: Int, expiration: Int, matcherFee: Int, matcherFeeAssetId: ${optionalBytes}, ${proven}`;
const exchangeFields =
  "buyOrder: Order, sellOrder: Order, price: Int, amount: Int, buyMatcherFee: Int, sellMatcherFee: Int";
const massTransferFields = `assetId: ${optionalBytes}, totalAmount: Int, transfers: List[Transfer], transferCount: Int, attachment: ByteVector`;
const invokeFields = `dApp: ${recipient}, feeAssetId: ${optionalBytes}, function: String, args: List[Boolean|ByteVector|Int|List[${plainValue}]|String]`;
const invocationFields = `caller: Address, callerPublicKey: ByteVector, transactionId: ByteVector, fee: Int, feeAssetId: ${optionalBytes}`;
const assetFields =
  "id: ByteVector, quantity: Int, decimals: Int, issuer: Address, issuerPublicKey: ByteVector, reissuable: Boolean, scripted: Boolean";
const blockFields =
  "timestamp: Int, height: Int, baseTarget: Int, generationSignature: ByteVector, generator: Address, generatorPublicKey: ByteVector";
/** Transactions have no constructors from version 6 on. */
const transaction = { isTransaction: true, hasProofs: true, hiddenSince: 6 } as const;

const typeTable: readonly TypeDefinition[] = [
  { type: "Unit()" },
  ...roundings.map((name) => ({ type: `${name}()`, isHidden: true })),
  ...oldRoundings.map((name) => ({ type: `${name}()`, isHidden: true, until: 4 })),
  ...digests.map((name) => ({ type: `${name}()`, since: 3, hiddenSince: 4 })),
  { type: "Address(bytes: ByteVector)" },
  { type: "Alias(alias: String)" },
  { type: `Transfer(recipient: ${recipient}, amount: Int)` },
  { type: `AssetPair(amountAsset: ${optionalBytes}, priceAsset: ${optionalBytes})` },
  { type: `Order(${orderFields})`, until: 7, hasProofs: true },
  { type: `Order(${orderFields}, attachment: ${optionalBytes})`, since: 8, hasProofs: true },
  { type: `GenesisTransaction(amount: Int, recipient: ${recipient}, ${header})`, hiddenSince: 6 },
  { type: `PaymentTransaction(amount: Int, recipient: ${recipient})`, ...transaction },
  { type: "ReissueTransaction(quantity: Int, assetId: ByteVector, reissuable: Boolean)", ...transaction },
  { type: "BurnTransaction(quantity: Int, assetId: ByteVector)", ...transaction },
  {
    type: `MassTransferTransaction(feeAssetId: ${optionalBytes}, ${massTransferFields})`,
    until: 4,
    ...transaction,
  },
  { type: `MassTransferTransaction(${massTransferFields})`, since: 5, ...transaction },
  { type: `ExchangeTransaction(${exchangeFields})`, ...transaction },
  {
    type: `TransferTransaction(feeAssetId: ${optionalBytes}, amount: Int, assetId: ${optionalBytes}, recipient: ${recipient}, attachment: ByteVector)`,
    ...transaction,
  },
  { type: `SetAssetScriptTransaction(script: ${optionalBytes}, assetId: ByteVector)`, ...transaction },
  { type: `InvokeScriptTransaction(${invokeFields})`, since: 3, ...transaction },
  {
    type: "UpdateAssetInfoTransaction(assetId: ByteVector, name: String, description: String)",
    since: 4,
    ...transaction,
  },
  {
    type: `InvokeExpressionTransaction(expression: ByteVector, feeAssetId: ${optionalBytes})`,
    since: 6,
    ...transaction,
  },
  {
    type: "CommitToGenerationTransaction(endorserPublicKey: ByteVector, generationPeriodStart: Int, commitmentSignature: ByteVector)",
    since: 9,
    ...transaction,
  },
  {
    type: `IssueTransaction(quantity: Int, name: ByteVector, description: ByteVector, reissuable: Boolean, decimals: Int, script: ${optionalBytes})`,
    until: 3,
    ...transaction,
  },
  {
    type: `IssueTransaction(quantity: Int, name: String, description: String, reissuable: Boolean, decimals: Int, script: ${optionalBytes})`,
    since: 4,
    ...transaction,
  },
  { type: `LeaseTransaction(amount: Int, recipient: ${recipient})`, ...transaction },
  { type: "LeaseCancelTransaction(leaseId: ByteVector)", ...transaction },
  { type: "CreateAliasTransaction(alias: String)", ...transaction },
  { type: `SetScriptTransaction(script: ${optionalBytes})`, ...transaction },
  { type: "SponsorFeeTransaction(assetId: ByteVector, minSponsoredAssetFee: Int|Unit)", ...transaction },
  { type: "DataTransaction(data: List[DataEntry])", until: 3, ...transaction },
  { type: `DataTransaction(data: List[${typedEntry}])`, since: 4, ...transaction },
  { type: `DataEntry(key: String, value: ${plainValue})`, until: 3 },
  { type: "BalanceDetails(available: Int, regular: Int, generating: Int, effective: Int)", since: 4 },
  { type: "BooleanEntry(key: String, value: Boolean)", since: 4 },
  { type: "StringEntry(key: String, value: String)", since: 4 },
  { type: "BinaryEntry(key: String, value: ByteVector)", since: 4 },
  { type: "IntegerEntry(key: String, value: Int)", since: 4 },
  { type: "DeleteEntry(key: String)", since: 4 },
  { type: `AttachedPayment(assetId: ${optionalBytes}, amount: Int)`, since: 3 },
  { type: `ScriptTransfer(recipient: ${recipient}, amount: Int, asset: ${optionalBytes})`, since: 3 },
  { type: `Invocation(payment: AttachedPayment|Unit, ${invocationFields})`, since: 3, until: 3 },
  { type: `Invocation(payments: List[AttachedPayment], ${invocationFields})`, since: 4, until: 4 },
  {
    type: `Invocation(payments: List[AttachedPayment], ${invocationFields}, originCaller: Address, originCallerPublicKey: ByteVector)`,
    since: 5,
  },
  { type: `Asset(${assetFields}, sponsored: Boolean)`, since: 3, until: 3 },
  { type: `Asset(${assetFields}, minSponsoredFee: Int|Unit, name: String, description: String)`, since: 4 },
  { type: `BlockInfo(${blockFields})`, since: 3, until: 3 },
  { type: `BlockInfo(${blockFields}, vrf: ${optionalBytes})`, since: 4, until: 6 },
  { type: `BlockInfo(${blockFields}, vrf: ${optionalBytes}, rewards: List[(Address, Int)])`, since: 7 },
  { type: "WriteSet(data: List[DataEntry])", since: 3, until: 3 },
  { type: "TransferSet(transfers: List[ScriptTransfer])", since: 3, until: 3 },
  { type: "ScriptResult(writeSet: WriteSet, transferSet: TransferSet)", since: 3, until: 3 },
  {
    type: "Issue(name: String, description: String, quantity: Int, decimals: Int, isReissuable: Boolean, compiledScript: Script|Unit, nonce: Int)",
    since: 4,
    isHidden: true,
  },
  { type: "Reissue(assetId: ByteVector, quantity: Int, isReissuable: Boolean)", since: 4 },
  { type: "Burn(assetId: ByteVector, quantity: Int)", since: 4 },
  { type: "SponsorFee(assetId: ByteVector, minSponsoredAssetFee: Int|Unit)", since: 4 },
  { type: `Lease(recipient: ${recipient}, amount: Int, nonce: Int)`, since: 5 },
  { type: "LeaseCancel(leaseId: ByteVector)", since: 5 },
];

/** Payments of an invocation, which follow all other fields. */
const invokePayments = { 3: "payment: AttachedPayment|Unit", 4: "payments: List[AttachedPayment]" } as const;

const caches = new Map<string, ReadonlyMap<string, ObjectType>>();

/** Object types by name. Asset scripts see no proofs. */
export function objectTypesOf({ libraryVersion, guards }: LibraryKind): ReadonlyMap<string, ObjectType> {
  const key = `${libraryVersion} ${guards}`;
  let types = caches.get(key);
  if (types === undefined) {
    const definitions = typeTable.filter(
      ({ since = 1, until = libraryVersion }) => since <= libraryVersion && libraryVersion <= until,
    );
    types = new Map(
      definitions
        .map((definition) => objectType(definition, libraryVersion, guards === "account"))
        .map((t) => [t.name, t]),
    );
    caches.set(key, types);
  }
  return types;
}

function objectType(definition: TypeDefinition, libraryVersion: number, seesProofs: boolean): ObjectType {
  const open = definition.type.indexOf("(");
  const name = definition.type.slice(0, open);
  const parts = [definition.type.slice(open + 1, -1)];
  if (definition.isTransaction) parts.push(header, proven);
  if (name === "InvokeScriptTransaction") parts.push(invokePayments[libraryVersion === 3 ? 3 : 4]);
  if (definition.hasProofs && seesProofs) parts.push("proofs: List[ByteVector]");
  const text = parts.filter((part) => part !== "").join(", ");
  const fields = parameterNamesOf(text);
  return {
    name,
    fields,
    types: fieldTypes(text, fields),
    isHidden: definition.isHidden ?? libraryVersion >= (definition.hiddenSince ?? Number.POSITIVE_INFINITY),
  };
}

function fieldTypes(text: string, fields: readonly string[]): readonly string[] {
  let rest = text;
  return fields.map((field, index) => {
    rest = rest.slice(`${field}: `.length);
    const next = fields[index + 1];
    const end = next === undefined ? rest.length : rest.indexOf(`, ${next}: `);
    const type = rest.slice(0, end);
    rest = rest.slice(end + 2);
    return type;
  });
}

/**
 * Whether the reference accepts a value in a field when it checks. A list fits no typed list: its items are not
 * checked.
 */
export function fitsType(value: Value, type: string): boolean {
  // A union inside a list is no alternative of the field itself.
  const choices = type.replace(/\[.*\|.*\]/, "[]").split("|");
  if (value instanceof List) return type === "Any" || choices.includes("List[Any]");
  return choices.includes(value instanceof Structure ? value.type : typeNameOf(value));
}
