/**
 * Calls of dApps: by a transaction, signed with an account's own key or by an Ethereum wallet, and by dApps.
 * @source Waves: state/diffs/invoke/InvokeScript.scala
 */
import type { Address } from "../../../crypto/identities.ts";
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import type { Payment } from "../../../protocol/transactions/transaction.ts";
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import type { Value } from "../../../ride/values/value.ts";

/** Call by any caller. */
export interface Call {
  /** The transaction's call. */
  readonly root: ScriptInvoke;
  readonly sender: Address;
  /** 32 bytes; 64 for an Ethereum wallet. */
  readonly senderKey: Uint8Array;
  readonly dApp: Address;
  readonly function: string;
  /** Set if the function is the id of a native function. */
  readonly nativeId?: number | undefined;
  readonly args: readonly Value[];
  readonly payments: readonly Payment[];
}

/** The transaction's own call. */
export function rootCall(root: ScriptInvoke, dApp: Address): Call {
  const { sender, senderPublicKey: senderKey, function: name, nativeId, args, payments } = root;
  return { root, sender: sender as Address, senderKey, dApp, function: name, nativeId, args, payments };
}

export function paidAssetIds({ payments }: { readonly payments: readonly Payment[] }): readonly AssetId[] {
  return payments.flatMap(({ asset }) => (asset === null ? [] : [asset]));
}

/** Whether empty keys are allowed: not in an account's own transactions of version 2 and later. */
export function allowsEmptyKeys({ version }: ScriptInvoke): boolean {
  return version < 2;
}
