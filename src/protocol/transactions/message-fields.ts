/**
 * Messages and fields that the protobuf forms of several transaction types share.
 * @source waves/amount.proto, waves/recipient.proto; Waves: protobuf/transaction/PBAmounts.scala, PBRecipients.scala
 */

import { LRUCache } from "lru-cache";
import {
  addressOfPublicKey,
  addressOfPublicKeyHash,
  parseAddressBytes,
  publicKeyHashOf,
} from "../../crypto/address.ts";
import { bytesKey } from "../../crypto/bytes.ts";
import type { Address, PublicKey } from "../../crypto/identities.ts";
import { type MessageOf, message, oneOf, scalar } from "../codec/protobuf.ts";
import { WireError } from "../errors.ts";
import { findAliasError } from "./alias.ts";
import type { Asset, AssetId } from "./asset.ts";
import type { Recipient, Script } from "./transaction.ts";

const publicKeyHashBytes = 20;
const addressBytes = 26;
const publicKeyBytes = 32;
const assetIdBytes = 32;

export const amountMessage = message("Amount", { assetId: scalar(1, "bytes"), amount: scalar(2, "int64") });
/** Same message, where the reference refuses unknown fields. */
export const strictAmountMessage = message(
  "Amount",
  { assetId: scalar(1, "bytes"), amount: scalar(2, "int64") },
  { unknown: "refuse" },
);
export type AmountMessage = MessageOf<typeof amountMessage>;

export const recipientMessage = message("Recipient", {
  publicKeyHash: oneOf("recipient", 1, "bytes"),
  alias: oneOf("recipient", 2, "string"),
});
export type RecipientMessage = MessageOf<typeof recipientMessage>;

/** Cache: an address takes two hashes to compute. */
const addressesOfHashes = new LRUCache<string, Address>({ max: 8192 });
const noBytes = new Uint8Array(0);

/** Refuses a malformed value in a message. Messages do not report the offset of their fields. */
export function refuseField(field: string, reason: string): never {
  throw new WireError({ field, offset: 0, reason });
}

/** A required message. */
export function present<Value>(field: string, value: Value | undefined): Value {
  return value ?? refuseField(field, "missing");
}

export function assetOfBytes(field: string, id: Uint8Array): Asset {
  return id.length === 0 ? null : assetIdOfBytes(field, id);
}

export function assetIdOfBytes(field: string, id: Uint8Array): AssetId {
  return sizedBytes<AssetId>(field, id, assetIdBytes);
}

/** Bytes of an exact size. */
export function sizedBytes<Kind extends Uint8Array>(field: string, value: Uint8Array, sizeBytes: number): Kind {
  if (value.length !== sizeBytes) refuseField(field, `${sizeBytes} bytes expected, got ${value.length}`);
  return value as Kind;
}

export function assetBytes(asset: Asset): Uint8Array {
  return asset ?? noBytes;
}

export function amountOf(asset: Asset, amount: bigint): AmountMessage {
  return { assetId: assetBytes(asset), amount };
}

/** Script; null for an empty byte string. */
export function scriptOfBytes(script: Uint8Array): Script | null {
  return script.length === 0 ? null : (script as Script);
}

export function scriptBytes(script: Script | null): Uint8Array {
  return script ?? noBytes;
}

/** Same as `addressOfBytes`, for the effect of a script: a whole address may be of another chain. */
export function reachedAddressOfBytes(field: string, content: Uint8Array, chainId: number): Address {
  const [, of = chainId] = content;
  return addressOfBytes(field, content, content.length === addressBytes ? of : chainId);
}

/** Address from a public key hash, a whole address of the chain, or a public key. */
export function addressOfBytes(field: string, content: Uint8Array, chainId: number): Address {
  switch (content.length) {
    case publicKeyHashBytes: {
      const key = bytesKey(content) + String.fromCharCode(chainId);
      const known = addressesOfHashes.get(key);
      if (known !== undefined) return known;
      const address = addressOfPublicKeyHash(content, chainId);
      addressesOfHashes.set(key, address);
      return address;
    }
    case addressBytes: {
      const address = parseAddressBytes(content, chainId);
      return address instanceof Uint8Array ? address : refuseField(field, address.code);
    }
    case publicKeyBytes:
      return addressOfPublicKey(content as PublicKey, chainId);
    default:
      return refuseField(field, `20, 26 or 32 bytes expected, got ${content.length}`);
  }
}

export function recipientOf(field: string, recipient: RecipientMessage | undefined, chainId: number): Recipient {
  if (recipient?.publicKeyHash !== undefined) {
    return { kind: "address", address: addressOfBytes(field, recipient.publicKeyHash, chainId) };
  }
  if (recipient?.alias === undefined) return refuseField(field, "neither address nor alias");
  const error = findAliasError(recipient.alias);
  if (error !== undefined) refuseField(field, error);
  return { kind: "alias", alias: { chainId, name: recipient.alias } };
}

export function messageOfRecipient(recipient: Recipient): RecipientMessage {
  return recipient.kind === "address"
    ? { publicKeyHash: publicKeyHashOf(recipient.address), alias: undefined }
    : { publicKeyHash: undefined, alias: recipient.alias.name };
}
