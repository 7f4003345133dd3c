/**
 * Accounts as scripts name them: `Address` and `Alias` objects.
 * @source Waves: lang/v1/evaluator/ctx/impl/EnvironmentFunctions.scala (toScala), waves/Functions.scala (caseObjToRecipient)
 */
import type { Recipient } from "../../protocol/transactions/transaction.ts";
import { ExecutionError, ThrownError } from "../execution-error.ts";
import { castFailure } from "../values/class-cast.ts";
import { Text } from "../values/text.ts";
import { Structure } from "../values/value.ts";
import { valueText } from "../values/value-text.ts";

/** Whom a script means: bytes that should be an address, or the name of an alias. */
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

/** The account an object names, for reads of data. @throws ExecutionError */
export function recipientOf(object: Structure): ScriptRecipient {
  if (object.type === "Address") return { kind: "address", bytes: bytesOf(object, "Can't find 'bytes'") };
  if (object.type === "Alias") return { kind: "alias", alias: aliasOf(object, "Can't find alias") };
  throw new ExecutionError(`${valueText(object)} neither Address nor alias`);
}

/** The account an object names, for balances, scripts and leases. @throws ExecutionError */
export function namedRecipientOf(object: Structure): ScriptRecipient {
  if (object.type === "Address") return { kind: "address", bytes: bytesOf(object, "key not found: bytes") };
  if (object.type === "Alias") return { kind: "alias", alias: aliasOf(object, "key not found: alias") };
  throw new ThrownError(`Unexpected recipient type ${object.type}`);
}

function bytesOf(object: Structure, missing: string): Uint8Array {
  const bytes = object.fields.get("bytes");
  if (bytes instanceof Uint8Array) return bytes;
  if (bytes === undefined) throw new ExecutionError(missing);
  throw castFailure(bytes, "CONST_BYTESTR");
}

function aliasOf(object: Structure, missing: string): string {
  const alias = object.fields.get("alias");
  if (alias instanceof Text) return alias.text;
  if (alias === undefined) throw new ExecutionError(missing);
  throw castFailure(alias, "CONST_STRING");
}
