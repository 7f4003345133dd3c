/**
 * Host headers as the reference reads them: what it does not take for one counts as missing.
 * @source akka-http: model/headers (Host), parsing of RFC 3986, 3.2.2 and 3.2.3
 */
import { isIPv6 } from "node:net";

export interface HostName {
  /** In small letters, decoded, an address in its shortest form; empty where only a port is named. */
  readonly name: string;
  /** 0: none is named. */
  readonly port: number;
}

const form = /^(?:\[([\da-f:.]+)\]|((?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})*))(?::(\d{1,5}))?$/i;
const MAX_PORT = 65_535;

/** @param text as the header has it, or the authority of a URL behind its user @returns undefined: it names no host */
export function readHost(text: string): HostName | undefined {
  const [isOne, address, name = "", port = "0"] = form.exec(text) ?? [];
  if (isOne === undefined || Number(port) > MAX_PORT) return undefined;
  if (address === undefined) return { name: decoded(name).toLowerCase(), port: Number(port) };
  return isIPv6(address) ? { name: new URL(`http://[${address}]`).hostname, port: Number(port) } : undefined;
}

/** What stands for no text stays as it is. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
