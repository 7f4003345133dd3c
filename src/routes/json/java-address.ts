/**
 * Addresses in the format of the reference: Java's text of an address without a name. Names are not looked up; for an
 * address with a known name the reference would show both.
 * @source Waves: api/http/PeersApiRoute.scala; Java: InetAddress.toString, InetAddress.getHostName,
 *   InetSocketAddress.toString
 */
import { findIp, hostText } from "../../protocol/messages/peer-address-text.ts";

/**
 * E.g. `/1.2.3.4`, `/1.2.3.4:6868`, `/[2001:db8:0:0:0:0:0:1]:6868`.
 * @param address host, or `host:port`; a URL, which the reference does not have, stays unchanged
 */
export function javaAddress(address: string): string {
  return address.includes("//") ? address : `/${address}`;
}

/**
 * A host name unchanged; for an address, the name that it has on every machine, or the address.
 * @param host a name or an address, possibly in brackets
 */
export function javaHostName(host: string): string {
  const ip = findIp(host);
  if (ip === undefined) return host;
  const text = hostText(ip);
  return text === "127.0.0.1" ? "localhost" : text;
}
