/** Head of a client's request: the fields that the front server needs, and the headers forwarded to the runtime. */
import { apiKeyHeaders } from "../../src/http/api-key.ts";
import { clientAddressHeader } from "../../src/http/client-host.ts";
import { CROSS_SITE, siteHeader } from "../../src/services/cross-site.ts";
import { runnerTokenHeader } from "../../src/worker/runner-token.ts";

export interface RequestHead {
  /**
   * Names and values in alternation, without headers of the connection, of the body's length, or of the front server.
   */
  readonly headers: string[];
  /** Host header. */
  readonly host: string | undefined;
  readonly isHostRepeated: boolean;
  /** Origin header. */
  readonly origin: string | undefined;
  /** Sec-Fetch-Site header. */
  readonly site: string | undefined;
  readonly isChunked: boolean;
  /** Content-Length header. */
  readonly sizeBytes: number | undefined;
  readonly hasKey: boolean;
  /** Whether the response cannot be shared: it depends on credentials, a range, or another protocol. */
  readonly isPersonal: boolean;
}

/** Headers about one connection, or replaced for the next one (RFC 9110, 7.6.1). */
const ofConnection: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "expect"],
  ...["host", "content-length"],
]);
const ofKey: ReadonlySet<string> = new Set(apiKeyHeaders.map((name) => name.toLowerCase()));
const ofPerson: ReadonlySet<string> = new Set(["authorization", "cookie", "range", "upgrade", ...ofKey]);
/** Headers that only the front server may send to the runtime. */
const ofFrontServer: ReadonlySet<string> = new Set([runnerTokenHeader, siteHeader].map((name) => name.toLowerCase()));

/** Whether a header is about one connection. */
export function isOfConnection(name: string): boolean {
  const lowerName = name.toLowerCase();
  return lowerName !== "content-length" && ofConnection.has(lowerName);
}

/** @param raw names and values in alternation, as received */
export function requestHead(raw: readonly string[]): RequestHead {
  const headers: string[] = [];
  const seen = new Map<string, string>();
  let isHostRepeated = false;
  let [hasKey, isPersonal] = [false, false];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    const value = raw[index + 1] as string;
    const lowerName = name.toLowerCase();
    if (lowerName === "host" && seen.has(lowerName)) isHostRepeated = true;
    else seen.set(lowerName, value);
    hasKey ||= ofKey.has(lowerName);
    isPersonal ||= ofPerson.has(lowerName);
    // On Cloudflare the edge sets these headers; here only the front server may.
    const isInternal = lowerName.startsWith("cf-") || ofFrontServer.has(lowerName);
    if (!isInternal && !ofConnection.has(lowerName)) headers.push(name, value);
  }
  const length = seen.get("content-length");
  return {
    ...{ headers, isHostRepeated, hasKey, isPersonal },
    ...{ host: seen.get("host"), origin: seen.get("origin"), site: seen.get("sec-fetch-site") },
    isChunked: seen.has("transfer-encoding"),
    sizeBytes: length === undefined ? undefined : Number(length),
  };
}

/** @param headers names and values in alternation */
export function withoutKey(headers: readonly string[]): string[] {
  return headers.filter((_, index) => !ofKey.has((headers[index & ~1] as string).toLowerCase()));
}

/**
 * Headers that the front server adds: a constant host, because the runtime fails on invalid names, the client's
 * address, and a mark of requests from foreign pages.
 * @param address address of the client's end of the connection
 */
export function addedHeaders(address: string | undefined, isForeign: boolean): string[] {
  const client = (address ?? "").replace(/^::ffff:/, "");
  return ["Host", "node", clientAddressHeader, client, ...(isForeign ? [siteHeader, CROSS_SITE] : [])];
}
