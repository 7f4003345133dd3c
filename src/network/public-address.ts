/** @source IANA: IPv4 and IPv6 Special-Purpose Address Registries */

/** Whether an address is globally routable: not of a private network, and not this machine's. */
export function isPublicAddress(ip: Uint8Array): boolean {
  const [first = 0, second = 0, next = 0, last = 0] = ip;
  if (ip.length !== 4) {
    const third = (next << 8) | last;
    // In IPv6, 2000::/3 is public, except for documentation examples, 6to4 and Teredo.
    const isAssigned = first >> 5 === 1;
    const is6to4 = first === 0x20 && second === 0x02;
    const isTeredoOrExample = first === 0x20 && second === 0x01 && (third === 0 || third === 0x0db8);
    return isAssigned && !is6to4 && !isTeredoOrExample;
  }
  const isSpecial =
    first === 0 ||
    first === 10 ||
    first === 127 ||
    first >= 224 ||
    (first === 100 && second >> 6 === 1) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >> 4 === 1) ||
    (first === 192 && (second === 168 || (second === 0 && (next === 0 || next === 2)))) ||
    (first === 198 && (second >> 1 === 9 || (second === 51 && next === 100))) ||
    (first === 203 && second === 0 && next === 113);
  return !isSpecial;
}
