/**
 * Transactions as values: the fields of each type, after parsing. Other files of this directory encode them as bytes
 * and JSON; `src/rules/transactions/` has their effect on the state.
 * @source docs/protocol/rest-api.md 3.2–3.4; Waves: transaction/**
 */

import type { Address, PublicKey } from "../../crypto/identities.ts";
import type { Asset, AssetId } from "./asset.ts";
import type { Order } from "./order.ts";
import type { TransactionType } from "./transaction-type.ts";

/** 32 bytes (hash of the body), or 64 bytes for genesis and payment transactions (their signature). */
export type TransactionId = Uint8Array & { readonly __brand: "TransactionId" };
export type LeaseId = Uint8Array & { readonly __brand: "LeaseId" };
/** Serialized Ride script with its checksum. */
export type Script = Uint8Array & { readonly __brand: "Script" };

/** Short name of an account: 4 to 30 characters, without the `alias:R:` prefix. */
export interface Alias {
  readonly chainId: number;
  readonly name: string;
}
/** Address or alias, as the sender wrote it. */
export type Recipient =
  | { readonly kind: "address"; readonly address: Address }
  | { readonly kind: "alias"; readonly alias: Alias };

/** Value of a data transaction; null deletes the entry. */
export type DataValue =
  | { readonly type: "integer"; readonly value: bigint }
  | { readonly type: "boolean"; readonly value: boolean }
  | { readonly type: "binary"; readonly value: Uint8Array }
  | { readonly type: "string"; readonly value: string }
  | null;
export interface DataEntry {
  readonly key: string;
  readonly value: DataValue;
}

export interface MassTransferItem {
  readonly recipient: Recipient;
  readonly amount: bigint;
}
export interface Payment {
  readonly amount: bigint;
  readonly asset: Asset;
}
/** Argument of a call of a script function; lists are nested only in calls from before feature 17. */
export type CallArgument =
  | { readonly type: "integer"; readonly value: bigint }
  | { readonly type: "boolean"; readonly value: boolean }
  | { readonly type: "binary"; readonly value: Uint8Array }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "list"; readonly value: readonly CallArgument[] };
export interface FunctionCall {
  readonly function: string;
  /** Number of a native function, which runs if a callable has the number's digits as name. */
  readonly nativeId?: number;
  readonly args: readonly CallArgument[];
}

/** Fields of every transaction. */
interface Common {
  readonly version: number;
  readonly chainId: number;
  /** In units of `feeAsset`. */
  readonly fee: bigint;
  readonly feeAsset: Asset;
  /** Milliseconds since the epoch. */
  readonly timestamp: bigint;
  readonly id: TransactionId;
  /** Bytes that the proofs sign. */
  readonly bodyBytes: Uint8Array;
  /**
   * The transaction in its own form: legacy binary for versions that have one, otherwise protobuf `SignedTransaction`.
   */
  readonly bytes: Uint8Array;
}
interface Authorized extends Common {
  readonly sender: PublicKey;
  /** Up to 8 signatures or inputs of the account script, each up to 64 bytes. */
  readonly proofs: readonly Uint8Array[];
}

