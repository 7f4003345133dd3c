/**
 * Actions and calls of dApps as the scripts of assets see them: as transactions without fee, body and proofs.
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

/** Who acts, in which transaction. */
export interface Actor {
  readonly sender: Uint8Array;
  readonly senderPublicKey: Uint8Array;
  readonly transactionId: () => Uint8Array;
  /** Of the transaction. Only scripts of assets see it: whoever asks for it shows that one has. */
  readonly timestamp: () => bigint;
}

/** @param shape that the asked script sees */
export type PseudoTransaction = (shape: EntityShape) => Structure;

const nothing = new Uint8Array(0);

function entityOf({ sender, senderPublicKey, transactionId, timestamp }: Actor): Entity {
  const seen = { fee: 0n, timestamp: timestamp(), version: 0, bodyBytes: nothing, proofs: [] };
  return { ...seen, id: transactionId(), sender, senderPublicKey };
}

function ofActor(type: string, actor: Actor, fields: readonly (readonly [string, Value])[]): PseudoTransaction {
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
  return ofActor("TransferTransaction", actor, [
    ["amount", amount],
    ["feeAssetId", unit],
    ["assetId", assetId ?? unit],
    ["attachment", nothing],
    ["recipient", recipientValue(recipient)],
  ]);
}

export function pseudoReissue(actor: Actor, reissue: ActionOf<"reissue">): PseudoTransaction {
  return ofActor("ReissueTransaction", actor, [
    ["quantity", reissue.quantity],
    ["assetId", reissue.assetId],
    ["reissuable", reissue.isReissuable],
  ]);
}

export function pseudoBurn(actor: Actor, burn: ActionOf<"burn">): PseudoTransaction {
  return ofActor("BurnTransaction", actor, [
    ["quantity", burn.quantity],
    ["assetId", burn.assetId],
  ]);
}

export function pseudoSponsorFee(actor: Actor, sponsorFee: ActionOf<"sponsorFee">): PseudoTransaction {
  return ofActor("SponsorFeeTransaction", actor, [
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
  const shown = { ...call, feeAsset: null, dApp: { kind: "address", address: dApp } } as const;
  return (shape) => invokeObject({ ...entityOf(actor), ...shown }, shape, dAppVersion);
}
