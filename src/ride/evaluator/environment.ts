/**
 * What a script may read of the chain and of the world around its call. Everything is read at the moment it is asked
 * for, and answers must not change while a script runs.
 * @source Waves: lang/v1/traits/Environment.scala
 */
import type { Address } from "../../crypto/identities.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import type { ScriptRecipient } from "../objects/recipients.ts";
import type { ScriptTransfer } from "../objects/transfer.ts";
import type { Value } from "../values/value.ts";
import type { LogEntry } from "./evaluation-log.ts";
import type { ScriptWork } from "./script-work.ts";

export type ScriptDataValue = bigint | boolean | Uint8Array | string;

export interface ScriptBalance {
  readonly available: bigint;
  readonly regular: bigint;
  readonly generating: bigint;
  readonly effective: bigint;
}

export interface ScriptAssetInfo {
  readonly id: Uint8Array;
  readonly quantity: bigint;
  readonly decimals: number;
  readonly issuer: Uint8Array;
  readonly issuerPublicKey: Uint8Array;
  readonly isReissuable: boolean;
  readonly isScripted: boolean;
  /** Undefined: not sponsored. */
  readonly minSponsoredFee: bigint | undefined;
  readonly name: string;
  readonly description: string;
}

export interface ScriptBlockInfo {
  readonly timestampMs: bigint;
  readonly height: number;
  readonly baseTarget: bigint;
  readonly generationSignature: Uint8Array;
  readonly generator: Uint8Array;
  readonly generatorPublicKey: Uint8Array;
  readonly vrf: Uint8Array | undefined;
  /** Who got how much of the reward, in the order scripts see it. */
  readonly rewards: readonly { readonly address: Uint8Array; readonly amount: bigint }[];
}

/** A call of another dApp. */
export interface DAppCall {
  /** Bytes that should be an address. */
  readonly dApp: Uint8Array;
  readonly function: string;
  readonly args: readonly Value[];
  readonly payments: readonly { readonly assetId: Uint8Array | null; readonly amount: bigint }[];
  /** Whether dApps called from there may call this one again. */
  readonly isReentrant: boolean;
  readonly availableComplexity: number;
}

export interface DAppAnswer {
  readonly value: Value;
  readonly spentComplexity: number;
  /** What the caller's log tells of the call. */
  readonly log?: readonly LogEntry[];
}

export interface Environment {
  /** Whether what takes seconds may be refused. @see WorkRefused */
  readonly mayRefuseWork: boolean;
  /** Counts the work of scripts; undefined: the complexity limit is the only bound. */
  readonly workMeter?: ScriptWork | undefined;
  readonly chainId: number;
  height(): number;
  /** Of the transaction that runs the script; empty where there is none. */
  transactionId(): Uint8Array;
  /** Time until an account with that balance may sign the next block, in milliseconds. */
  delayMs(generator: Uint8Array, balance: bigint): bigint;
  /** The transaction, order or action a script is asked about: `tx`. @throws ExecutionError there is none */
  input(): Value;
  /** The script as error messages name it: `Invoker script`, `DApp`, `Attached asset script id=…`. */
  scriptText(): string;
  /** The dApp's or the account's address, or the asset: `this`. @throws ExecutionError */
  self(): Value;
  /** The address of the account that runs, where scripts may name it without saying so. */
  selfAddress(): Uint8Array | undefined;
  lastBlock(): ScriptBlockInfo;
  findBlock(height: number): ScriptBlockInfo | undefined;
  /** @throws ExecutionError the recipient does not exist */
  findData(recipient: ScriptRecipient, key: string): ScriptDataValue | undefined;
  /** @throws ExecutionError the recipient does not exist */
  hasData(recipient: ScriptRecipient): boolean;
  /** The address that the bytes are, where it is one of this chain or counts as such. */
  findAddress(bytes: Uint8Array): Uint8Array | undefined;
  /** The address, of any chain, where the bytes are one to a reader of a message of that chain. */
  addressInMessage(bytes: Uint8Array, messageChainId: number): Address | undefined;
  /** @throws ExecutionError no such alias */
  resolveAlias(alias: string): Uint8Array;
  /** @param assetId undefined: WAVES @throws ExecutionError the recipient does not exist */
  balance(recipient: ScriptRecipient, assetId: Uint8Array | undefined): bigint;
  /** @throws ExecutionError the recipient does not exist */
  wavesBalance(recipient: ScriptRecipient): ScriptBalance;
  findAsset(id: Uint8Array): ScriptAssetInfo | undefined;
  /** Of a transaction that succeeded. */
  findTransactionHeight(id: Uint8Array): number | undefined;
  /** A transaction that succeeded; never one of an Ethereum wallet. */
  findTransaction(id: Uint8Array): Transaction | undefined;
  /** A transfer that succeeded, of an Ethereum wallet too. */
  findTransfer(id: Uint8Array): ScriptTransfer | undefined;
  /** Bytes of the account's script. @throws ExecutionError the recipient does not exist */
  findScript(recipient: ScriptRecipient): Uint8Array | undefined;
  /** Undefined: scripts of this kind call no other. @throws CallFailure, ExecutionError */
  readonly callDApp?: (call: DAppCall) => DAppAnswer;
}