export interface GenesisTransaction extends Common {
  readonly type: typeof TransactionType.Genesis;
  readonly recipient: Address;
  readonly amount: bigint;
  readonly signature: Uint8Array;
}
export interface PaymentTransaction extends Authorized {
  readonly type: typeof TransactionType.Payment;
  readonly recipient: Address;
  readonly amount: bigint;
}
export interface IssueTransaction extends Authorized {
  readonly type: typeof TransactionType.Issue;
  /** UTF-8; before feature 15 a name need not be valid text. */
  readonly name: Uint8Array;
  readonly description: Uint8Array;
  readonly quantity: bigint;
  readonly decimals: number;
  readonly reissuable: boolean;
  readonly script: Script | null;
}
export interface TransferTransaction extends Authorized {
  readonly type: typeof TransactionType.Transfer;
  readonly recipient: Recipient;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly attachment: Uint8Array;
}
export interface ReissueTransaction extends Authorized {
  readonly type: typeof TransactionType.Reissue;
  readonly asset: AssetId;
  readonly quantity: bigint;
  readonly reissuable: boolean;
}
export interface BurnTransaction extends Authorized {
  readonly type: typeof TransactionType.Burn;
  readonly asset: AssetId;
  readonly amount: bigint;
}
export interface ExchangeTransaction extends Authorized {
  readonly type: typeof TransactionType.Exchange;
  readonly order1: Order;
  readonly order2: Order;
  readonly amount: bigint;
  readonly price: bigint;
  readonly buyMatcherFee: bigint;
  readonly sellMatcherFee: bigint;
}
export interface LeaseTransaction extends Authorized {
  readonly type: typeof TransactionType.Lease;
  readonly recipient: Recipient;
  readonly amount: bigint;
}
export interface LeaseCancelTransaction extends Authorized {
  readonly type: typeof TransactionType.LeaseCancel;
  readonly leaseId: LeaseId;
}
export interface CreateAliasTransaction extends Authorized {
  readonly type: typeof TransactionType.CreateAlias;
  readonly alias: Alias;
}
export interface MassTransferTransaction extends Authorized {
  readonly type: typeof TransactionType.MassTransfer;
  readonly asset: Asset;
  readonly transfers: readonly MassTransferItem[];
  readonly attachment: Uint8Array;
}
export interface DataTransaction extends Authorized {
  readonly type: typeof TransactionType.Data;
  readonly data: readonly DataEntry[];
}
export interface SetScriptTransaction extends Authorized {
  readonly type: typeof TransactionType.SetScript;
  readonly script: Script | null;
}
export interface SponsorFeeTransaction extends Authorized {
  readonly type: typeof TransactionType.SponsorFee;
  readonly asset: AssetId;
  /** Price of the smallest unit; null stops the sponsorship. */
  readonly minSponsoredAssetFee: bigint | null;
}
export interface SetAssetScriptTransaction extends Authorized {
  readonly type: typeof TransactionType.SetAssetScript;
  readonly asset: AssetId;
  readonly script: Script | null;
}
export interface InvokeScriptTransaction extends Authorized {
  readonly type: typeof TransactionType.InvokeScript;
  readonly dApp: Recipient;
  /** null: the default function. */
  readonly call: FunctionCall | null;
  readonly payments: readonly Payment[];
}
export interface UpdateAssetInfoTransaction extends Authorized {
  readonly type: typeof TransactionType.UpdateAssetInfo;
  readonly asset: AssetId;
  readonly name: string;
  readonly description: string;
}
/** A transaction of an Ethereum wallet. `senderKey` is the 64-byte secp256k1 key recovered from its signature. */
export interface EthereumTransaction extends Common {
  readonly type: typeof TransactionType.Ethereum;
  readonly senderKey: Uint8Array;
  readonly sender: Address;
  /** 20 bytes. */
  readonly to: Uint8Array;
  /** In units of 10^-18. */
  readonly value: bigint;
  readonly data: Uint8Array;
  /** RLP bytes with the signature. */
  readonly ethereumBytes: Uint8Array;
}
export interface CommitToGenerationTransaction extends Authorized {
  readonly type: typeof TransactionType.CommitToGeneration;
  readonly generationPeriodStart: number;
  readonly endorserPublicKey: Uint8Array;
  readonly commitmentSignature: Uint8Array;
}

export type Transaction =
  | GenesisTransaction
  | PaymentTransaction
  | IssueTransaction
  | TransferTransaction
  | ReissueTransaction
  | BurnTransaction
  | ExchangeTransaction
  | LeaseTransaction
  | LeaseCancelTransaction
  | CreateAliasTransaction
  | MassTransferTransaction
  | DataTransaction
  | SetScriptTransaction
  | SponsorFeeTransaction
  | SetAssetScriptTransaction
  | InvokeScriptTransaction
  | UpdateAssetInfoTransaction
  | EthereumTransaction
  | CommitToGenerationTransaction;

export type TransactionOf<Type extends TransactionType> = Extract<Transaction, { type: Type }>;
/** A transaction signed with a curve25519 key: all but genesis and Ethereum ones. */
export type AuthorizedTransaction = Extract<Transaction, { proofs: readonly Uint8Array[] }>;
/** Fields that a sender chooses; id and bytes follow from them. */
export type TransactionFields<T extends Transaction = Transaction> = T extends Transaction
  ? Omit<T, "id" | "bodyBytes" | "bytes">
  : never;

/** Status of a transaction in a block. */
export type TransactionStatus = "succeeded" | "failed" | "elided";
