/**
 * Subscribers of internet providers, by the part of their address: all of IPv4, the first 64 bits of IPv6. A provider
 * may assign 56 or 48 bits to one subscriber. Limits therefore also apply to those networks, at somewhat more than a
 * subscriber's share.
 * @source RFC 6177, 2 and 3; RFC 4291, 2.5.1
 */
const IPV4_BYTES = 4;
const IPV6_PREFIX_BYTES = 8;
const SEPARATOR = ".";
/**
 * IPv6 networks by their leading bytes, the narrowest first, with their limit relative to that of a subscriber. It is
 * less than twice as much: if a subscriber may have a quarter of the whole, no network may have half.
 */
const ipv6Networks = [
  { length: 8, share: 1 },
  { length: 7, share: 1.4 },
  { length: 6, share: 1.8 },
] as const;

/** A network that may belong to one subscriber, with its limit relative to that of a subscriber. */
export interface NetworkShare {
  readonly name: string;
  readonly share: number;
}

/** Whether two addresses belong to one subscriber. */
export function isOneSubscriber(ip: Uint8Array, other: Uint8Array): boolean {
  return subscriberOf(ip) === subscriberOf(other);
}

/** The first address of a subscriber. @param ip any of its addresses */
export function firstAddressOf(ip: Uint8Array): Uint8Array {
  return ip.length === IPV4_BYTES ? ip : ip.map((byte, at) => (at < IPV6_PREFIX_BYTES ? byte : 0));
}

/** Key of the subscriber, equal for all of its addresses. @param ip 4 or 16 bytes */
export function subscriberOf(ip: Uint8Array): string {
  return (ip.length === IPV4_BYTES ? ip : ip.subarray(0, IPV6_PREFIX_BYTES)).join(SEPARATOR);
}

/**
 * Networks of a subscriber, the narrowest first: 64, 56 and 48 bits of IPv6; only the subscriber itself for other
 * hosts.
 */
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
