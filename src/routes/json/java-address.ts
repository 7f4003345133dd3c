/**
 * Addresses as the reference writes them: Java's text of an address without a name.
 * @source Waves: api/http/PeersApiRoute.scala; Java: InetAddress.toString, InetSocketAddress.toString
 */

/** E.g. `/1.2.3.4`, `/2001:db8:0:0:0:0:0:1`. @param host an address, without brackets */
export function javaHost(host: string): string {
  return `/${host.includes(":") ? inFull(host) : host}`;
}

/** E.g. `/1.2.3.4:6868`, `/[2001:db8:0:0:0:0:0:1]:6868`. @param address `host:port`, an address with colons in brackets */
export function javaAddress(address: string): string {
  const [, host, port] = /^\[(.*)\]:(\d+)$/.exec(address) ?? [];
  return host === undefined ? `/${address}` : `/[${inFull(host)}]:${port}`;
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
