/**
 * Recipients as text: an address, or an alias with its chain.
 * @source Waves: account/Recipient.scala
 */
import { addressText, parseAddress } from "../../crypto/address.ts";
import type { Address } from "../../crypto/identities.ts";
import { aliasText, findAliasError } from "./alias.ts";
import { FormatError, malformed } from "./format-error.ts";
import type { Alias, Recipient } from "./transaction.ts";

const aliasPrefix = "alias:";
const addressPrefix = "address:";

export function recipientText(recipient: Recipient): string {
  return recipient.kind === "address" ? addressText(recipient.address) : aliasText(recipient.alias);
}

/** Chain id of a recipient. */
export function recipientChainId(recipient: Recipient): number {
  return recipient.kind === "address" ? (recipient.address[1] as number) : recipient.alias.chainId;
}

/** Parses a recipient of any chain. @throws FormatError invalidAddress, malformed */
export function parseRecipient(text: string): Recipient {
  return text.startsWith(aliasPrefix)
    ? { kind: "alias", alias: parseAliasText(text) }
    : { kind: "address", address: parseAddressText(text) };
}

/** @param chainId undefined: any chain @throws FormatError invalidAddress */
export function parseAddressText(text: string, chainId?: number): Address {
  const base58 = text.startsWith(addressPrefix) ? text.slice(addressPrefix.length) : text;
  const address = parseAddress(base58, chainId);
  if (address instanceof Uint8Array) return address;
  throw new FormatError({ code: "invalidAddress", reason: address.code });
}

function parseAliasText(text: string): Alias {
  const chain = text[aliasPrefix.length];
  if (chain === undefined || text[aliasPrefix.length + 1] !== ":") {
    throw malformed("Alias string pattern is 'alias:<chain-id>:<address-alias>");
  }
  const name = text.slice(aliasPrefix.length + 2);
  const error = findAliasError(name);
  if (error !== undefined) throw malformed(error);
  return { chainId: chain.charCodeAt(0) & 0xff, name };
}
