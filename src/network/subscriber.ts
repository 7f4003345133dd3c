/**
 * The part of an address that one subscriber has: all of IPv4, the first 64 bits of IPv6. A provider may give one subscriber
 * the first 56 or 48 bits, so bounds also hold for those, at somewhat more than one subscriber's share.
 * @source RFC 6177, 2 and 3; RFC 4291, 2.5.1
 */
const IPV4_BYTES = 4;
const IPV6_PREFIX_BYTES = 8;
const SEPARATOR = ".";
/**
 * Networks of IPv6 by their leading bytes, the narrowest first, and what each may have for 1 that a subscriber may: less than
 * twice as much, so that none has half of what all have where a subscriber has a quarter.
 */
const ipv6Networks = [
  { length: 8, share: 1 },
  { length: 7, share: 1.4 },
  { length: 6, share: 1.8 },
] as const;

/** A network that one subscriber may have, by what it may have for 1 of a subscriber. */
export interface NetworkShare {
  readonly name: string;
  readonly share: number;
}

/** Whether two addresses are one subscriber's. */
export function isOneSubscriber(ip: Uint8Array, other: Uint8Array): boolean {
  return subscriberOf(ip) === subscriberOf(other);
}

/** The first address of a subscriber. @param ip any of them */
export function firstAddressOf(ip: Uint8Array): Uint8Array {
  return ip.length === IPV4_BYTES ? ip : ip.map((byte, at) => (at < IPV6_PREFIX_BYTES ? byte : 0));
}

/** Name of the subscriber, equal for all of its addresses. @param ip 4 or 16 bytes */
export function subscriberOf(ip: Uint8Array): string {
  return (ip.length === IPV4_BYTES ? ip : ip.subarray(0, IPV6_PREFIX_BYTES)).join(SEPARATOR);
}

/** The networks that a subscriber is in, the narrowest first: of IPv6 64, 56 and 48 bits, else the subscriber. */
export function networkSharesOf(subscriber: string): readonly NetworkShare[] {
  const bytes = subscriber.split(SEPARATOR);
  if (bytes.length !== IPV6_PREFIX_BYTES) return [{ name: subscriber, share: 1 }];
  return ipv6Networks.map(({ length, share }) => ({ name: bytes.slice(0, length).join(SEPARATOR), share }));
}

/** Names of `networkSharesOf`. */
export function networksOf(subscriber: string): readonly string[] {
  return networkSharesOf(subscriber).map(({ name }) => name);
}

/** Name of the widest network of a subscriber. */
export function widestNetworkOf(subscriber: string): string {
  return networksOf(subscriber).at(-1) ?? subscriber;
}
