/**
 * Calls of dApps: that of a transaction, whether signed by an account's own key or by an Ethereum wallet, and those that
 * dApps make.
 * @source Waves: state/diffs/invoke/InvokeScript.scala
 */
import type { Address } from "../../../crypto/identities.ts";
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import type { Payment } from "../../../protocol/transactions/transaction.ts";
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import type { Value } from "../../../ride/values/value.ts";

/** A call, whoever makes it. */
export interface Call {
  /** The call that the transaction makes. */
  readonly root: ScriptInvoke;
  readonly sender: Address;
  /** 32 bytes, or 64 of an Ethereum wallet. */
  readonly senderKey: Uint8Array;
  readonly dApp: Address;
  readonly function: string;
  /** Of a call that names its function by the number of one of the language's own. */
  readonly nativeId?: number | undefined;
  readonly args: readonly Value[];
  readonly payments: readonly Payment[];
}

/** The call that a transaction makes. */
export function rootCall(root: ScriptInvoke, dApp: Address): Call {
  const { sender, senderPublicKey: senderKey, function: name, nativeId, args, payments } = root;
  return { root, sender: sender as Address, senderKey, dApp, function: name, nativeId, args, payments };
}

export function paidAssetIds({ payments }: { readonly payments: readonly Payment[] }): readonly AssetId[] {
  return payments.flatMap(({ asset }) => (asset === null ? [] : [asset]));
}

/** An account's own transactions of version 2 and later may not use empty keys. */
export function allowsEmptyKeys({ version }: ScriptInvoke): boolean {
  return version < 2;
}
