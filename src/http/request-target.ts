/**
 * Request targets as the reference parses them: a path, `*`, or an absolute URL, whose host must equal the Host header.
 * @source akka-http 10.2: model/UriParser.scala (`request-target`), HttpRequest.effectiveUri; RFC 9112, 3.2
 */

import { type HostName, readHost } from "./host-header.ts";
import { percentDecoded } from "./percent-text.ts";

/** A valid target. */
export interface ReadTarget {
  /** Path and query as the runtime gets them. */
  readonly path: string;
  /** Present for an absolute URL. */
  readonly whole?: WholeUrl;
}

interface WholeUrl {
  /** In lower case. */
  readonly scheme: string;
  readonly user: string;
  readonly host: HostName;
  readonly path: string;
}

/** Includes the question mark of the query: after the first one there may be more. */
const character = String.raw`[\w\-.~!$&'()*+,;=:@/?]`;
const text = String.raw`${character}*(?:%[\da-f]{2}${character}*)*`;
const originForm = new RegExp(`^/${text}$`, "i");
/** Path and query of an absolute URL. */
const pathForm = new RegExp(`^(?:[/?]${text})?$`, "i");
const readable = new RegExp(`^${text}`, "i");
const wholeForm = /^([a-z][a-z\d+.-]*):\/\/(?:([\w\-.~!$&'()*+,;=:%]*)@)?([^/?#@]*)(.*)$/i;
const schemes = new Set(["http", "https", "ws", "wss"]);

/** @returns a text: the error message for an invalid target */
export function readTarget(target: string): ReadTarget | string {
  if (originForm.test(target)) return { path: target };
  if (target === "*") return { path: "/" };
  const [, scheme, user = "", authority = "", path = ""] = wholeForm.exec(target) ?? [];
  if (scheme === undefined)
    return target.startsWith("/") ? illegal(target, 0) : "Illegal request-target: it is neither path nor URL";
  if (!pathForm.test(path)) return illegal(target, target.length - path.length);
  const host = readHost(authority);
  if (host === undefined) return "Illegal request-target: its authority is none";
  return {
    path: path.startsWith("/") ? path : `/${path}`,
    whole: { scheme: scheme.toLowerCase(), user, host, path },
  };
}

/** @param host host of the Host header; undefined: it is missing or invalid */
export function targetError(
  target: string,
  { whole }: ReadTarget,
  host: HostName | undefined,
  httpVersion: string,
): string | undefined {
  if (host === undefined && httpVersion !== "1.0") return "Request is missing required `Host` header";
  if (whole === undefined) {
    if (host !== undefined && host.name !== "") return undefined;
    const lack = host === undefined ? "is missing a `Host` header" : "an empty `Host` header";
    return `Cannot establish effective URI of request to \`${printedTarget(target)}\`, request has a relative URI and ${lack}`;
  }
  if (host !== undefined && (host.name !== whole.host.name || host.port !== whole.host.port))
    return `'Host' header value of request to \`${printedUrl(whole)}\` doesn't match request target authority`;
  return schemes.has(whole.scheme) ? undefined : '`uri` must have scheme "http", "https", "ws", "wss" or no scheme';
}

/** Message for the first invalid character in path and query. @param start their offset */
function illegal(target: string, start: number): string {
  const [read = ""] = readable.exec(target.slice(start)) ?? [];
  let at = start + read.length;
  let expected = `${read.endsWith("/") ? "segment" : "pchar"}, '/', '?' or 'EOI'`;
  if (read.endsWith("?") && read.indexOf("?") === read.length - 1) expected = "rawQueryString or 'EOI'";
  else if (read.includes("?")) expected = "query-char, pct-encoded or 'EOI'";
  if (target[at] === "%") {
    at += /^%[\da-f]?/i.exec(target.slice(at))?.[0].length ?? 0;
    expected = "HEXDIG";
  }
  const found = at < target.length ? `Invalid input '${target[at]}'` : "Unexpected end of input";
  return `Illegal request-target: ${found}, expected ${expected} (line 1, column ${at + 1})`;
}

function printedTarget(target: string): string {
  if (target === "*") return "//*";
  const [path = "", ...query] = target.split("?");
  return [printedPath(path), ...query].join("?");
}

function printedUrl({ scheme, user, host: { name, port }, path: target }: WholeUrl): string {
  const [path = "", ...query] = target.split("?");
  const printed = path === "" ? "" : printedPath(new URL(`http://node${path}`).pathname);
  const authority = `${user === "" ? "" : `${user}@`}${name}${port === 0 ? "" : `:${port}`}`;
  return `${scheme}://${authority}${[printed, ...query].join("?")}`;
}

/** Decodes characters that do not need encoding. */
function printedPath(path: string): string {
  const printed = (segment: string): string =>
    encodeURIComponent(percentDecoded(segment) ?? segment).replace(/%(?:2[46BC]|3[ABD]|40)/g, decodeURIComponent);
  return path.split("/").map(printed).join("/");
}
