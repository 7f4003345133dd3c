/** Addresses that are none. @source Waves: account/Recipient.scala (Address.fromBytes) */
import type { AddressFault } from "./address.ts";

/** What is wrong with an address, in the reference's words. */
export function addressFaultText(fault: AddressFault): string {
  switch (fault.code) {
    case "addressSizeWrong":
      return `Wrong addressBytes length: expected: ${fault.expectedSizeBytes}, actual: ${fault.sizeBytes}`;
    case "addressVersionWrong":
      return `Unknown address version: ${signedByte(fault.version)}`;
    case "addressOfAnotherChain":
      return `Address belongs to another network: expected: ${chainText(fault.expectedChainId)}, actual: ${chainText(fault.chainId)}`;
    case "addressChecksumWrong":
      return "Bad address checksum";
    default:
      return "Unable to decode base58";
  }
}

function signedByte(byte: number): number {
  return (byte << 24) >> 24;
}

/** The byte of a chain, with sign, and the character that it makes. */
export function chainText(chainId: number): string {
  return `${signedByte(chainId)}(${String.fromCharCode(signedByte(chainId) & 0xffff)})`;
}
