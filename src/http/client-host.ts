/** Header with the client's address. Cloudflare's edge sets it, and so does the local front server; clients cannot. */
import { subscriberOf } from "../network/subscriber.ts";
import { findIp } from "../protocol/messages/peer-address-text.ts";

export const clientAddressHeader = "CF-Connecting-IP";
/** Host of all requests without an address. */
const UNKNOWN_HOST = "unknown";

/** Returns the client's host. */
export function clientHost(headers: Pick<Headers, "get">): string {
  const ip = findIp(headers.get(clientAddressHeader) ?? "");
  return ip === undefined ? UNKNOWN_HOST : subscriberOf(ip);
}
