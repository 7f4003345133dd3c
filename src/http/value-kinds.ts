/**
 * Kinds of values in paths and queries, with the reference's errors.
 * @source docs/protocol/rest-api.md 1.6; Waves: api/http/package.scala
 */
import { parseAddress } from "../crypto/address.ts";
import { base58ErrorText, parseBase58 } from "../crypto/base58.ts";
import type { Address, PublicKey } from "../crypto/identities.ts";
import type { BlockId } from "../protocol/blocks/block.ts";
import { I64_MAX } from "../protocol/codec/i64.ts";
import type { AssetId } from "../protocol/transactions/asset.ts";
import type { LeaseId, TransactionId } from "../protocol/transactions/transaction.ts";
import { ApiError } from "./api-error.ts";
import { type Kind, mismatch } from "./kind.ts";

const digestSize = 32;
const signatureSize = 64;
const i32Max = 2 ** 31 - 1;
const i32Min = -(2 ** 31);

const base58Pattern = "^[1-9A-HJ-NP-Za-km-z]*$";

export const text: Kind<string> = { read: (value) => value, schema: { type: "string" }, errors: [] };

/** Decimal digits, at most 2^31 - 1: heights, counts. */
export const natural: Kind<number> = {
  read: (value) => {
    if (!/^[0-9]{1,20}$/.test(value)) return mismatch;
    const number = Number(value);
    return number <= i32Max ? number : mismatch;
  },
  schema: { type: "integer", format: "int32", minimum: 0 },
  errors: [],
};

/** Decimal digits, at most 2^63 - 1: timestamps. */
export const naturalI64: Kind<bigint> = {
  read: (value) => {
    if (!/^[0-9]{1,40}$/.test(value)) return mismatch;
    const number = BigInt(value);
    return number <= I64_MAX ? number : mismatch;
  },
  schema: { type: "integer", format: "int64", minimum: 0 },
  errors: [],
};

/** A signed 32-bit number in a query. */
export const integer: Kind<number> = {
  read: (value) => {
    if (!/^[+-]?[0-9]{1,20}$/.test(value)) return mismatch;
    const number = Number(value);
    return number >= i32Min && number <= i32Max ? number : mismatch;
  },
  schema: { type: "integer", format: "int32" },
  errors: [],
  isNothingWhenEmpty: true,
};

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["on", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["off", false],
  ["0", false],
]);
export const boolean: Kind<boolean> = {
  read: (value) => booleans.get(value.toLowerCase()) ?? mismatch,
  schema: { type: "boolean" },
  errors: [],
  isNothingWhenEmpty: true,
};

/** A boolean that is parsed only after the body: errors in the body come first. */
export const booleanText: Kind<string> = { ...boolean, read: (value) => value };

/** Id of a transaction or block: 32 bytes, or 64 if the id is the signature. */
function idOf<Id extends Uint8Array>(code: "transactionIdInvalid" | "blockIdInvalid", description: string): Kind<Id> {
  return {
    read: (value) => {
      const bytes = parseBase58(value);
      if (!(bytes instanceof Uint8Array)) throw new ApiError({ code, message: base58ErrorText(bytes) });
      if (bytes.length !== digestSize && bytes.length !== signatureSize) {
        const lengths = `Length can either be ${digestSize} or ${signatureSize}`;
        throw new ApiError({ code, message: `${value} has invalid length ${bytes.length}. ${lengths}` });
      }
      return bytes as Uint8Array as Id;
    },
    schema: { type: "string", pattern: base58Pattern, description },
    errors: [code],
  };
}
export const blockId = idOf<BlockId>(
  "blockIdInvalid",
  "Id of a block: base58 of 32 bytes; of 64 for blocks before version 5, whose id is their signature.",
);
export const transactionId = idOf<TransactionId>(
  "transactionIdInvalid",
  "Id of a transaction: base58 of 32 bytes; of 64 for payments and genesis transactions, whose id is their signature.",
);
/** The interface reports an invalid lease id like that of a transaction. */
export const leaseId = idOf<LeaseId>("transactionIdInvalid", "Id of a lease: base58 of 32 bytes.");

export const address: Kind<Address> = {
  read: (value, chainId) => {
    const found = parseAddress(value, chainId);
    if (found instanceof Uint8Array) return found;
    if (found.code !== "base58WrongChar") throw new ApiError({ code: "addressInvalid" });
    throw new ApiError({ code: "requestInvalid", message: base58ErrorText(found) });
  },
  schema: { type: "string", pattern: base58Pattern, description: "Address of this network: base58 of 26 bytes." },
  errors: ["addressInvalid", "requestInvalid"],
};

/** A value of 32 bytes in base58. */
function bytesOf<Bytes extends Uint8Array>(
  code: "assetIdInvalid" | "publicKeyInvalid",
  description: string,
): Kind<Bytes> {
  return {
    read: (value) => {
      const bytes = parseBase58(value);
      if (bytes instanceof Uint8Array && bytes.length === digestSize) return bytes as Uint8Array as Bytes;
      throw new ApiError({ code });
    },
    schema: { type: "string", pattern: base58Pattern, description },
    errors: [code],
  };
}
export const assetId = bytesOf<AssetId>("assetIdInvalid", "Id of an asset: base58 of 32 bytes.");
export const publicKey = bytesOf<PublicKey>("publicKeyInvalid", "Public key: base58 of 32 bytes.");
