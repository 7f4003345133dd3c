/**
 * Cross-origin headers. Every answer to a request with an Origin carries them, errors too.
 * @source docs/protocol/rest-api.md 1.7
 */
import { bookmarkHeader } from "../read-model/bookmark.ts";
import { type CorsSettings, isOrigin, originFromRequest } from "./rest-settings.ts";

/** What scripts of other origins may read of an answer, besides what they may read of any. */
const exposedHeaders = ["ETag", bookmarkHeader].join(", ");

/** The first that it names. */
function originOf(request: Request): string | undefined {
  const [first = ""] = request.headers.get("Origin")?.split(" ") ?? [];
  return isOrigin(first) ? first : undefined;
}

/** Headers for the answer to a request; none when the request names no origin. */
export function corsHeaders(request: Request, settings: CorsSettings): Record<string, string> {
  const origin = originOf(request);
  if (origin === undefined) return {};
  return {
    "Access-Control-Allow-Origin": settings.allowOrigin === originFromRequest ? origin : settings.allowOrigin,
    "Access-Control-Allow-Credentials": String(settings.allowCredentials),
    "Access-Control-Expose-Headers": exposedHeaders,
  };
}

/** Answer to OPTIONS, on any path, known or not. */
export function preflightResponse(request: Request, settings: CorsSettings): Response {
  const headers = new Headers({ "Content-Type": "text/plain; charset=UTF-8", ...corsHeaders(request, settings) });
  if (originOf(request) !== undefined) {
    headers.set("Access-Control-Allow-Headers", [...settings.allowHeaders, bookmarkHeader].join(", "));
    headers.set("Access-Control-Allow-Methods", settings.allowMethods.join(", "));
  }
  return new Response("OK", { headers });
}
