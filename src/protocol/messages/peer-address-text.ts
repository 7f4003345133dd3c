/** Addresses of peers as people write them and the reference prints them: `ip:port`, IPv6 in brackets. */
import type { PeerAddress } from "./peer-address.ts";

const IPV4_BYTES = 4;
const IPV6_BYTES = 16;
const IPV6_GROUPS = 8;
const MAX_PORT = 65_535;

/** `1.2.3.4`; `2001:db8:0:0:0:0:0:1`, with all groups. */
export function hostText(ip: Uint8Array): string {
  return ip.length === IPV4_BYTES ? ip.join(".") : groupsOf(ip).join(":");
}

/** `1.2.3.4:6868`, `[2001:db8:0:0:0:0:0:1]:6868`. */
export function peerAddressText({ ip, port }: PeerAddress): string {
  return ip.length === IPV4_BYTES ? `${hostText(ip)}:${port}` : `[${hostText(ip)}]:${port}`;
}

/** Parses a numeric address; undefined for a name. An IPv4-mapped IPv6 address gives the IPv4 one. */
export function findIp(text: string): Uint8Array | undefined {
  const ip = text.includes(":") ? findIpv6(text.replace(/^\[(.*)\]$/, "$1")) : findIpv4(text);
  return ip && plainIp(ip);
}

/**
 * Parses `host:port`, with IPv6 in brackets.
 * @param defaultPort port of a text without one
 * @returns undefined for other texts
 */
export function findHostAndPort(
  text: string,
  defaultPort: number,
): { readonly host: string; readonly port: number } | undefined {
  const [, host, digits] = /^(\[[^\]]+\]|[^:/\s]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === undefined) return undefined;
  const port = digits === undefined ? defaultPort : Number(digits);
  return port <= MAX_PORT ? { host, port } : undefined;
}

/** Converts an IPv4-mapped IPv6 address (`::ffff:1.2.3.4`) to the IPv4 one. */
export function plainIp(ip: Uint8Array): Uint8Array {
  const isMapped = ip.length === IPV6_BYTES && ip.every((byte, at) => at >= 12 || byte === (at < 10 ? 0 : 0xff));
  return isMapped ? ip.slice(12) : ip;
}

function groupsOf(ip: Uint8Array): string[] {
  return Array.from({ length: IPV6_GROUPS }, (_, at) =>
    (((ip[2 * at] as number) << 8) | (ip[2 * at + 1] as number)).toString(16),
  );
}

function findIpv4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  const isWhole = parts.length === IPV4_BYTES && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
  return isWhole ? Uint8Array.from(parts, Number) : undefined;
}

function findIpv6(text: string): Uint8Array | undefined {
  const [front, back, ...more] = text.split("::").map(findGroups);
  if (front === undefined || more.length > 0 || (text.includes("::") && back === undefined)) return undefined;
  const missing = IPV6_GROUPS - front.length - (back?.length ?? 0);
  if (back === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...front, ...new Array<number>(missing).fill(0), ...(back ?? [])];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** Numbers of the groups on one side of `::`, the last of which may be an IPv4 address. */
function findGroups(half: string): number[] | undefined {
  if (half === "") return [];
  const groups: number[] = [];
  const parts = half.split(":");
  for (const [at, part] of parts.entries()) {
    const ipv4 = at === parts.length - 1 ? findIpv4(part) : undefined;
    if (ipv4 !== undefined) {
      const [first = 0, second = 0, third = 0, fourth = 0] = ipv4;
      groups.push((first << 8) | second, (third << 8) | fourth);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}
