/**
 * Host headers as the reference parses them: an invalid one counts as missing.
 * @source akka-http: model/headers (Host), parsing of RFC 3986, 3.2.2 and 3.2.3
 */
import { isIPv6 } from "node:net";

export interface HostName {
  /** In lower case, decoded; an IPv6 address in its shortest form; empty if only a port is named. */
  readonly name: string;
  /** 0: no port. */
  readonly port: number;
}

const form = /^(?:\[([\da-f:.]+)\]|((?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})*))(?::(\d{1,5}))?$/i;
const MAX_PORT = 65_535;

/** @param text value of the header, or the authority of a URL after its user @returns undefined: it is not a host */
export function readHost(text: string): HostName | undefined {
  const [isOne, address, name = "", port = "0"] = form.exec(text) ?? [];
  if (isOne === undefined || Number(port) > MAX_PORT) return undefined;
  if (address === undefined) return { name: decoded(name).toLowerCase(), port: Number(port) };
  return isIPv6(address) ? { name: new URL(`http://[${address}]`).hostname, port: Number(port) } : undefined;
}

/** Invalid escapes stay as they are. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
