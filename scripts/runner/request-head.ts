/** What of a client's request goes on to the runtime before its body, and what the door must know of it. */
import { apiKeyHeaders } from "../../src/http/api-key.ts";
import { joinedHeader } from "../../src/http/joined-posts.ts";

export interface RequestHead {
  /** As the runtime gets it, without the empty line at its end and the coding of the body. */
  readonly text: string;
  /** Of the Host header; undefined: there is none. */
  readonly host: string | undefined;
  /** There are several Host headers: which of them counts, everybody may see in another way. */
  readonly isHostRepeated: boolean;
  readonly isChunked: boolean;
  /** Of the body, as the request tells it; 0 when it does not. */
  readonly sizeBytes: number;
  readonly hasBody: boolean;
  readonly hasKey: boolean;
  /** It is about more than what the URL names: who asks, a part of it, another protocol. */
  readonly isPersonal: boolean;
}

/** Headers that are about one connection, not about the request or the answer (RFC 9110, 7.6.1). */
const ofConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

/** That carry the API key. */
const ofKey = new Set<string>(apiKeyHeaders.map((name) => name.toLowerCase()));

const ofPerson = new Set(["authorization", "cookie", "range", "upgrade", ...ofKey]);

const lowerJoinedHeader = joinedHeader.toLowerCase();

/** Host of every request to the runtime: no answer depends on it, and the runtime breaks on names that are none to it. */
const RUNTIME_HOST = "node";

/** @param lowerName in small letters */
export function isOfConnection(lowerName: string): boolean {
  return ofConnection.has(lowerName);
}

/**
 * @param path with its query
 * @param raw names and values in turns, as they came
 * @param isKeyLeftOut whether the API key stays behind
 */
export function requestHead(method: string, path: string, raw: readonly string[], isKeyLeftOut = false): RequestHead {
  let text = `${method} ${path} HTTP/1.1\r\nHost: ${RUNTIME_HOST}\r\n`;
  let host: string | undefined;
  let isHostRepeated = false;
  let isChunked = false;
  let sizeBytes = 0;
  let hasKey = false;
  let isPersonal = false;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    const value = raw[index + 1] as string;
    const lowerName = name.toLowerCase();
    if (lowerName === "host") {
      isHostRepeated = host !== undefined;
      host ??= value;
      continue;
    }
    if (lowerName === "content-length") sizeBytes = Number(value);
    else if (lowerName === "transfer-encoding") isChunked = true;
    // What the door says to the runtime, nobody else does.
    else if (lowerName === lowerJoinedHeader) continue;
    if (ofPerson.has(lowerName)) isPersonal = true;
    const isKey = ofKey.has(lowerName);
    hasKey ||= isKey;
    if (!ofConnection.has(lowerName) && !(isKey && isKeyLeftOut)) text += `${name}: ${value}\r\n`;
  }
  const hasBody = isChunked || sizeBytes > 0;
  return { text, host, isHostRepeated, isChunked, sizeBytes, hasBody, hasKey, isPersonal };
}
