/**
 * The part of an address that one subscriber has: all of IPv4, the first 64 bits of IPv6.
 * @source RFC 6177, 3; RFC 4291, 2.5.1
 */
const IPV4_BYTES = 4;
const IPV6_PREFIX_BYTES = 8;

/** Name of the subscriber, equal for all of its addresses. @param ip 4 or 16 bytes */
export function subscriberOf(ip: Uint8Array): string {
  return (ip.length === IPV4_BYTES ? ip : ip.subarray(0, IPV6_PREFIX_BYTES)).join(".");
}
