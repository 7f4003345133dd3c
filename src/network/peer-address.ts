/** Addresses of peers, as settings and flags name them. */

/** Port of an address without one. @source Waves: network/PeerDatabaseImpl.scala (`randomPeer`) */
export const DEFAULT_PEER_PORT = 6868;
const MAX_PORT = 65_535;

/** Whether an address is that of a WebSocket, on which an edge node listens. */
export function isWebSocketAddress(address: string): boolean {
  return address.startsWith("ws://") || address.startsWith("wss://");
}

/**
 * @param text `host:port`, `host`, an IPv6 address in brackets, or the URL of a WebSocket
 * @returns `host:port`, or the URL; undefined if it is none of them
 */
export function parsePeerAddress(text: string): string | undefined {
  if (isWebSocketAddress(text)) return URL.canParse(text) ? new URL(text).href : undefined;
  const [, host, digits] = /^(\[[0-9a-f:.]+\]|[0-9a-z._-]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const port = digits === undefined ? DEFAULT_PEER_PORT : Number(digits);
  return host === undefined || port === 0 || port > MAX_PORT ? undefined : `${host}:${port}`;
}

/** Value in place of a list: no known peers, not even those of the network's settings. */
export const NO_PEERS = "none";

/**
 * Parses addresses separated by commas; keeps their order.
 * @returns undefined if one of them is invalid
 */
export function parsePeerAddresses(text: string): readonly string[] | typeof NO_PEERS | undefined {
  if (text.trim() === NO_PEERS) return NO_PEERS;
  const addresses = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(parsePeerAddress);
  return addresses.every((address) => address !== undefined) ? addresses : undefined;
}
