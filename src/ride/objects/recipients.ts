/**
 * Accounts in scripts: `Address` and `Alias` objects.
 * @source Waves: lang/v1/evaluator/ctx/impl/EnvironmentFunctions.scala (toScala), waves/Functions.scala
 *   (caseObjToRecipient)
 */
import type { Recipient } from "../../protocol/transactions/transaction.ts";
import { ExecutionError, ThrownError } from "../execution-error.ts";
import { castFailure } from "../values/class-cast.ts";
import { requiredField } from "../values/required-field.ts";
import { Text } from "../values/text.ts";
import { Structure, type Value } from "../values/value.ts";
import { valueText } from "../values/value-text.ts";

/** Recipient in a script: bytes that should be an address, or the name of an alias. */
export type ScriptRecipient =
  | { readonly kind: "address"; readonly bytes: Uint8Array }
  | { readonly kind: "alias"; readonly alias: string };

export function addressObject(bytes: Uint8Array): Structure {
  return new Structure("Address", new Map([["bytes", bytes]]));
}

export function recipientObject(recipient: Recipient): Structure {
  return recipient.kind === "address"
    ? addressObject(recipient.address)
    : new Structure("Alias", new Map([["alias", new Text(recipient.alias.name)]]));
}

/** Account of an object, for reads of data. @throws ExecutionError */
export function recipientOf(object: Structure): ScriptRecipient {
  if (object.type === "Address") {
    const bytes = object.fields.get("bytes");
    if (bytes === undefined) throw new ExecutionError("Can't find 'bytes'");
    return { kind: "address", bytes: bytesOf(bytes) };
  }
  if (object.type === "Alias") {
    const alias = object.fields.get("alias");
    if (alias === undefined) throw new ExecutionError("Can't find alias");
    return { kind: "alias", alias: aliasOf(alias) };
  }
  throw new ExecutionError(`${valueText(object)} neither Address nor alias`);
}

/** Account of an object, for balances, scripts and leases. @throws ThrownError, NativeFailure */
export function namedRecipientOf(object: Structure): ScriptRecipient {
  if (object.type === "Address") return { kind: "address", bytes: addressBytesOf(object) };
  if (object.type === "Alias") return { kind: "alias", alias: aliasOf(requiredField(object.fields, "alias")) };
  throw new ThrownError(`Unexpected recipient type ${object.type}`);
}

/** @param object an `Address` @throws NativeFailure */
export function addressBytesOf(object: Structure): Uint8Array {
  return bytesOf(requiredField(object.fields, "bytes"));
}

function bytesOf(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw castFailure(value, "CONST_BYTESTR");
}

function aliasOf(value: Value): string {
  if (value instanceof Text) return value.text;
  throw castFailure(value, "CONST_STRING");
}
