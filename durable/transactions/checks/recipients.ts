/** Aliases stand for addresses. @source Waves: state/Blockchain.scala (resolveAlias) */
import type { Address } from "../../../src/crypto/identities.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import type { Recipient } from "../../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../../state/state-view.ts";

/**
 * The account behind an address or alias.
 * @throws RuleError aliasUnknown
 */
export function resolveRecipient(recipient: Recipient, view: StateView): Address {
  if (recipient.kind === "address") return recipient.address;
  const owner = view.findAliasOwner(recipient.alias);
  if (owner === undefined) throw new RuleError({ code: "aliasUnknown", alias: recipient.alias });
  return owner;
}
