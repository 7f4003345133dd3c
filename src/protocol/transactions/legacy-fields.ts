/**
 * Fields that the legacy binary forms of several transaction types share.
 * @source Waves: serialization/package.scala (ByteBufferOps), account/Recipient.scala, transaction/Proofs.scala
 */
import { parseAddressBytes } from "../../crypto/address.ts";
import type { Address, PublicKey } from "../../crypto/identities.ts";
import {
  boolean,
  bytes,
  bytesWithLength,
  type Codec,
  i16,
  i64,
  list,
  literal,
  mapped,
  option,
  sized,
  struct,
  u8,
} from "../codec/codec.ts";
import { findUtf8Text, utf8Bytes } from "../codec/utf8.ts";
import { findAliasError } from "./alias.ts";
import type { Asset, AssetId } from "./asset.ts";
import { limits } from "./limits.ts";
import type { Alias, LeaseId, Recipient, Script } from "./transaction.ts";

const addressVersion = 1;
const aliasVersion = 2;
const addressBytes = 26;

export const publicKey = bytes<PublicKey>(32);
export const signature = bytes(64);
export const assetId = bytes<AssetId>(32);
export const leaseId = bytes<LeaseId>(32);
/** 0 for the native token, otherwise 1 and the id. */
export const asset: Codec<Asset> = option(assetId);
export const flag = boolean;
export const amount = i64;
export const shortBytes = bytesWithLength(i16);
export const script: Codec<Script | null> = option(bytesWithLength<Script>(i16));

/** UTF-8 after its length in bytes. */
export const shortText: Codec<string> = mapped(
  shortBytes,
  (content, from) => findUtf8Text(content) ?? from.fail("not valid UTF-8", from.offset - content.length),
  utf8Bytes,
);

export const address: Codec<Address> = {
  read: (from) => {
    const at = from.offset;
    const parsed = parseAddressBytes(from.bytesOf(addressBytes), undefined);
    return parsed instanceof Uint8Array ? parsed : from.fail(`not an address: ${parsed.code}`, at);
  },
  write: (value, to) => to.bytes(value),
};

const aliasFields = struct({ head: literal(aliasVersion), chainId: u8, name: shortText });

/** 2 ‖ chain id ‖ name after its length. */
export const alias: Codec<Alias> = {
  read: (from) => {
    const at = from.offset;
    const value = aliasFields.read(from);
    const error = findAliasError(value.name);
    return error === undefined ? value : from.fail(error, at);
  },
  write: (value, to) => aliasFields.write(value, to),
};
/** An alias after the length of all its bytes. */
export const sizedAlias: Codec<Alias> = sized(i16, alias);

/** An address or an alias, depending on the first byte. */
export const recipient: Codec<Recipient> = {
  read: (from) => {
    switch (from.peek()) {
      case addressVersion:
        return { kind: "address", address: address.read(from) };
      case aliasVersion:
        return { kind: "alias", alias: alias.read(from) };
      default:
        return from.fail(`neither an address (1) nor an alias (2): ${from.peek()}`);
    }
  },
  write: (value, to) => {
    if (value.kind === "address") address.write(value.address, to);
    else alias.write(value.alias, to);
  },
};

/** Version 1 ‖ count ‖ each proof after its length. */
export const proofs: Codec<{ readonly proofs: readonly Uint8Array[] }> = struct({
  version: literal(1),
  proofs: list(i16, bytesWithLength(i16, limits.proofBytes), limits.proofs),
});
