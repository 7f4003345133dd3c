/**
 * State that a script may read, and the context of its call. Reads happen at the time of access, and results must not
 * change while a script runs.
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
  /** Shares of the reward, in the scripts' order. */
  readonly rewards: readonly { readonly address: Uint8Array; readonly amount: bigint }[];
}

/** Call of another dApp. */
export interface DAppCall {
  /** Bytes that should be an address. */
  readonly dApp: Uint8Array;
  readonly function: string;
  readonly args: readonly Value[];
  readonly payments: readonly { readonly assetId: Uint8Array | null; readonly amount: bigint }[];
  /** Whether nested dApps may call this one again. */
  readonly isReentrant: boolean;
  readonly availableComplexity: number;
}

export interface DAppCallResult {
  readonly value: Value;
  readonly spentComplexity: number;
  /** Log of the call for the caller. */
  readonly log?: readonly LogEntry[];
}

export interface Environment {
  /** Whether scripts that take seconds may be refused. @see WorkRefused */
  readonly mayRefuseWork: boolean;
  /** Meter of script work; undefined: the complexity limit is the only bound. */
  readonly workMeter?: ScriptWork | undefined;
  readonly chainId: number;
  height(): number;
  /** Id of the transaction that runs the script; empty without one. */
  transactionId(): Uint8Array;
  /** Time until an account with that balance may sign the next block, in milliseconds. */
  delayMs(generator: Uint8Array, balance: bigint): bigint;
  /** Transaction, order or action under verification: `tx`. @throws ExecutionError there is none */
  input(): Value;
  /** Name of the script in error messages: `Invoker script`, `DApp`, `Attached asset script id=…`. */
  scriptText(): string;
  /** Address of the dApp or account, or the asset: `this`. @throws ExecutionError */
  self(): Value;
  /** Address of the running account, if scripts may use it implicitly. */
  selfAddress(): Uint8Array | undefined;
  lastBlock(): ScriptBlockInfo;
  findBlock(height: number): ScriptBlockInfo | undefined;
  /** @throws ExecutionError the recipient does not exist */
  findData(recipient: ScriptRecipient, key: string): ScriptDataValue | undefined;
  /** @throws ExecutionError the recipient does not exist */
  hasData(recipient: ScriptRecipient): boolean;
  /** The address of the bytes, if it is one of this chain or counts as one. */
  findAddress(bytes: Uint8Array): Uint8Array | undefined;
  /** The address, of any chain, if it is valid in a message of that chain. */
  addressInMessage(bytes: Uint8Array, messageChainId: number): Address | undefined;
  /** @throws ExecutionError no such alias */
  resolveAlias(alias: string): Uint8Array;
  /** @param assetId undefined: WAVES @throws ExecutionError the recipient does not exist */
  balance(recipient: ScriptRecipient, assetId: Uint8Array | undefined): bigint;
  /** @throws ExecutionError the recipient does not exist */
  wavesBalance(recipient: ScriptRecipient): ScriptBalance;
  findAsset(id: Uint8Array): ScriptAssetInfo | undefined;
  /** Height of a succeeded transaction. */
  findTransactionHeight(id: Uint8Array): number | undefined;
  /** Succeeded transaction; never one of an Ethereum wallet. */
  findTransaction(id: Uint8Array): Transaction | undefined;
  /** Succeeded transfer, including those of Ethereum wallets. */
  findTransfer(id: Uint8Array): ScriptTransfer | undefined;
  /** Bytes of the account's script. @throws ExecutionError the recipient does not exist */
  findScript(recipient: ScriptRecipient): Uint8Array | undefined;
  /** Undefined: scripts of this kind call no dApps. @throws CallFailure, ExecutionError */
  readonly callDApp?: (call: DAppCall) => DAppCallResult;
}
