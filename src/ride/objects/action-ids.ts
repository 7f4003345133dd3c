/**
 * Ids of what a script issues and leases: they follow from the action and the transaction that runs the script.
 * @source Waves: lang/v1/traits/domain/CallableAction.scala, lang/v1/evaluator/ctx/impl/waves/Functions.scala
 */
import { ADDRESS_BYTES } from "../../crypto/address.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import { writtenBytes } from "../../protocol/codec/byte-writer.ts";
import { ExecutionError, NativeFailure } from "../execution-error.ts";
import { Text, textBytes } from "../values/text.ts";
import { Structure, type Value } from "../values/value.ts";
import { namedRecipientOf } from "./recipients.ts";

const maxNameBytes = 16;
const maxDescriptionBytes = 1000;
const maxAliasCharacters = 30;

/** @throws ExecutionError */
export function assetIdOfIssue(issue: Structure, transactionId: Uint8Array): Uint8Array {
  const name = textField(issue, "name");
  const description = textField(issue, "description");
  if (description.length > maxDescriptionBytes) {
    throw new ExecutionError(`Description length should not exceed ${maxDescriptionBytes}`);
  }
  if (name.length > maxNameBytes) throw new ExecutionError(`Name length should not exceed ${maxNameBytes}`);
  return blake2b256(
    writtenBytes((to) => {
      to.i32(name.length);
      to.bytes(name);
      to.i32(description.length);
      to.bytes(description);
      to.i32(Number(BigInt.asIntN(32, integerField(issue, "decimals"))));
      to.i64(integerField(issue, "quantity"));
      to.i16(field(issue, "isReissuable") === true ? 1 : 0);
      to.i64(integerField(issue, "nonce"));
      to.bytes(transactionId);
    }),
  );
}

/** @throws ExecutionError */
export function leaseIdOfLease(lease: Structure, transactionId: Uint8Array): Uint8Array {
  const recipientObject = field(lease, "recipient");
  if (!(recipientObject instanceof Structure)) throw wrongKind("CaseObj");
  const recipient = namedRecipientOf(recipientObject);
  if (recipient.kind === "address" && recipient.bytes.length > ADDRESS_BYTES) {
    throw new ExecutionError(`Address bytes length=${recipient.bytes.length} exceeds limit=${ADDRESS_BYTES}`);
  }
  if (recipient.kind === "alias" && recipient.alias.length > maxAliasCharacters) {
    throw new ExecutionError(`Alias name length=${recipient.alias.length} exceeds limit=${maxAliasCharacters}`);
  }
  return blake2b256(
    writtenBytes((to) => {
      if (recipient.kind === "address") {
        to.bytes(recipient.bytes);
      } else {
        const alias = textBytes(recipient.alias);
        to.i32(alias.length);
        to.bytes(alias);
      }
      to.bytes(transactionId);
      to.i64(integerField(lease, "nonce"));
      to.i64(integerField(lease, "amount"));
    }),
  );
}

function field(object: Structure, name: string): Value {
  const value = object.fields.get(name);
  if (value === undefined) throw new NativeFailure("java.util.NoSuchElementException", `key not found: ${name}`);
  return value;
}

function textField(object: Structure, name: string): Uint8Array {
  const value = field(object, name);
  if (value instanceof Text) return textBytes(value.text);
  throw wrongKind("CONST_STRING");
}

function integerField(object: Structure, name: string): bigint {
  const value = field(object, name);
  if (typeof value === "bigint") return value;
  throw wrongKind("CONST_LONG");
}

function wrongKind(kind: string): NativeFailure {
  return new NativeFailure("java.lang.ClassCastException", `class cannot be cast to ${kind}`);
}
