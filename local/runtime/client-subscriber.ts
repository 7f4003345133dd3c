/** Subscribers at the other end of connections. */
import type http from "node:http";
import { subscriberOf, widestNetworkOf } from "../../src/network/subscriber.ts";
import { findIp } from "../../src/protocol/messages/peer-address-text.ts";

/** @param address as the operating system gives it, perhaps with a zone; undefined once the connection has ended */
export function subscriberAt(address: string | undefined): string {
  const text = (address ?? "").replace(/%.*$/, "");
  const ip = findIp(text);
  return ip === undefined ? text : subscriberOf(ip);
}

/**
 * The response to drop: the oldest one of the network whose responses weigh most.
 * @param held responses and their weights, the oldest first
 */
export function oldestOfHeaviest(
  held: Iterable<readonly [http.ServerResponse, number]>,
): http.ServerResponse | undefined {
  const sums = new Map<string, { readonly oldest: http.ServerResponse; sum: number }>();
  for (const [response, weight] of held) {
    const network = widestNetworkOf(subscriberAt(response.socket?.remoteAddress));
    const ofNetwork = sums.get(network) ?? { oldest: response, sum: 0 };
    ofNetwork.sum += weight;
    sums.set(network, ofNetwork);
  }
  let heaviest: { readonly oldest: http.ServerResponse; readonly sum: number } | undefined;
  for (const each of sums.values()) if (heaviest === undefined || each.sum > heaviest.sum) heaviest = each;
  return heaviest?.oldest;
}
