/**
 * Error texts of invalid addresses, as the reference prints them.
 * @source Waves: account/Recipient.scala (Address.fromBytes)
 */
import type { AddressError } from "./address.ts";

export function addressErrorText(error: AddressError): string {
  switch (error.code) {
    case "addressSizeWrong":
      return `Wrong addressBytes length: expected: ${error.expectedSizeBytes}, actual: ${error.sizeBytes}`;
    case "addressVersionWrong":
      return `Unknown address version: ${signedByte(error.version)}`;
    case "addressOfAnotherChain":
      return `Address belongs to another network: expected: ${chainText(error.expectedChainId)}, actual: ${chainText(error.chainId)}`;
    case "addressChecksumWrong":
      return "Bad address checksum";
    default:
      return "Unable to decode base58";
  }
}

function signedByte(byte: number): number {
  return (byte << 24) >> 24;
}

/** Chain id as a signed byte, with the character of that code in parentheses. */
export function chainText(chainId: number): string {
  return `${signedByte(chainId)}(${String.fromCharCode(signedByte(chainId) & 0xffff)})`;
}
