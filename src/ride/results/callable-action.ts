/**
 * What a callable asks for, as values: entries, transfers, issues and all the rest, in the order in which it gave them.
 * @source Waves: lang/v1/traits/domain/CallableAction.scala
 */
import type { DataEntry } from "../../protocol/transactions/transaction.ts";
import type { ScriptRecipient } from "../objects/recipients.ts";

/** A new value of an entry of the dApp's data, or its end. */
export interface DataAction extends DataEntry {
  readonly kind: "data";
}
export interface TransferAction {
  readonly kind: "transfer";
  /** As the script gave them: they may be no address. Of an alias, those of its owner. */
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
  /** Undefined ends the sponsorship. */
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
