/** HTTP responses from route results: JSON form, cache headers, conditional requests, lists as texts or streams. */
import { type JsonValue, jsonText } from "../protocol/json.ts";
import { parseJson } from "../protocol/parse-json.ts";
import { type JsonForm, jsonContentType } from "./accept.ts";
import type { Freshness, RouteResponse } from "./route-response.ts";
import { withSignificandStrings } from "./significand.ts";

/** Cache lifetime of final responses, seconds. */
const finalMaxAge = { id: 31_536_000, height: 60 } as const;

const foreverCaching = `public, max-age=${finalMaxAge.id}, immutable`;

/**
 * Text buffered of a list before sending starts, in characters; a list that ends within it is sent like any other text.
 */
export const MAX_BUFFERED_CHARACTERS = 2 ** 20;

/** A written response; only headers for the individual client are missing. */
export interface Written {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A text if the whole body is buffered: then it may be cached. */
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
  readonly entityTag: string | undefined;
}

/** Parts of a request that select the form of the response. */
export interface Conditions {
  readonly form: JsonForm;
  readonly ifNoneMatch: string | null;
}

/** @param headers added to every response */
export async function respond(
  response: RouteResponse,
  { form, ifNoneMatch }: Conditions,
  headers: Record<string, string>,
): Promise<Response> {
  const written = await write(response, form);
  return responseOf(written, ifNoneMatch, { ...written.headers, ...headers });
}

/** Returns the response, or 304 if the client has it already. @param headers all headers */
export function responseOf(
  { status, body, entityTag }: Written,
  ifNoneMatch: string | null,
  headers: Record<string, string> | Headers,
): Response {
  if (entityTag !== undefined && matches(ifNoneMatch, entityTag)) return new Response(null, { status: 304, headers });
  return new Response(body, { status, headers });
}

/** @throws errors in the first part of a list; later errors break the stream off */
export async function write(response: RouteResponse, form: JsonForm): Promise<Written> {
  const entityTag = undefined;
  if (response.kind === "text") {
    const headers = { "Content-Type": "text/plain; charset=UTF-8" };
    return { status: response.status, headers, body: response.text, entityTag };
  }
  if (response.kind === "redirect") {
    const headers = { Location: response.location, "Content-Type": "text/html; charset=UTF-8" };
    return { status: 308, headers, body: movedText(response.location), entityTag };
  }
  if (response.kind === "file") {
    const caching = { "Cache-Control": response.isForever === true ? foreverCaching : "no-cache", Vary: "Origin" };
    const headers = { "Content-Type": response.contentType, ...caching, ...response.headers };
    return { status: 200, headers, body: response.bytes, entityTag };
  }
  if (response.kind === "nothing") {
    const headers = { "Cache-Control": cacheControl(response.freshness), Vary: "Origin" };
    return { status: 200, headers, body: null, entityTag };
  }
  const typed = { "Content-Type": jsonContentType[form], Vary: "Accept, Origin" };
  if (response.kind === "error") {
    const headers = { ...typed, ...response.headers, "Cache-Control": "no-store" };
    return { status: response.status, headers, body: textIn(form, response.value), entityTag };
  }
  const tag = tagOf(response.freshness, form);
  const headers = { ...typed, "Cache-Control": cacheControl(response.freshness), ...(tag && { ETag: tag }) };
  return { status: 200, headers, body: await bodyOf(response, form), entityTag: tag };
}

/** @source akka-http: StatusCodes.PermanentRedirect */
function movedText(location: string): string {
  return `The request, and all future requests should be repeated using <a href="${location}">this URI</a>.`;
}

type JsonResponse = Exclude<Extract<RouteResponse, { freshness: Freshness }>, { kind: "nothing" }>;

async function bodyOf(response: JsonResponse, form: JsonForm): Promise<string | ReadableStream<Uint8Array>> {
  if (response.kind === "json") return textIn(form, response.value);
  if (response.kind === "jsonText") return form === "exact" ? response.text : textIn(form, parseJson(response.text));
  return bufferedOrStream(response.kind === "jsonItems" ? textsOf(response, form) : textsOfMembers(response, form));
}

function textIn(form: JsonForm, value: JsonValue): string {
  return jsonText(form === "strings" ? withSignificandStrings(value) : value);
}

async function* textsOf(reply: Extract<RouteResponse, { kind: "jsonItems" }>, form: JsonForm): AsyncGenerator<string> {
  let before = reply.open;
  for await (const item of reply.items) {
    yield before + textIn(form, item);
    before = ",";
  }
  yield before === "," ? reply.close : reply.open + reply.close;
}

async function* textsOfMembers(
  { members, isSignificant }: Extract<RouteResponse, { kind: "jsonMembers" }>,
  form: JsonForm,
): AsyncGenerator<string> {
  let before = "{";
  for await (const [name, value] of members) {
    yield `${before}${jsonText(name)}:${jsonText(isSignificant && form === "strings" ? String(value) : value)}`;
    before = ",";
  }
  yield before === "," ? "}" : "{}";
}

async function bufferedOrStream(texts: AsyncGenerator<string>): Promise<string | ReadableStream<Uint8Array>> {
  let buffered = "";
  for (;;) {
    const { done, value } = await texts.next();
    if (done) return buffered;
    buffered += value;
    if (buffered.length > MAX_BUFFERED_CHARACTERS) return streamOf(buffered, texts);
  }
}

/** Streams a list: after the buffered part, items are read only as fast as the client reads. */
function streamOf(buffered: string, texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(buffered));
    },
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

function tagOf(freshness: Freshness, form: JsonForm): string | undefined {
  if (freshness.kind === "momentary" || freshness.kind === "constant") return undefined;
  if (freshness.kind === "state" && freshness.isTimed === true) return undefined;
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
