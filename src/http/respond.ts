/** Replies as HTTP responses: the form of JSON, the headers of caches, conditional requests. */
import { type JsonValue, jsonText } from "../protocol/json.ts";
import { parseJson } from "../protocol/parse-json.ts";
import { type JsonForm, jsonContentType } from "./accept.ts";
import type { Freshness, Reply } from "./reply.ts";
import { withSignificandStrings } from "./significand.ts";

/** How long a cache may keep what is final, seconds. */
const finalMaxAge = { id: 31_536_000, height: 60 } as const;

const foreverCaching = `public, max-age=${finalMaxAge.id}, immutable`;

/** What of the request decides how the reply is written. */
export interface ResponseStyle {
  readonly form: JsonForm;
  readonly ifNoneMatch: string | null;
}

/** @param headers are added to the response, whatever it is */
export function respond(reply: Reply, style: ResponseStyle, headers: Record<string, string>): Response {
  if (reply.kind === "text") {
    const all = { "Content-Type": "text/plain; charset=UTF-8", ...headers };
    return new Response(reply.text, { status: reply.status, headers: all });
  }
  if (reply.kind === "redirect") {
    return new Response(null, { status: 308, headers: { Location: reply.location, ...headers } });
  }
  if (reply.kind === "file") {
    const caching = { "Cache-Control": reply.isForever === true ? foreverCaching : "no-cache", Vary: "Origin" };
    const all = { "Content-Type": reply.contentType, ...caching, ...reply.headers, ...headers };
    return new Response(reply.bytes, { headers: all });
  }
  if (reply.kind === "nothing") {
    return new Response(null, {
      headers: { "Cache-Control": cacheControl(reply.freshness), Vary: "Origin", ...headers },
    });
  }
  const { form } = style;
  const typed = { "Content-Type": jsonContentType[form], Vary: "Accept, Origin", ...headers };
  if (reply.kind === "error") {
    const all = { ...typed, "Cache-Control": "no-store" };
    return new Response(textIn(form, reply.value), { status: reply.status, headers: all });
  }
  const tag = entityTag(reply.freshness, form);
  const all = { ...typed, "Cache-Control": cacheControl(reply.freshness), ...(tag && { ETag: tag }) };
  if (tag !== undefined && matches(style.ifNoneMatch, tag)) return new Response(null, { status: 304, headers: all });
  return new Response(bodyOf(reply, form), { headers: all });
}

type JsonReply = Exclude<Extract<Reply, { freshness: Freshness }>, { kind: "nothing" }>;

function bodyOf(reply: JsonReply, form: JsonForm): string | ReadableStream<Uint8Array> {
  if (reply.kind === "json") return textIn(form, reply.value);
  if (reply.kind === "jsonText") return form === "exact" ? reply.text : textIn(form, parseJson(reply.text));
  return streamOf(reply.kind === "jsonItems" ? textsOf(reply, form) : textsOfMembers(reply, form));
}

function textIn(form: JsonForm, value: JsonValue): string {
  return jsonText(form === "strings" ? withSignificandStrings(value) : value);
}

async function* textsOf(reply: Extract<Reply, { kind: "jsonItems" }>, form: JsonForm): AsyncGenerator<string> {
  let before = reply.open;
  for await (const item of reply.items) {
    yield before + textIn(form, item);
    before = ",";
  }
  yield before === "," ? reply.close : reply.open + reply.close;
}

async function* textsOfMembers(
  { members }: Extract<Reply, { kind: "jsonMembers" }>,
  form: JsonForm,
): AsyncGenerator<string> {
  let before = "{";
  for await (const [name, value] of members) {
    yield `${before}${jsonText(name)}:${jsonText(form === "strings" ? String(value) : value)}`;
    before = ",";
  }
  yield before === "," ? "}" : "{}";
}

/** Reads on only as fast as the client does. */
function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}

function cacheControl(freshness: Freshness): string {
  switch (freshness.kind) {
    case "momentary":
      return "no-store";
    case "constant":
    case "state":
      return "no-cache";
    case "final":
      return `public, max-age=${finalMaxAge[freshness.foundBy]}, immutable`;
  }
}

function entityTag(freshness: Freshness, form: JsonForm): string | undefined {
  if (freshness.kind === "momentary" || freshness.kind === "constant") return undefined;
  return form === "exact" ? `"${freshness.tag}"` : `"${freshness.tag}/${form}"`;
}

/** Weak comparison (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((candidate) => {
    const trimmed = candidate.trim();
    return trimmed === "*" || trimmed === tag || trimmed === `W/${tag}`;
  });
}
