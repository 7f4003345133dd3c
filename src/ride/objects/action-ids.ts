/**
 * Ids of assets and leases that a script creates: they follow from the action and the transaction that runs the script.
 * @source Waves: lang/v1/traits/domain/CallableAction.scala, lang/v1/evaluator/ctx/impl/waves/Functions.scala
 */

import { ADDRESS_BYTES } from "../../crypto/address.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import { writtenBytes } from "../../protocol/codec/byte-writer.ts";
import { utf8Bytes } from "../../protocol/codec/utf8.ts";
import { ExecutionError } from "../execution-error.ts";
import { castFailure } from "../values/class-cast.ts";
import { requiredField } from "../values/required-field.ts";
import { Text } from "../values/text.ts";
import { Structure } from "../values/value.ts";
import type { ScriptRecipient } from "./recipients.ts";
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
  // In the order of the reference's checks.
  const decimals = Number(BigInt.asIntN(32, integerField(issue, "decimals")));
  const isReissuable = booleanField(issue, "isReissuable");
  const quantity = integerField(issue, "quantity");
  const nonce = integerField(issue, "nonce");
  return issueId({ name, description, decimals, quantity, isReissuable, nonce }, transactionId);
}

/** Inputs of an asset's id; texts as UTF-8. */
export interface IssueFields {
  readonly name: Uint8Array;
  readonly description: Uint8Array;
  readonly decimals: number;
  readonly quantity: bigint;
  readonly isReissuable: boolean;
  readonly nonce: bigint;
}

export function issueId(issue: IssueFields, transactionId: Uint8Array): Uint8Array {
  return blake2b256(
    writtenBytes((to) => {
      to.i32(issue.name.length);
      to.bytes(issue.name);
      to.i32(issue.description.length);
      to.bytes(issue.description);
      to.i32(issue.decimals);
      to.i64(issue.quantity);
      to.i16(issue.isReissuable ? 1 : 0);
      to.i64(issue.nonce);
      to.bytes(transactionId);
    }),
  );
}

/** @throws ExecutionError */
export function leaseIdOfLease(lease: Structure, transactionId: Uint8Array): Uint8Array {
  const recipientObject = requiredField(lease.fields, "recipient");
  if (!(recipientObject instanceof Structure)) throw castFailure(recipientObject, "CaseObj");
  const recipient = namedRecipientOf(recipientObject);
  if (recipient.kind === "address" && recipient.bytes.length > ADDRESS_BYTES) {
    throw new ExecutionError(`Address bytes length=${recipient.bytes.length} exceeds limit=${ADDRESS_BYTES}`);
  }
  if (recipient.kind === "alias" && recipient.alias.length > maxAliasCharacters) {
    throw new ExecutionError(`Alias name length=${recipient.alias.length} exceeds limit=${maxAliasCharacters}`);
  }
  return leaseId(recipient, integerField(lease, "amount"), integerField(lease, "nonce"), transactionId);
}

/** @param amount wavelets */
export function leaseId(
  recipient: ScriptRecipient,
  amount: bigint,
  nonce: bigint,
  transactionId: Uint8Array,
): Uint8Array {
  return blake2b256(
    writtenBytes((to) => {
      if (recipient.kind === "address") {
        to.bytes(recipient.bytes);
      } else {
        const alias = utf8Bytes(recipient.alias);
        to.i32(alias.length);
        to.bytes(alias);
      }
      to.bytes(transactionId);
      to.i64(nonce);
      to.i64(amount);
    }),
  );
}

function textField(object: Structure, name: string): Uint8Array {
  const value = requiredField(object.fields, name);
  if (value instanceof Text) return utf8Bytes(value.text);
  throw castFailure(value, "CONST_STRING");
}

function integerField(object: Structure, name: string): bigint {
  const value = requiredField(object.fields, name);
  if (typeof value === "bigint") return value;
  throw castFailure(value, "CONST_LONG");
}

function booleanField(object: Structure, name: string): boolean {
  const value = requiredField(object.fields, name);
  if (typeof value === "boolean") return value;
  throw castFailure(value, "CONST_BOOLEAN");
}
