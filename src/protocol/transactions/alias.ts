/**
 * Aliases: names of accounts.
 * @source Waves: account/Recipient.scala (object Alias)
 */
import type { Alias } from "./transaction.ts";

const minCharacters = 4;
const maxCharacters = 30;
const alphabet = "-.0123456789@_abcdefghijklmnopqrstuvwxyz";
const allowed = /^[-.0-9@_a-z]*$/;

/** Error text for an invalid name, as the reference prints it; undefined for a valid one. */
export function findAliasError(name: string): string | undefined {
  if (name.length < minCharacters || name.length > maxCharacters) {
    return `Alias '${name}' length should be between ${minCharacters} and ${maxCharacters}`;
  }
  return allowed.test(name) ? undefined : `Alias should contain only following characters: ${alphabet}`;
}

/** `alias:R:name`. */
export function aliasText({ chainId, name }: Alias): string {
  return `alias:${String.fromCharCode(chainId)}:${name}`;
}
