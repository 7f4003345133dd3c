/**
 * Actions and calls of dApps as transactions without fee, body and proofs, for the scripts of assets.
 * @source Waves: lang/v1/evaluator/ctx/impl/waves/Bindings.scala (scriptTransfer, map…PseudoTx)
 */
import type { Address } from "../../../crypto/identities.ts";
import type { Payment } from "../../../protocol/transactions/transaction.ts";
import { type Entity, type EntityShape, entityFields } from "../../../ride/objects/entity-fields.ts";
import { invokeObject } from "../../../ride/objects/invoke-object.ts";
import type { ScriptRecipient } from "../../../ride/objects/recipients.ts";
import { addressObject } from "../../../ride/objects/recipients.ts";
import type { ActionOf, TransferAction } from "../../../ride/results/callable-action.ts";
import { Text } from "../../../ride/values/text.ts";
import { Structure, unit, type Value } from "../../../ride/values/value.ts";

/** Account and transaction of an action. */
export interface Actor {
  readonly sender: Uint8Array;
  readonly senderPublicKey: Uint8Array;
  readonly transactionId: () => Uint8Array;
  /** Timestamp of the transaction. Only asset scripts see it: a call proves that one runs. */
  readonly timestamp: () => bigint;
}

/** @param shape for the asset's script */
export type PseudoTransaction = (shape: EntityShape) => Structure;

const noBytes = new Uint8Array(0);

function entityOf({ sender, senderPublicKey, transactionId, timestamp }: Actor): Entity {
  const fixed = { fee: 0n, timestamp: timestamp(), version: 0, bodyBytes: noBytes, proofs: [] };
  return { ...fixed, id: transactionId(), sender, senderPublicKey };
}

function transactionOf(type: string, actor: Actor, fields: readonly (readonly [string, Value])[]): PseudoTransaction {
  return (shape) => new Structure(type, new Map([...fields, ...entityFields(entityOf(actor), shape)]));
}

function recipientValue(recipient: ScriptRecipient): Structure {
  if (recipient.kind === "address") return addressObject(recipient.bytes);
  return new Structure("Alias", new Map([["alias", new Text(recipient.alias)]]));
}

export function pseudoTransfer(
  actor: Actor,
  { recipient, amount, assetId }: Pick<TransferAction, "recipient" | "amount" | "assetId">,
): PseudoTransaction {
  return transactionOf("TransferTransaction", actor, [
    ["amount", amount],
    ["feeAssetId", unit],
    ["assetId", assetId ?? unit],
    ["attachment", noBytes],
    ["recipient", recipientValue(recipient)],
  ]);
}

export function pseudoReissue(actor: Actor, reissue: ActionOf<"reissue">): PseudoTransaction {
  return transactionOf("ReissueTransaction", actor, [
    ["quantity", reissue.quantity],
    ["assetId", reissue.assetId],
    ["reissuable", reissue.isReissuable],
  ]);
}

export function pseudoBurn(actor: Actor, burn: ActionOf<"burn">): PseudoTransaction {
  return transactionOf("BurnTransaction", actor, [
    ["quantity", burn.quantity],
    ["assetId", burn.assetId],
  ]);
}

export function pseudoSponsorFee(actor: Actor, sponsorFee: ActionOf<"sponsorFee">): PseudoTransaction {
  return transactionOf("SponsorFeeTransaction", actor, [
    ["assetId", sponsorFee.assetId],
    ["minSponsoredAssetFee", sponsorFee.minSponsoredAssetFee ?? unit],
  ]);
}

export interface PseudoCall {
  readonly dApp: Address;
  readonly function: string;
  readonly args: readonly Value[];
  readonly payments: readonly Payment[];
  /** Version of the called dApp: payments are of its form. */
  readonly dAppVersion: number;
}

export function pseudoCall(actor: Actor, { dApp, dAppVersion, ...call }: PseudoCall): PseudoTransaction {
  const fields = { ...call, feeAsset: null, dApp: { kind: "address", address: dApp } } as const;
  return (shape) => invokeObject({ ...entityOf(actor), ...fields }, shape, dAppVersion);
}
