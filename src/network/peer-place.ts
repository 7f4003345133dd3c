/** Where a node can be reached, as settings and flags name it. */

/** Of a place without a port. @source Waves: network/PeerDatabaseImpl.scala (`randomPeer`) */
export const USUAL_PEER_PORT = 6868;
const MAX_PORT = 65_535;

/** Whether a place is a WebSocket's: an edge node listens there. */
export function isWebSocketPlace(place: string): boolean {
  return place.startsWith("ws://") || place.startsWith("wss://");
}

/**
 * @param text `host:port`, `host`, an address of eight groups in brackets, or the URL of a WebSocket
 * @returns `host:port`, or the URL; undefined: it is none of them
 */
export function parsePeerPlace(text: string): string | undefined {
  if (isWebSocketPlace(text)) return URL.canParse(text) ? new URL(text).href : undefined;
  const [, host, digits] = /^(\[[0-9a-f:.]+\]|[0-9a-z._-]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const port = digits === undefined ? USUAL_PEER_PORT : Number(digits);
  return host === undefined || port === 0 || port > MAX_PORT ? undefined : `${host}:${port}`;
}

/** In the place of a list: not even those that the network's settings name. */
export const NO_PEERS = "none";

/**
 * Places with commas between them, in the order in which they stand.
 * @returns undefined: one of them is none
 */
export function parsePeerPlaces(text: string): readonly string[] | typeof NO_PEERS | undefined {
  if (text.trim() === NO_PEERS) return NO_PEERS;
  const places = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(parsePeerPlace);
  return places.every((place) => place !== undefined) ? places : undefined;
}
