/**
 * Actions of a callable as values: entries, transfers, issues and others, in the script's order.
 * @source Waves: lang/v1/traits/domain/CallableAction.scala
 */
import type { DataEntry } from "../../protocol/transactions/transaction.ts";
import type { ScriptRecipient } from "../objects/recipients.ts";

/** New value of a data entry of the dApp, or its deletion. */
export interface DataAction extends DataEntry {
  readonly kind: "data";
}
export interface TransferAction {
  readonly kind: "transfer";
  /** Bytes from the script, which may be no valid address; for an alias, its owner's. */
  readonly address: Uint8Array;
  readonly recipient: ScriptRecipient;
  readonly amount: bigint;
  /** Null: WAVES. */
  readonly assetId: Uint8Array | null;
}
export interface IssueAction {
  readonly kind: "issue";
  readonly assetId: Uint8Array;
  readonly name: string;
  readonly description: string;
  readonly quantity: bigint;
  readonly decimals: number;
  readonly isReissuable: boolean;
  readonly nonce: bigint;
}
export interface ReissueAction {
  readonly kind: "reissue";
  readonly assetId: Uint8Array;
  readonly quantity: bigint;
  readonly isReissuable: boolean;
}
export interface BurnAction {
  readonly kind: "burn";
  readonly assetId: Uint8Array;
  readonly quantity: bigint;
}
export interface SponsorFeeAction {
  readonly kind: "sponsorFee";
  readonly assetId: Uint8Array;
  /** Undefined: ends the sponsorship. */
  readonly minSponsoredAssetFee: bigint | undefined;
}
export interface LeaseAction {
  readonly kind: "lease";
  readonly recipient: ScriptRecipient;
  /** Wavelets. */
  readonly amount: bigint;
  readonly nonce: bigint;
}
export interface LeaseCancelAction {
  readonly kind: "leaseCancel";
  readonly leaseId: Uint8Array;
}

export type CallableAction =
  | DataAction
  | TransferAction
  | IssueAction
  | ReissueAction
  | BurnAction
  | SponsorFeeAction
  | LeaseAction
  | LeaseCancelAction;

export type ActionKind = CallableAction["kind"];
export type ActionOf<Kind extends ActionKind> = Extract<CallableAction, { kind: Kind }>;

export function actionsOf<Kind extends ActionKind>(
  actions: readonly CallableAction[],
  kind: Kind,
): readonly ActionOf<Kind>[] {
  return actions.filter((action): action is ActionOf<Kind> => action.kind === kind);
}
