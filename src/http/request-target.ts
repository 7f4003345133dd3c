/**
 * Targets of requests as the reference reads them: a path, `*`, or a whole URL, whose host must be that of the Host header.
 * @source akka-http 10.2: model/UriParser.scala (`request-target`), HttpRequest.effectiveUri; RFC 9112, 3.2
 */

import { type HostName, readHost } from "./host-header.ts";
import { percentDecoded } from "./percent-text.ts";

/** Of a target that is one. */
export interface ReadTarget {
  /** Path and query as the runtime gets them. */
  readonly path: string;
  /** Of a whole URL. */
  readonly whole?: WholeUrl;
}

interface WholeUrl {
  /** In small letters. */
  readonly scheme: string;
  readonly user: string;
  readonly host: HostName;
  readonly path: string;
}

/** The query's question mark among them: behind the first one there may be more. */
const character = String.raw`[\w\-.~!$&'()*+,;=:@/?]`;
const text = String.raw`${character}*(?:%[\da-f]{2}${character}*)*`;
const originForm = new RegExp(`^/${text}$`, "i");
/** Of a whole URL. */
const pathForm = new RegExp(`^(?:[/?]${text})?$`, "i");
const readable = new RegExp(`^${text}`, "i");
const wholeForm = /^([a-z][a-z\d+.-]*):\/\/(?:([\w\-.~!$&'()*+,;=:%]*)@)?([^/?#@]*)(.*)$/i;
const schemes = new Set(["http", "https", "ws", "wss"]);

/** @returns a text: the sentence with which a request to such a target is refused */
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

/** @param host of the Host header; undefined: there is none, or it names no host */
export function targetFault(
  target: string,
  { whole }: ReadTarget,
  host: HostName | undefined,
  httpVersion: string,
): string | undefined {
  if (host === undefined && httpVersion !== "1.0") return "Request is missing required `Host` header";
  if (whole === undefined) {
    if (host !== undefined && host.name !== "") return undefined;
    const lack = host === undefined ? "is missing a `Host` header" : "an empty `Host` header";
    return `Cannot establish effective URI of request to \`${shownTarget(target)}\`, request has a relative URI and ${lack}`;
  }
  if (host !== undefined && (host.name !== whole.host.name || host.port !== whole.host.port))
    return `'Host' header value of request to \`${shownUrl(whole)}\` doesn't match request target authority`;
  return schemes.has(whole.scheme) ? undefined : '`uri` must have scheme "http", "https", "ws", "wss" or no scheme';
}

/** What keeps it from being read to its end as path and query. @param start where they begin */
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

function shownTarget(target: string): string {
  if (target === "*") return "//*";
  const [path = "", ...query] = target.split("?");
  return [shownPath(path), ...query].join("?");
}

function shownUrl({ scheme, user, host: { name, port }, path: target }: WholeUrl): string {
  const [path = "", ...query] = target.split("?");
  const shown = path === "" ? "" : shownPath(new URL(`http://node${path}`).pathname);
  const authority = `${user === "" ? "" : `${user}@`}${name}${port === 0 ? "" : `:${port}`}`;
  return `${scheme}://${authority}${[shown, ...query].join("?")}`;
}

/** What need not be encoded is not. */
function shownPath(path: string): string {
  const shown = (segment: string): string =>
    encodeURIComponent(percentDecoded(segment) ?? segment).replace(/%(?:2[46BC]|3[ABD]|40)/g, decodeURIComponent);
  return path.split("/").map(shown).join("/");
}
