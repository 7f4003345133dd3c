/**
 * The part of an address that one subscriber has: all of IPv4, the first 64 bits of IPv6. A provider may give one subscriber
 * the first 56 or 48 bits, so bounds also hold for those, at somewhat more than one subscriber's share.
 * @source RFC 6177, 2 and 3; RFC 4291, 2.5.1
 */
const IPV4_BYTES = 4;
const IPV6_PREFIX_BYTES = 8;
const SEPARATOR = ".";
/** Leading bytes of IPv6 that name its networks, the narrowest first. */
const IPV6_NETWORK_BYTES = [8, 7, 6] as const;

/** Name of the subscriber, equal for all of its addresses. @param ip 4 or 16 bytes */
export function subscriberOf(ip: Uint8Array): string {
  return (ip.length === IPV4_BYTES ? ip : ip.subarray(0, IPV6_PREFIX_BYTES)).join(SEPARATOR);
}

/** Names of the networks that a subscriber is in, the narrowest first: of IPv6 64, 56 and 48 bits, else the subscriber. */
export function networksOf(subscriber: string): readonly string[] {
  const bytes = subscriber.split(SEPARATOR);
  if (bytes.length !== IPV6_PREFIX_BYTES) return [subscriber];
  return IPV6_NETWORK_BYTES.map((length) => bytes.slice(0, length).join(SEPARATOR));
}
