/** Addresses of hosts as text, and in their 4 or 16 bytes. @source RFC 4291, 2.2; RFC 5952 */

const GROUPS = 8;
/** Before the 4 bytes of an older address that is written as one of the newer kind. */
const mappedPrefix = [0, 0, 0, 0, 0, 0xffff];

/** @returns 4 bytes, or 16; of an older address in the form of a newer one 4. Undefined: it is no address, as a name is none */
export function parseIpAddress(text: string): Uint8Array | undefined {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const groups = bare.includes(":") ? parseGroups(bare) : undefined;
  if (groups === undefined) return parseDotted(bare);
  const bytes = Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
  return mappedPrefix.every((group, at) => groups[at] === group) ? bytes.subarray(12) : bytes;
}

/** @param ip 4 bytes, or 16 */
export function ipAddressText(ip: Uint8Array): string {
  if (ip.length === 4) return ip.join(".");
  const groups = Array.from({ length: GROUPS }, (_, at) => groupAt(ip, at).toString(16));
  const gap = longestGap(groups);
  if (gap === undefined) return groups.join(":");
  return `${groups.slice(0, gap.from).join(":")}::${groups.slice(gap.to).join(":")}`;
}

/** Whether everybody can mean the same host by it: it is none of a house's own network, and not this machine. */
export function isPublicAddress(ip: Uint8Array): boolean {
  const [first = 0, second = 0] = ip;
  if (ip.length !== 4) {
    // Of the newer kind, those of 2000::/3 are given to the public, save for examples and ways into older networks.
    const isGiven = first >> 5 === 1;
    const isWayIntoOlder = first === 0x20 && second === 0x02;
    const isTeredoOrExample = first === 0x20 && second === 0x01 && (groupAt(ip, 1) === 0 || groupAt(ip, 1) === 0xdb8);
    return isGiven && !isWayIntoOlder && !isTeredoOrExample;
  }
  const isOwn =
    first === 0 ||
    first === 10 ||
    first === 127 ||
    first >= 224 ||
    (first === 100 && second >> 6 === 1) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >> 4 === 1) ||
    (first === 192 && (second === 168 || (second === 0 && (ip[2] === 0 || ip[2] === 2)))) ||
    (first === 198 && (second >> 1 === 9 || (second === 51 && ip[2] === 100))) ||
    (first === 203 && second === 0 && ip[2] === 113);
  return !isOwn;
}

function parseDotted(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return undefined;
  return Uint8Array.from(parts, Number);
}

function parseGroups(text: string): number[] | undefined {
  const [before = "", after, ...more] = text.split("::");
  const head = groupsOf(before);
  const tail = after === undefined ? [] : groupsOf(after);
  if (more.length > 0 || head === undefined || tail === undefined) return undefined;
  const missing = GROUPS - head.length - tail.length;
  if (after === undefined ? missing !== 0 : missing < 1) return undefined;
  return [...head, ...Array<number>(missing).fill(0), ...tail];
}

/** Groups between colons, the last of which may be an older address. */
function groupsOf(text: string): number[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  const dotted = parts.at(-1)?.includes(".") ? parseDotted(parts.pop() as string) : undefined;
  if (text.includes(".") && dotted === undefined) return undefined;
  if (!parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return undefined;
  const groups = parts.map((part) => Number.parseInt(part, 16));
  return dotted === undefined ? groups : [...groups, groupAt(dotted, 0), groupAt(dotted, 1)];
}

function groupAt(bytes: Uint8Array, at: number): number {
  return ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0);
}

/** The first of the longest runs of zeros, of two groups or more. */
function longestGap(groups: readonly string[]): { readonly from: number; readonly to: number } | undefined {
  let longest: { readonly from: number; readonly to: number } | undefined;
  for (let from = 0; from < groups.length; from++) {
    let to = from;
    while (groups[to] === "0") to++;
    if (to - from >= 2 && to - from > (longest === undefined ? 0 : longest.to - longest.from)) longest = { from, to };
    from = Math.max(from, to - 1);
  }
  return longest;
}
