/** Where a request comes from. Cloudflare's edge sets the header, and the local front server does; clients cannot. */
import { subscriberOf } from "../network/subscriber.ts";
import { findIp } from "../protocol/messages/peer-address-text.ts";

export const clientAddressHeader = "CF-Connecting-IP";
/** All requests without an address. */
const UNKNOWN_HOST = "unknown";

/** Name of the client's host. */
export function clientHost(headers: Pick<Headers, "get">): string {
  const ip = findIp(headers.get(clientAddressHeader) ?? "");
  return ip === undefined ? UNKNOWN_HOST : subscriberOf(ip);
}
