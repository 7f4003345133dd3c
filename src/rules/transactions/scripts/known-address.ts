/** Addresses in bytes that a script gives. */
import { type AddressFault, parseAddressBytes } from "../../../crypto/address.ts";
import type { Address } from "../../../crypto/identities.ts";
import type { AddressCaller } from "../../state/foreign-addresses.ts";
import type { StateView } from "../../state/state-view.ts";

/** The address, or why the bytes are none to the caller. @throws WorkRefused */
export function knownAddress(bytes: Uint8Array, view: StateView, caller: AddressCaller): Address | AddressFault {
  const own = parseAddressBytes(bytes, view.settings.chainId);
  if (own instanceof Uint8Array || own.code !== "addressOfAnotherChain") return own;
  const address = parseAddressBytes(bytes, undefined);
  if (!(address instanceof Uint8Array)) return caller.takesAny ? address : own;
  return view.foreignAddresses.counts(address, caller) ? address : own;
}
