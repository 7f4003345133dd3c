/** Addresses of aliases. @source Waves: state/Blockchain.scala (resolveAlias) */
import type { Address } from "../../../crypto/identities.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { Alias, Recipient } from "../../../protocol/transactions/transaction.ts";
import type { StateView } from "../../state/state-view.ts";
import { areTakenOverDisabled } from "./duplicates.ts";

/**
 * Account of an address or alias.
 * @throws RuleError aliasUnknown, aliasDisabled
 */
export function resolveRecipient(recipient: Recipient, view: StateView): Address {
  if (recipient.kind === "address") return recipient.address;
  const { alias } = recipient;
  if (isAliasDisabled(alias, view)) throw new RuleError({ code: "aliasDisabled", alias });
  const owner = view.findAliasOwner(alias);
  if (owner === undefined) throw new RuleError({ code: "aliasUnknown", alias });
  return owner;
}

/**
 * Whether the alias is disabled: when names got one permanent owner, those that had been taken over were disabled.
 * @source Waves: database/patch/DisableHijackedAliases.scala (the outcome); gowaves: pkg/state/aliases.go (the rule)
 */
export function isAliasDisabled(alias: Alias, view: StateView): boolean {
  return areTakenOverDisabled(view.settings.schemeCharacter, view.height) && view.isAliasTakenOver(alias);
}
