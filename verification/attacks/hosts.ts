/** Addresses of this machine from which an attack connects; the node treats each as a host of its own. */
import os from "node:os";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";

/** Lowest second octet: readers connect from 127.0.0.1, and newcomers from 127.1.0.0/16. */
const FIRST_NETWORK = 2;
const NEWCOMER_NETWORK = 1;

/**
 * Hosts of an attack: addresses of 127.0.0.0/8. Every other one is an IPv6 address of the loopback interface other than
 * ::1, if there are any and the node listens there (`--host ::`).
 */
export function attackingHosts(random: SeededRandom, count: number, isIpv6 = false): readonly string[] {
  const further = isIpv6 ? furtherIpv6() : [];
  return Array.from({ length: count }, (_, at) => {
    const ipv4 = `127.${random.between(FIRST_NETWORK, 254)}.${random.below(255)}.${random.between(1, 254)}`;
    return at % 2 === 1 && further.length > 0 ? (further[(at >> 1) % further.length] as string) : ipv4;
  });
}

/** A host that has not connected before. @param number of the newcomer */
export function newcomer(number: number): string {
  return `127.${NEWCOMER_NETWORK}.${(number >> 8) & 255}.${number & 255 || 255}`;
}

/** @returns IPv6 addresses of the loopback interface that an attack may bind, without ::1 */
function furtherIpv6(): readonly string[] {
  return Object.values(os.networkInterfaces()).flatMap((addresses = []) =>
    addresses
      .filter(({ internal, family, address }) => internal && family === "IPv6" && address !== "::1")
      .map(({ address }) => address),
  );
}

/** Loopback address at which a host reaches the node. */
export function loopbackOf(host: string): string {
  return host.includes(":") ? "::1" : "127.0.0.1";
}
