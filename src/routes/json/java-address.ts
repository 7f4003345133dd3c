/**
 * Addresses as the reference writes them: Java's text of an address without a name. Names are not asked for: of an address that
 * has one the reference would show both.
 * @source Waves: api/http/PeersApiRoute.scala; Java: InetAddress.toString, InetAddress.getHostName, InetSocketAddress.toString
 */

/** E.g. `/1.2.3.4`, `/2001:db8:0:0:0:0:0:1`. @param host an address, without brackets */
export function javaHost(host: string): string {
  return `/${host.includes(":") ? inFull(host) : host}`;
}

/**
 * E.g. `/1.2.3.4:6868`, `/[2001:db8:0:0:0:0:0:1]:6868`.
 * @param address `host:port`, an address with colons in brackets; a URL, which the reference does not have, stays as it is
 */
export function javaAddress(address: string): string {
  if (address.includes("//")) return address;
  const [, host, port] = /^\[(.*)\]:(\d+)$/.exec(address) ?? [];
  return host === undefined ? `/${address}` : `/[${inFull(host)}]:${port}`;
}

/**
 * A name as it is, and of an address the name that it has on every machine, or the address.
 * @param host a name or an address, which may stand in brackets
 */
export function javaHostName(host: string): string {
  const address = /^\[(.*)\]$/.exec(host)?.[1] ?? host;
  if (address === "127.0.0.1") return "localhost";
  return address.includes(":") ? inFull(address) : address;
}

const IPV6_GROUPS = 8;

/** All eight groups, without leading zeros. */
function inFull(ipv6: string): string {
  const [left = [], right] = ipv6.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  if (right === undefined) return left.map(group).join(":");
  const zeros = Array<string>(Math.max(IPV6_GROUPS - left.length - right.length, 0)).fill("0");
  return [...left, ...zeros, ...right].map(group).join(":");
}

function group(digits: string): string {
  return Number.parseInt(digits, 16).toString(16);
}
