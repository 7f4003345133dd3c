/** Addresses that a script gives as bytes. */
import { type AddressError, parseAddressBytes } from "../../../crypto/address.ts";
import type { Address } from "../../../crypto/identities.ts";
import type { StateView } from "../../state/state-view.ts";

/** Caller that expects the own chain, or any. */
interface OwnCaller {
  readonly takesAny: boolean;
  /** Whether its behaviour depends on the result. */
  readonly matters: boolean;
}

/** The address, or the error of bytes that are invalid for the caller. @throws WorkRefused */
export function knownAddress(
  bytes: Uint8Array,
  view: StateView,
  { takesAny, matters }: OwnCaller,
): Address | AddressError {
  const { chainId } = view.settings;
  const own = parseAddressBytes(bytes, chainId);
  if (own instanceof Uint8Array) return view.foreignAddresses.refusalOf(own) ?? own;
  if (own.code !== "addressOfAnotherChain") return own;
  const address = parseAddressBytes(bytes, undefined);
  if (!(address instanceof Uint8Array)) return takesAny ? address : own;
  const caller = { expectedChainId: takesAny ? undefined : chainId, takes: takesAny, matters };
  return view.foreignAddresses.counts(address, caller) ? address : own;
}

/**
 * Address in the message of a transaction that a script reads; undefined if a caller that expects the message's chain
 * refuses it. If the message has another chain, an address of the own chain is probably cached if its account exists.
 * @throws WorkRefused
 * @source Waves: protobuf/transaction/PBRecipients.scala (toAddress)
 */
export function addressInMessage(bytes: Uint8Array, messageChainId: number, view: StateView): Address | undefined {
  const address = parseAddressBytes(bytes, undefined);
  if (!(address instanceof Uint8Array)) return undefined;
  const { settings, foreignAddresses } = view;
  const isOwn = address[1] === settings.chainId;
  if (isOwn && messageChainId === settings.chainId)
    return foreignAddresses.refusalOf(address) === undefined ? address : undefined;
  const takes = isOwn ? exists(address, view) : address[1] === messageChainId;
  const caller = { expectedChainId: messageChainId, takes, matters: isOwn };
  return foreignAddresses.counts(address, caller) ? address : undefined;
}

function exists(address: Address, view: StateView): boolean {
  return view.balance(address, null) !== 0n || view.findAccountScript(address) !== undefined || view.hasData(address);
}
